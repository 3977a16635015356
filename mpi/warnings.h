// SPDX-License-Identifier: Apache-2.0
// Mistakes of programs that change nothing in a run but are errors elsewhere: calls before MPI_Init, and
// objects that a rank still has when it calls MPI_Finalize.
#pragma once

#include "netsim/message/host.h"

namespace psim::net::mpi {

struct Rank;

/// Keeps the first function of MPI that the rank calls before MPI_Init, if the standard forbids it there
/// (MPI-3.1 section 8.7).
void note_early_call(Rank& rank, const char* function);
/// Reports early calls of all ranks, and what ranks that have called MPI_Finalize still had then.
void report_warnings(const Library::Warn& warn);

}  // namespace psim::net::mpi
