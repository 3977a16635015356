// SPDX-License-Identifier: Apache-2.0
// Collectives in hardware, apart from the packets of the network (HardwareConfig). All ranks give it
// their part, and it delivers the result after a time that depends only on the bytes and its depth.
//
//   barrier, on the barrier network (paper 001): the last rank's entry + barrier_latency
//   on the tree, d being its depth and s/w the time of the bytes on its links:
//   bcast      the root's entry + latency + d hop + s/w, the root's own leave s/w after its entry
//   reduce     to the root the last entry + latency + d hop + s/w; others leave s/w after theirs
//   allreduce  the last entry + latency + 2 d hop + s/w; barrier: the same with s = 0
//
// In switches, with d of them from a node to the root, each of these has 2 d times the switches' latency and
// twice the cables on the way, and s/w of the slowest link; a long vector takes further round trips.
//
// Ranks need not be in a call for it to advance, and it costs no message overheads.
#pragma once

#include "mpi/collective/algorithms.h"

namespace psim::net::mpi {

Task hardware_barrier(Channel c);
Task hardware_bcast(Channel c, std::byte* data, std::uint64_t bytes, int root);
/// Combines in rank order for every operation.
Task hardware_reduce(Channel c, Reduction r, std::byte* out, std::uint64_t count, int root);
Task hardware_allreduce(Channel c, Reduction r, std::byte* data, std::uint64_t count);

}  // namespace psim::net::mpi
