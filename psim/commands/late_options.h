// SPDX-License-Identifier: Apache-2.0
// Options of psim that stand after the program, and so go to the program.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace psim::commands {

/// Returns the words after the program that were likely meant for psim: an option of the command with a file
/// that does not exist after the run, so that the program did not use it, either; or --set KEY=VALUE. None
/// for psim exec, which prints only what the program prints.
std::vector<std::string> late_options(const CLI::App& command);

}  // namespace psim::commands
