// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string_view>

#include "psim/shell/completion.h"

namespace psim {
namespace {

// The part of the script that no command changes. _psim_words and _psim_value are the tables before it.
constexpr std::string_view kBashRules = R"SH(
# Sets COMPREPLY to those of the words of $1 that begin with $2.
_psim_choose() {
  local IFS=$' \t\n'
  COMPREPLY=($(compgen -W "$1" -- "$2"))
}

# Prints the words of kind $1, by the psim on the command line.
_psim_list() { "${COMP_WORDS[0]/#\~/$HOME}" completion --words "$1" 2>/dev/null; }

# Completes a value of kind $1, which begins with $2. Without COMPREPLY bash completes names of files.
_psim_complete_value() {
  case $1 in
    '@folder') compopt -o dirnames 2>/dev/null ;;
    '@file') ;;
    '@text') compopt +o default 2>/dev/null ;;
    '@machines') _psim_choose "$(_psim_list machines)" "$2" ;;
    '@core-keys' | '@network-keys')
      compopt -o nospace +o default 2>/dev/null
      _psim_choose "$(_psim_list "${1#@}")" "$2"
      ;;
    '@experiments') _psim_choose "$(_psim_list experiments)" "$2" ;;
    *) _psim_choose "$1" "$2" ;;
  esac
}

_psim() {
  local command=psim word='' value='' current=${COMP_WORDS[COMP_CWORD]} at
  local options='' commands='' argument='' program=''
  COMPREPLY=()
  _psim_words "$command"
  for ((at = 1; at < COMP_CWORD; ++at)); do
    word=${COMP_WORDS[at]}
    if [[ $word == '=' ]]; then  # --option=value, which bash splits
      continue
    elif [[ $word == -* ]]; then
      value=$(_psim_value "$command" "$word")
      [[ -n $value ]] || continue
      [[ ${COMP_WORDS[at + 1]} != '=' ]] || ((++at))
      if ((at + 1 >= COMP_CWORD)); then
        _psim_complete_value "$value" "$([[ $current == '=' ]] || printf %s "$current")"
        return
      fi
      ((++at))
      # KEY=VALUE is three words.
      while [[ ${COMP_WORDS[at + 1]} == '=' ]]; do
        ((at + 2 < COMP_CWORD)) || { compopt +o default 2>/dev/null; return; }
        ((at += 2))
      done
    elif [[ " $commands " == *" $word "* ]]; then
      command="$command $word"
      _psim_words "$command"
    elif [[ -n $program ]]; then
      return  # words of the program
    fi
  done
  if [[ $current == -* ]]; then
    _psim_choose "$options" "$current"
  elif [[ -n $commands ]]; then
    _psim_choose "$commands" "$current"
  elif [[ -n $argument ]]; then
    _psim_complete_value "$argument" "$current"
  fi
}
complete -o default -F _psim psim
)SH";

std::string value_of(const OptionWords& option) {
  switch (option.kind) {
    case WordKind::None:
      return "";
    case WordKind::Text:
      return "@text";
    case WordKind::File:
      return "@file";
    case WordKind::Folder:
      return "@folder";
    case WordKind::Choice: {
      std::string all;
      for (const std::string& choice : option.choices) all += (all.empty() ? "" : " ") + choice;
      return all;
    }
    default:
      return "@" + words_kind(option.kind);
  }
}

std::string joined_names(const OptionWords& option, std::string_view separator) {
  std::string all;
  for (const std::string& name : option.names)
    all += (all.empty() ? std::string() : std::string(separator)) + name;
  return all;
}

void add_words(const CommandWords& command, std::string& words, std::string& values) {
  std::string options, commands;
  for (const OptionWords& option : command.options) {
    options += (options.empty() ? "" : " ") + joined_names(option, " ");
    if (option.kind == WordKind::None) continue;
    for (const std::string& name : option.names)
      values += fmt::format("    {}) printf %s {} ;;\n", shell_quoted(command.name + " " + name),
                            shell_quoted(value_of(option)));
  }
  for (const CommandWords& sub : command.commands) commands += (commands.empty() ? "" : " ") + sub.last;
  words += fmt::format("    {})\n      options={} commands={} argument={} program={}\n      ;;\n",
                       shell_quoted(command.name), shell_quoted(options), shell_quoted(commands),
                       shell_quoted(command.arguments.empty() ? "" : value_of(command.arguments.front())),
                       command.takes_program ? "yes" : "''");
  for (const CommandWords& sub : command.commands) add_words(sub, words, values);
}

}  // namespace

std::string bash_completion(const CommandWords& psim) {
  std::string words, values;
  add_words(psim, words, values);
  return fmt::format(
      "# bash completion for psim, made by `psim completion bash`\n\n"
      "# Sets the words that may follow command $1.\n_psim_words() {{\n  case $1 in\n{}  esac\n}}\n\n"
      "# Prints the kind of the value of option $2 of command $1, or its choices; nothing for a flag.\n"
      "_psim_value() {{\n  case \"$1 $2\" in\n{}  esac\n}}\n{}",
      words, values, kBashRules);
}

}  // namespace psim
