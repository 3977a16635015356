// SPDX-License-Identifier: Apache-2.0
// An error of a user's call, thrown until the error handler of its communicator or window is called.
#pragma once

#include <utility>

#include "mpi/include/mpi.h"
#include "mpi/observe.h"

namespace psim::net::mpi {

struct Failure {
  int code;
  const char* note;  ///< text that MPI_ERRORS_ARE_FATAL adds to the error class's, or null; static
};

[[noreturn]] inline void fail(int code, const char* note = nullptr) { throw Failure{code, note}; }
/// Fails with a note that names the wrong argument; printf's format.
[[noreturn, gnu::format(printf, 2, 3)]] void fail_about(int code, const char* format, ...);
inline void require(bool holds, int code, const char* note = nullptr) {
  if (!holds) [[unlikely]]
    throw Failure{code, note};
}

/// Calls the error handler of `comm`; MPI_COMM_NULL stands for MPI_COMM_WORLD. Returns the result of the MPI
/// function if the handler returns.
int raise(const char* function, MPI_Comm comm, int code, const char* note = nullptr);
int raise_window(const char* function, MPI_Win window, int code, const char* note = nullptr);
/// Calls the file's error handler. A file that is not open has that of MPI_FILE_NULL, which returns unless
/// the program changed it.
int raise_file(const char* function, MPI_File file, int code, const char* note = nullptr);

/// Runs `body` and passes its failure to the error handler of `comm`.
template <class Body>
int attempt(const char* function, MPI_Comm comm, Body&& body) {
  Failure caught{};
  try {
    body();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    caught = failure;
  }
  return raise(function, comm, caught.code, caught.note);
}

/// Runs `body` as guarded() does, for calls too small to be reported to an observer.
template <class Body>
int unobserved(const char* function, Body&& body) {
  return attempt(function, MPI_COMM_WORLD, std::forward<Body>(body));
}

template <class Body>
int guarded(const char* function, MPI_Comm comm, Body&& body) {
  const Call call(function);
  return attempt(function, comm, std::forward<Body>(body));
}

}  // namespace psim::net::mpi
