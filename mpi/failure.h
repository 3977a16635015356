// SPDX-License-Identifier: Apache-2.0
// An error of the user's call on its way to the error handler of the communicator or window.
#pragma once

#include <utility>

#include "mpi/include/mpi.h"
#include "mpi/observe.h"

namespace psim::net::mpi {

struct Failure {
  int code;
  const char* note;  ///< what MPI_ERRORS_ARE_FATAL says of it, if more than the error class does; static
};

[[noreturn]] inline void fail(int code, const char* note = nullptr) { throw Failure{code, note}; }
/// The same with a note made of the argument that is wrong: printf's format.
[[noreturn, gnu::format(printf, 2, 3)]] void fail_about(int code, const char* format, ...);
inline void require(bool holds, int code, const char* note = nullptr) {
  if (!holds) [[unlikely]]
    throw Failure{code, note};
}

/// Calls the error handler in force for `comm` (MPI_COMM_NULL: that of MPI_COMM_WORLD); returns what the MPI
/// function shall return, if it returns.
int raise(const char* function, MPI_Comm comm, int code, const char* note = nullptr);
int raise_window(const char* function, MPI_Win window, int code, const char* note = nullptr);
/// A file that is not open: the handler of MPI_FILE_NULL, which returns unless the program changed it.
int raise_file(const char* function, MPI_File file, int code, const char* note = nullptr);

/// Runs `body`; what fails in it goes to the error handler of `comm`.
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

/// As guarded(), for calls too small to be told to who observes.
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
