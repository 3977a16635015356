// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/command_words.h"

#include <algorithm>
#include <string_view>

namespace psim {
namespace {

/// Returns the words of "{a,b,c}" in the name of a value, as in "KIND:{auto,fused}".
std::vector<std::string> choices_of(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return choices;
  std::string_view rest = std::string_view(type).substr(open + 1, close - open - 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    choices.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  return choices;
}

bool has_file_name(std::string_view value) {
  for (const std::string_view word : {"FILE", "RESULT", "TRACE", "DUMP", "SCENARIO", "OTHER", "SPEC"})
    if (value.starts_with(word)) return true;
  return value == "A" || value == "B";
}

/// `network`: keys of the command are those of networks.
WordKind kind_of(const OptionWords& option, bool network) {
  const WordKind key = network ? WordKind::NetworkKey : WordKind::CoreKey;
  if (option.value.empty()) return WordKind::None;
  if (!option.choices.empty()) return WordKind::Choice;
  if (option.value == "FILE|NAME") return WordKind::Machine;
  if (option.value == "KEY" || (option.value.starts_with("KEY=") && option.names.size() == 1)) return key;
  if (option.value == "EXPERIMENT") return WordKind::Experiment;
  if (option.value == "FOLDER" || option.value == "DIR") return WordKind::Folder;
  return has_file_name(option.value) ? WordKind::File : WordKind::Text;
}

OptionWords words_of(const CLI::Option& option, bool network) {
  OptionWords words;
  if (option.nonpositional()) {
    for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
  }
  const std::string type =
      option.get_type_name();  // "KIND:{auto,fused}": the name of the value and its check
  if (!option.nonpositional())
    words.value = option.get_name(true);
  else if (option.get_expected_max() > 0)
    words.value = type.substr(0, type.find(':'));
  words.text = option.get_description();
  words.group = option.get_group();
  words.choices = choices_of(type);
  words.kind = kind_of(words, network);
  words.repeats =
      option.get_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return words;
}

/// Returns the part of --help after "Usage: " and before the options.
std::string usage_of(const CLI::App& app) {
  const std::string help = app.help();
  constexpr std::string_view kUsage = "Usage: ";
  const std::size_t at = help.find(kUsage);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + kUsage.size();
  const std::size_t end = std::min(help.find("\nPositionals:\n", begin), help.find("\nOptions:\n", begin));
  std::string usage = help.substr(begin, end - begin);
  while (usage.ends_with('\n')) usage.pop_back();
  return usage;
}

CommandWords words_of(const CLI::App& app, const std::string& before, bool network) {
  CommandWords words;
  words.last = app.get_name();
  words.name = before.empty() ? words.last : before + " " + words.last;
  words.text = app.get_description();
  words.footer = app.get_footer();
  words.heading = app.get_group();
  words.usage = usage_of(app);
  words.takes_program = app.get_prefix_command();
  network = network || words.last == "net" || words.last == "calibrate";
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // not in --help either
    OptionWords one = words_of(*option, network);
    (one.names.empty() ? words.arguments : words.options).push_back(std::move(one));
  }
  for (const CLI::App* sub : app.get_subcommands({}))
    words.commands.push_back(words_of(*sub, words.name, network));
  return words;
}

}  // namespace

CommandWords command_words(const CLI::App& app) { return words_of(app, "", false); }

}  // namespace psim
