// SPDX-License-Identifier: Apache-2.0
// A node's board of the sync-comm network (paper 001): the state of its S-flag and of its pseudo-global
// clock.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/include/mpi.h"
#include "netsim/message/sync_config.h"

namespace psim::net::mpi {

struct SccNode {
  MPI_Comm group = MPI_COMM_WORLD;         ///< of the group register
  std::uint32_t bits = 0;                  ///< of the group register
  MPI_Request barrier = MPI_REQUEST_NULL;  ///< of the S-flag that is set
  bool set_on_board = false;               ///< the S-flag of an SccBoard is set
  Picoseconds reset{0};                    ///< when the S-flag was last cleared
  bool armed = false;                      ///< the next clearing starts the counter
  bool counts = false;
  std::int64_t first_tick = 0;  ///< of the oscillator, at which the counter is 0
  NodeClock oscillator;
  std::vector<std::uint32_t> stamps;  ///< time-stamp memory

  bool flag_is_set() const { return set_on_board || barrier != MPI_REQUEST_NULL; }
  /// Returns the counter at `time`, or at its start if that is later; it wraps after 2^32 ticks.
  std::uint32_t count(Picoseconds time, Picoseconds tick) const {
    const std::int64_t ticks = oscillator.at(time) / tick.count() - first_tick;
    return counts && ticks > 0 ? static_cast<std::uint32_t>(ticks) : 0;
  }
  /// Called when the S-flag is cleared: the counter starts with the next tick of the board's oscillator.
  void clear(Picoseconds now, Picoseconds tick) {
    reset = now;
    if (!armed) return;
    armed = false, counts = true;
    first_tick = oscillator.at(now) / tick.count() + 1;
  }
};

}  // namespace psim::net::mpi
