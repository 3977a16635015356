// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/spelling.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

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
  const std::string near = nearest(word.substr(0, word.find('=')), names);
  const std::string command = full_name(app);
  return fmt::format("{}: unknown {} {}; {}", command, word.starts_with('-') ? "option" : "argument", word,
                     near.empty() || !word.starts_with('-') ? fmt::format("see `psim {} --help`", command)
                                                            : fmt::format("did you mean {}?", near));
}

}  // namespace psim::commands
