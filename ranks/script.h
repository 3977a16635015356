// SPDX-License-Identifier: Apache-2.0
// Programs started by scripts. Libtool, for example, replaces a program whose libraries are not installed yet
// by a script.
#pragma once

#include <string>
#include <vector>

namespace psim::net {

/// Replaces this process by a script if the first of `words` is one. `words` are a program and its arguments,
/// the last words of this process's command line. psim then runs the program that the script starts, with the
/// options of this command line. Returns if it is no script, or if the system cannot start it.
void run_script(const std::vector<std::string>& words);

}  // namespace psim::net
