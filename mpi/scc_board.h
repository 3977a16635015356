// SPDX-License-Identifier: Apache-2.0
// A board of the barrier network with hardware of its own, on cycle-level nodes. Without one, messages of the
// library model the board (mpi/functions/scc_api.cpp).
#pragma once

#include <cstdint>

#include "base/units.h"

namespace psim::net::mpi {

class SccBoard {
 public:
  /// Sets the S-flag for the nodes `group`, bits within the micro-cluster; 0: all.
  virtual void set_flag(std::uint32_t group) = 0;
  /// Waits until the S-flag is clear. Returns the time of the clearing.
  virtual Picoseconds await_clear() = 0;

 protected:
  ~SccBoard() = default;
};

/// Null: none.
extern SccBoard* scc_board;

}  // namespace psim::net::mpi
