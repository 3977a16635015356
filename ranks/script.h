// SPDX-License-Identifier: Apache-2.0
// Programs that scripts start: libtool, for instance, puts a script in the place of a program whose libraries
// are not installed yet.
#pragma once

#include <string>
#include <vector>

namespace psim::net {

/// If the first of `words` (a program and its arguments, the last words of this process's command line) is a
/// script, this process becomes it; the program it starts is then run by psim with the options of this
/// command line. Returns if it is none, or if the system cannot start it.
void run_script(const std::vector<std::string>& words);

}  // namespace psim::net
