// SPDX-License-Identifier: Apache-2.0
// Which function of MPI a collective is. Each counts its calls on a communicator by itself: a call that fails
// on one rank for its arguments, or comes in another order, never takes what another function's call was
// sent.
#pragma once

#include <cstddef>
#include <cstdint>

namespace psim::net::mpi {

enum class Function : std::uint8_t {
  Library,  ///< the library's own: communicators, windows and files are made, ranks meet
  Barrier,
  Bcast,
  Gather,
  Gatherv,
  Scatter,
  Scatterv,
  Allgather,
  Allgatherv,
  Alltoall,
  Alltoallv,
  Alltoallw,
  Reduce,
  Allreduce,
  ReduceScatter,
  ReduceScatterBlock,
  Scan,
  Exscan,
  Neighbour
};
constexpr std::size_t kFunctions = static_cast<std::size_t>(Function::Neighbour) + 1;

}  // namespace psim::net::mpi
