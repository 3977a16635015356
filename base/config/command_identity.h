// SPDX-License-Identifier: Apache-2.0
// The identity of a run of psim: its command and the contents of everything that the command names. Runs with
// the same identity have the same result, so a result that is named after it need not be computed again.
#pragma once

#include <string>
#include <vector>

namespace psim {

/// Returns 16 hexadecimal digits: a hash of the command's words, of the files and the machine that they name
/// (the program too), and of the file of psim itself with its shipped machines. `words` begin with "psim".
std::string command_identity(const std::vector<std::string>& words);

}  // namespace psim
