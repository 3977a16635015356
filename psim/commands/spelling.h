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

}  // namespace psim::commands
