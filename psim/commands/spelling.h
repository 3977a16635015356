// SPDX-License-Identifier: Apache-2.0
// Messages on options that are misspelt, or stand where they have another meaning.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace psim::commands {

/// Returns the full name of an app, such as "config show" for the app of `show`.
std::string full_name(const CLI::App& app);

/// Returns "run: unknown option --jsn; did you mean --json?".
std::string unknown_option(const CLI::App& app, const std::string& word);

/// Returns a message if `word` was meant as the value of `flag`, which takes none, because the word names no
/// file and the next one does: "psim run --profile out.txt ./prog". Returns an empty text otherwise.
std::string after_a_flag(const CLI::App& command, const std::string& flag, const std::string& word,
                         const std::string& next);

/// Returns the words after the program that were likely meant for psim: an option of the command with a file
/// that does not exist after the run, so that the program did not use it, either; or --set KEY=VALUE. None
/// for psim exec, which prints only what the program prints.
std::vector<std::string> late_options(const CLI::App& command);

}  // namespace psim::commands
