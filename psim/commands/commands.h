// SPDX-License-Identifier: Apache-2.0
// The command line. Each command has a file and an entry in the table in commands.cpp.
#pragma once

#include <functional>

namespace psim::commands {

/// Parses the command line, runs the command, and returns its exit status, or 2 for an error of the user.
int run(int argc, char** argv);

/// Returns the status of `action`. An exception becomes "psim:" lines and status 2 for an error of the user,
/// or 70 (EX_SOFTWARE of sysexits.h) for a fault of psim, such as a core without progress.
int guarded(const std::function<int()>& action);

}  // namespace psim::commands
