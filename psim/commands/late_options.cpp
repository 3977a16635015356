// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/late_options.h"

#include <filesystem>

namespace psim::commands {
namespace {

bool meant_for_psim(const CLI::Option& option, const std::string& value) {
  if (option.get_name() == "--set") return value.find('.') < value.find('=') && value.find('=') != value.npos;
  std::error_code none;
  return option.get_type_name().find("FILE") != std::string::npos && !value.empty() && value != "-" &&
         !std::filesystem::exists(value, none);
}

}  // namespace

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
