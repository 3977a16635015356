// SPDX-License-Identifier: Apache-2.0
// A user's choice of a machine: --machine and --set.
#pragma once

#include <string>
#include <vector>

namespace psim {

struct MachineChoice {
  std::string machine;            ///< --machine FILE|NAME; empty: the command's default
  std::vector<std::string> sets;  ///< --set key=value, in order
};

}  // namespace psim
