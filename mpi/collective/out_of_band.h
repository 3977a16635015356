// SPDX-License-Identifier: Apache-2.0
// Steps of collectives whose messages cross no interface and no link and take a given time.
#pragma once

#include "mpi/collective/algorithms.h"

namespace psim::net::mpi {

/// Marks a collective that advances whether or not its rank is in a call.
inline void offload(const Channel& c) { c.collective->offloaded = true; }

/// Combines all ranks' vectors at `top`, in rank order, each `delay` after it was given.
Task combine(Channel c, Reduction r, std::byte* data, std::uint64_t count, int top, Picoseconds delay);
/// Waits for `time`.
Task leave_after(Channel c, Picoseconds time);
/// Synchronises all ranks through rank 0: they leave `up` + `down` after the last entry.
Task meet(Channel c, Picoseconds up, Picoseconds down);

}  // namespace psim::net::mpi
