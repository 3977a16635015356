// SPDX-License-Identifier: Apache-2.0
// Collectives in two levels: within each node, and among the first ranks of the nodes (leaders), as MPICH and
// Open MPI have them for nodes with several ranks. Each level takes the algorithm of the rules that follow.
#pragma once

#include "mpi/collective/algorithms.h"

namespace psim::net::mpi {

/// Returns the levels of the channel's communicator, or null if it has none: the channel is a level itself or
/// one of an intercommunicator, all ranks are on one node, or each is alone on its node.
const Levels* levels_of(const Channel& c);

Task two_level_barrier(Channel c);
Task two_level_bcast(Channel c, std::byte* data, std::uint64_t bytes, int root);
/// The operations of both must be commutative.
Task two_level_reduce(Channel c, Reduction r, std::byte* out, std::uint64_t count, int root);
Task two_level_allreduce(Channel c, Reduction r, std::byte* data, std::uint64_t count);
/// Needs Levels::even.
Task two_level_allgather(Channel c, std::byte* all, std::uint64_t bytes);

}  // namespace psim::net::mpi
