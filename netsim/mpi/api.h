// SPDX-License-Identifier: Apache-2.0
// How the functions of MPI are defined: PMPI_ is the real one, MPI_ and MGEN_ are weak names of it, so that
// programs and tools can put their own before it. The prototypes are in include/mpi_functions.h.
#pragma once

#include "netsim/mpi/failure.h"
#include "netsim/mpi/include/mpi.h"
#include "netsim/mpi/library.h"

#define PSIM_MPI(result, name, arguments)                                              \
  extern "C" __attribute__((weak, alias("PMPI_" #name))) result MPI_##name arguments;  \
  extern "C" __attribute__((weak, alias("PMPI_" #name))) result MGEN_##name arguments; \
  extern "C" result PMPI_##name arguments

namespace psim::net::mpi {

/// A rank or MPI_PROC_NULL.
inline void check_destination(const Communicator& comm, int rank) {
  require(rank == MPI_PROC_NULL || (rank >= 0 && rank < static_cast<int>(comm.peers().size())), MPI_ERR_RANK);
}
inline void check_source(const Communicator& comm, int rank) {
  if (rank != MPI_ANY_SOURCE) check_destination(comm, rank);
}
/// What a result is put into: null fails with MPI_ERR_ARG.
template <class T>
T& out(T* result) {
  require(result != nullptr, MPI_ERR_ARG);
  return *result;
}
inline void check_count(int count) { require(count >= 0, MPI_ERR_COUNT); }
inline void check_send_tag(int tag) { require(tag >= 0, MPI_ERR_TAG); }
inline void check_recv_tag(int tag) { require(tag >= 0 || tag == MPI_ANY_TAG, MPI_ERR_TAG); }

}  // namespace psim::net::mpi
