// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/spelling.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace psim::commands {
namespace {

bool meant_for_psim(const CLI::Option& option, const std::string& value) {
  if (option.get_name() == "--set") return value.find('.') < value.find('=') && value.find('=') != value.npos;
  std::error_code none;
  return option.get_type_name().find("FILE") != std::string::npos && !value.empty() && value != "-" &&
         !std::filesystem::exists(value, none);
}

}  // namespace

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

std::vector<std::string> late_options(const CLI::App& command) {
  std::vector<std::string> late;
  if (!command.get_prefix_command() || command.get_name() == "exec") return late;
  const std::vector<std::string> words = command.remaining();
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    const CLI::Option* option = name.starts_with("--") ? command.get_option_no_throw(name) : nullptr;
    if (option == nullptr) continue;
    const bool next = equals == std::string::npos;
    const std::string value = !next ? words[i].substr(equals + 1) : i + 1 < words.size() ? words[i + 1] : "";
    if (meant_for_psim(*option, value)) late.push_back(next ? name + " " + value : words[i]);
  }
  return late;
}

}  // namespace psim::commands
