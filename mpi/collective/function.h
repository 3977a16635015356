// SPDX-License-Identifier: Apache-2.0
// The MPI function of a collective. Each function counts its calls on a communicator separately. So a call
// that fails on one rank for its arguments, or comes in another order, never takes a message of another
// function.
#pragma once

#include <cstddef>
#include <cstdint>

namespace psim::net::mpi {

enum class Function : std::uint8_t {
  Library,  ///< the library's own: making communicators, windows and files; synchronising ranks
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
/// Bits of the call count in a collective's tag; the function is above them.
constexpr unsigned kCountBits = 16;
/// Names from the standard, of the blocking form.
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
