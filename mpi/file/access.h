// SPDX-License-Identifier: Apache-2.0
// Data transfers between a rank's memory and a file.
#pragma once

#include <cstdint>

#include "mpi/file/file.h"

namespace psim::net::mpi {

enum class Direction : std::uint8_t { Read, Write };

/// The data of a call: `count` elements of a type at `buffer`.
struct Moved {
  Direction direction;
  void* buffer;
  MPI_Count count;
  MPI_Datatype type;
};

/// Returns the bytes of `m` in the file. Fails if they are not whole etypes, or if the file is not open for
/// that direction.
std::uint64_t checked_bytes(const File& f, const Moved& m);
/// Transfers them at once, from byte `at` of the view's stream on. Returns the data, which are fewer at the
/// end of the file.
Transferred move(const File& f, const Moved& m, std::uint64_t at);
/// Returns the time of an access.
Picoseconds access_time(Transferred data);
/// Starts a request that completes after access_time(data) with their size in its status.
MPI_Request timed_request(Rank& me, const File& f, Transferred data);
void fill_status(MPI_Status* status, Transferred data);

}  // namespace psim::net::mpi
