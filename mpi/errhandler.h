// SPDX-License-Identifier: Apache-2.0
// Error handlers as objects, counted by their users, and calls of them. error.cpp defines these functions.
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

/// Calls the error handler of `comm`, or of MPI_COMM_SELF if there is no such communicator: errors that
/// concern no object are raised with MPI_COMM_NULL. Returns the result of the MPI function if the handler
/// returns.
int raise(const char* function, MPI_Comm comm, int code, const char* note = nullptr);
int raise_window(const char* function, MPI_Win window, int code, const char* note = nullptr);
/// Calls the error handler of a session.
int raise_session(const char* function, MPI_Session session, MPI_Errhandler errhandler, int code,
                  const char* note = nullptr);
/// Calls the file's error handler. A file that is not open has that of MPI_FILE_NULL, which returns unless
/// the program changed it.
int raise_file(const char* function, MPI_File file, int code, const char* note = nullptr);

}  // namespace psim::net::mpi
