// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/spelling.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace psim::commands {

std::string full_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr || parent->get_parent() == nullptr ? app.get_name()
                                                              : full_name(*parent) + " " + app.get_name();
}

std::string unknown_option(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string command = full_name(app);
  const bool option = word.starts_with('-');
  if (!option) names.clear();
  return fmt::format(
      "{}: unknown {} {}{}", command, option ? "option" : "argument", word,
      did_you_mean(word.substr(0, word.find('=')), names, fmt::format("see `psim {} --help`", command)));
}

std::string after_a_flag(const CLI::App& command, const std::string& flag, const std::string& word,
                         const std::string& next) {
  const CLI::Option* option = command.get_prefix_command() ? command.get_option_no_throw(flag) : nullptr;
  std::error_code none;
  if (option == nullptr || option->get_expected_max() != 0 || word.find('/') != word.npos ||
      std::filesystem::exists(word, none) || !std::filesystem::is_regular_file(next, none))
    return "";
  return fmt::format("{}: {} takes no value, so {} would be the program; expected {} {}", full_name(command),
                     flag, word, flag, next);
}

}  // namespace psim::commands
