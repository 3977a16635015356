// SPDX-License-Identifier: Apache-2.0
// Error handlers as objects: counted by those that use them.
#pragma once

#include "mpi/include/mpi.h"

namespace psim::net::mpi {

MPI_Errhandler new_errhandler(MPI_Comm_errhandler_function* function);
/// Replaces the handler at `place`. Fails with MPI_ERR_ARG.
void set_errhandler(MPI_Errhandler& place, MPI_Errhandler handle);
/// A handle for the user to free.
MPI_Errhandler get_errhandler(MPI_Errhandler place);
void drop_errhandler(MPI_Errhandler handle);
/// The last error code that the running rank added, or MPI_ERR_LASTCODE.
int* last_used_code();

}  // namespace psim::net::mpi
