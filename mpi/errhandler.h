// SPDX-License-Identifier: Apache-2.0
// Error handlers as objects, counted by their users.
#pragma once

#include "mpi/include/mpi.h"

namespace psim::net::mpi {

MPI_Errhandler new_errhandler(MPI_Comm_errhandler_function* function);
/// Replaces the handler in `slot`. Fails with MPI_ERR_ARG.
void set_errhandler(MPI_Errhandler& slot, MPI_Errhandler handle);
/// Returns a handle that the user frees.
MPI_Errhandler get_errhandler(MPI_Errhandler slot);
void drop_errhandler(MPI_Errhandler handle);
/// Returns the last error code that the running rank added, or MPI_ERR_LASTCODE.
int* last_used_code();

}  // namespace psim::net::mpi
