// SPDX-License-Identifier: Apache-2.0
// The command line: one file a command, each adds itself to the table in commands.cpp.
#pragma once

namespace psim::commands {

/// Parses the command line, runs the command, returns the exit status: the command's, 2 for a user's mistake.
int run(int argc, char** argv);

}  // namespace psim::commands
