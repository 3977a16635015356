// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string_view>

#include "psim/shell/completion.h"

namespace psim {
namespace {

constexpr std::string_view kFishRules = R"SH(
# Succeeds if the command line is at command $argv[1], before a program. $argv[2..] are its options with values.
function __psim_at
    set -l words (commandline -opc)[2..]
    for name in (string split -n ' ' -- $argv[1])
        test "$words[1]" = $name; or return 1
        set -e words[1]
    end
    while set -q words[1]
        if contains -- $words[1] $argv[2..]
            set -e words[1]
        else if not string match -q -- '-*' $words[1]
            return 1
        end
        set -e words[1]
    end
    return 0
end
)SH";

std::string list_of(const OptionWords& option) {
  switch (option.kind) {
    case WordKind::None:
      return "";
    case WordKind::Text:
      return " -x";
    case WordKind::File:
      return " -r -F";
    case WordKind::Folder:
      return " -x -a '(__fish_complete_directories)'";
    case WordKind::Choice: {
      std::string all;
      for (const std::string& choice : option.choices) all += (all.empty() ? "" : " ") + choice;
      return " -x -a " + shell_quoted(all, true);
    }
    case WordKind::Machine:
      return " -r -F -a '(psim completion --words machines)'";
    default:
      return fmt::format(" -x -a '(psim completion --words {})'", words_kind(option.kind));
  }
}

/// `path`: the words of the command after "psim".
void add_lines(const CommandWords& command, const std::string& path, std::string& lines) {
  std::string at = fmt::format("__psim_at \"{}\"", path);
  for (const OptionWords& option : command.options)
    if (option.kind != WordKind::None)
      for (const std::string& name : option.names) at += " " + name;
  const std::string begin = fmt::format("complete -c psim -n {}", shell_quoted(at, true));
  for (const OptionWords& option : command.options) {
    lines += begin;
    for (const std::string& name : option.names)
      lines += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    lines += list_of(option) + " -d " + shell_quoted(short_text(option.text), true) + "\n";
  }
  if (!command.takes_program) lines += begin + " -f\n";
  for (const CommandWords& sub : command.commands) {
    lines += fmt::format("{} -a {} -d {}\n", begin, sub.last, shell_quoted(short_text(sub.text), true));
    add_lines(sub, path.empty() ? sub.last : path + " " + sub.last, lines);
  }
  if (!command.commands.empty()) return;
  if (command.takes_program) return;  // files, which fish offers by itself
  for (const OptionWords& argument : command.arguments)
    if (argument.kind != WordKind::Text) lines += begin + list_of(argument) + "\n";
}

}  // namespace

std::string fish_completion(const CommandWords& psim) {
  std::string lines;
  add_lines(psim, "", lines);
  return fmt::format("# fish completion for psim, made by `psim completion fish`\n{}{}", kFishRules, lines);
}

}  // namespace psim
