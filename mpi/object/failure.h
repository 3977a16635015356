// SPDX-License-Identifier: Apache-2.0
// An error of a user's call, thrown until the error handler of its communicator or window is called.
#pragma once

#include "mpi/include/mpi.h"

namespace psim::net::mpi {

struct Failure {
  int code;
  const char* note;  ///< text that MPI_ERRORS_ARE_FATAL adds to the error class's, or null; static
};

/// The note of an error that concerns the program's pointer rather than the communicator or window of the
/// call.
inline constexpr char kNullPointer[] = "a required pointer argument is null";

[[noreturn]] inline void fail(int code, const char* note = nullptr) { throw Failure{code, note}; }
/// Fails with a note that names the wrong argument; printf's format.
[[noreturn, gnu::format(printf, 2, 3)]] void fail_about(int code, const char* format, ...);
inline void require(bool holds, int code, const char* note = nullptr) {
  if (!holds) [[unlikely]]
    throw Failure{code, note};
}

}  // namespace psim::net::mpi
