// SPDX-License-Identifier: Apache-2.0
// Suggestions for misspelt options.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace psim::commands {

/// Returns the full name of an app, such as "config show" for the app of `show`.
std::string full_name(const CLI::App& app);

/// Returns "run: unknown option --jsn; did you mean --json?".
std::string unknown_option(const CLI::App& app, const std::string& word);

/// Returns a message if `word` was meant as the value of `flag`, which takes none, because the word names no
/// file and the next one does: "psim run --profile out.txt ./prog". Returns an empty text otherwise.
std::string after_a_flag(const CLI::App& command, const std::string& flag, const std::string& word,
                         const std::string& next);

}  // namespace psim::commands
