// SPDX-License-Identifier: Apache-2.0
// The two builds of a program that `psim predict` runs.
#pragma once

#include <string>

namespace psim::commands {

struct ProgramBuilds {
  std::string ranks;  ///< by psim-cc, for psim net
  std::string core;   ///< by psim-sparc-cc, for psim cosim
};

/// Returns the builds of a program. A source file is compiled into the folder, with the wrappers next to psim
/// and these flags. Otherwise `program` is the build for ranks, and `core` that for the core; empty:
/// PROGRAM.sparc. Throws UserError.
ProgramBuilds builds_of(const std::string& program, const std::string& core, const std::string& flags,
                        const std::string& folder);

}  // namespace psim::commands
