// SPDX-License-Identifier: Apache-2.0
// The command line: one file a command, each adds itself to the table in commands.cpp.
#pragma once

#include <functional>

namespace psim::commands {

/// Parses the command line, runs the command, returns the exit status: the command's, 2 for a user's mistake.
int run(int argc, char** argv);

/// The status of `action`; what it throws becomes "psim:" lines and 2 for a user's mistake, 70 (EX_SOFTWARE
/// of sysexits.h) for a fault of our own, a core that stands still among them.
int guarded(const std::function<int()>& action);

}  // namespace psim::commands
