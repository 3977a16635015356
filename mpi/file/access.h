// SPDX-License-Identifier: Apache-2.0
// Moving data between a rank's memory and a file.
#pragma once

#include <cstdint>

#include "mpi/file/file.h"

namespace psim::net::mpi {

enum class Way : std::uint8_t { Read, Write };

/// What a call moves: `count` elements of a type at `buffer`.
struct Moved {
  Way way;
  void* buffer;
  int count;
  MPI_Datatype type;
};

/// Bytes that `m` asks for, which are whole etypes; fails if they are not, or if the file is not open that
/// way.
std::uint64_t checked_bytes(const File& f, const Moved& m);
/// Moves them at once, from byte `at` of the view's stream on. Returns the bytes: fewer at the end of the
/// file.
std::uint64_t move(const File& f, const Moved& m, std::uint64_t at);
/// How long `bytes` take.
Picoseconds access_time(std::uint64_t bytes);
/// A request that is over after access_time(bytes), whose status tells `bytes`.
MPI_Request timed_request(Rank& me, const File& f, std::uint64_t bytes);
void fill_status(MPI_Status* status, std::uint64_t bytes);

}  // namespace psim::net::mpi
