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
/// A collective's tag is its function above a count of so many bits.
constexpr unsigned kCountBits = 16;
/// As the standard names them, blocking or not.
constexpr const char* kFunctionNames[kFunctions] = {
    "a function that makes or frees communicators, windows or files",
    "MPI_Barrier",
    "MPI_Bcast",
    "MPI_Gather",
    "MPI_Gatherv",
    "MPI_Scatter",
    "MPI_Scatterv",
    "MPI_Allgather",
    "MPI_Allgatherv",
    "MPI_Alltoall",
    "MPI_Alltoallv",
    "MPI_Alltoallw",
    "MPI_Reduce",
    "MPI_Allreduce",
    "MPI_Reduce_scatter",
    "MPI_Reduce_scatter_block",
    "MPI_Scan",
    "MPI_Exscan",
    "a collective of neighbours",
};

}  // namespace psim::net::mpi
