// SPDX-License-Identifier: Apache-2.0
// Reports mistakes of programs that do not affect a run here but are errors elsewhere: calls before MPI_Init,
// and objects that still exist when a rank calls MPI_Finalize.
#pragma once

#include "netsim/message/host.h"

namespace psim::net::mpi {

struct Rank;

/// Records the first MPI function that the rank calls before MPI_Init, if the standard forbids it there
/// (MPI-3.1 section 8.7).
void note_early_call(Rank& rank, const char* function);
/// Reports early calls of all ranks, and the objects that remained when ranks called MPI_Finalize.
void report_warnings(const Library::Warn& warn);

}  // namespace psim::net::mpi
