// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/spelling.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"

namespace psim::commands {

std::string unknown_option(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string near = nearest(word.substr(0, word.find('=')), names);
  return fmt::format(
      "{}: unknown {} {}; {}", app.get_name(), word.starts_with('-') ? "option" : "argument", word,
      near.empty() || !word.starts_with('-') ? fmt::format("see `psim {} --help`", app.get_name())
                                             : fmt::format("did you mean {}?", near));
}

}  // namespace psim::commands
