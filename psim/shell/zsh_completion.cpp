// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string_view>

#include "psim/shell/completion.h"

namespace psim {
namespace {

constexpr std::string_view kZshRules = R"SH(
# Completes the words that `psim completion --words $1` prints; with "=" after each if $2 is "=".
_psim_listed() {
  local -a listed
  listed=(${(f)"$(psim completion --words $1 2>/dev/null)"})
  if [[ $2 == '=' ]]; then
    compadd -S '' -- $listed
  else
    compadd -- $listed
  fi
}
_psim_machine() { _psim_listed machines; _files -g '*.toml' }

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _psim "$@"
else
  compdef _psim psim
fi
)SH";

/// Escapes a text inside a specification of _arguments.
std::string in_specification(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// Returns the action of _arguments; one that begins with a space gets no options of compadd.
std::string zsh_action(const OptionWords& option) {
  switch (option.kind) {
    case WordKind::None:
      return "";
    case WordKind::Text:
      return " ";
    case WordKind::File:
      return "_files";
    case WordKind::Folder:
      return "_files -/";
    case WordKind::Choice: {
      std::string all;
      for (const std::string& choice : option.choices)
        all += (all.empty() ? "" : " ") + in_specification(choice);
      return "(" + all + ")";
    }
    case WordKind::Machine:
      return "_psim_machine";
    case WordKind::CoreKey:
    case WordKind::NetworkKey:
      return fmt::format(" _psim_listed {}{}", words_kind(option.kind), option.names.empty() ? "" : " =");
    default:
      return " _psim_listed " + words_kind(option.kind);
  }
}

std::string function_name(const CommandWords& command) {
  std::string name = "_";
  for (const char c : command.name) name += c == ' ' || c == '-' ? '_' : c;
  return name;
}

std::string option_lines(const CommandWords& command) {
  std::string lines;
  for (const OptionWords& option : command.options)
    for (const std::string& name : option.names) {
      std::string others;
      for (const std::string& other : option.names) others += (others.empty() ? "" : " ") + other;
      const bool takes = option.kind != WordKind::None;
      const std::string begin = option.repeats ? "*" : "(" + others + ")";
      const std::string value =
          takes ? fmt::format(":{}:{}", in_specification(option.value), zsh_action(option)) : "";
      const char* sign = !takes ? "" : name.starts_with("--") ? "=" : "+";
      lines += " \\\n    " + shell_quoted(fmt::format("{}{}{}[{}]{}", begin, name, sign,
                                                      in_specification(short_text(option.text)), value));
    }
  return lines;
}

void add_function(const CommandWords& command, std::string& functions) {
  functions += fmt::format("{}() {{\n", function_name(command));
  if (!command.commands.empty()) {
    functions += "  local state line\n  local -a commands\n  commands=(\n";
    for (const CommandWords& sub : command.commands)
      functions += fmt::format("    {}\n", shell_quoted(sub.last + ":" + in_specification(sub.text)));
    functions += fmt::format(
        "  )\n  _arguments -C{} \\\n    '1:command:->command' \\\n    '*::argument:->arguments' && return\n",
        option_lines(command));
    functions += fmt::format(
        "  case $state in\n    command) _describe command commands ;;\n    arguments) (( "
        "$+functions[{0}_$line[1]] "
        ")) && {0}_$line[1] ;;\n  esac\n",
        function_name(command));
  } else {
    std::string rest;
    if (command.takes_program)
      rest = " \\\n    '(-)1:program:_files' \\\n    '*::argument:_files'";
    else
      for (const OptionWords& argument : command.arguments)
        rest +=
            " \\\n    " + shell_quoted(fmt::format("{}:{}:{}", argument.repeats ? "*" : "",
                                                   in_specification(argument.value), zsh_action(argument)));
    functions += fmt::format("  _arguments -S{}{}\n", option_lines(command), rest);
  }
  functions += "}\n\n";
  for (const CommandWords& sub : command.commands) add_function(sub, functions);
}

}  // namespace

std::string zsh_completion(const CommandWords& psim) {
  std::string functions;
  add_function(psim, functions);
  return fmt::format("#compdef psim\n# zsh completion for psim, made by `psim completion zsh`\n\n{}{}",
                     functions, kZshRules.substr(1));
}

}  // namespace psim
