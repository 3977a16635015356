// SPDX-License-Identifier: Apache-2.0
// "Did you mean" for options.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace psim::commands {

/// "config show" of the app of `show`.
std::string full_name(const CLI::App& app);

/// "run: unknown option --jsn; did you mean --json?"
std::string unknown_option(const CLI::App& app, const std::string& word);

}  // namespace psim::commands
