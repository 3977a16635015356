// SPDX-License-Identifier: Apache-2.0
// The external32 representation of data (MPI-3.1 section 13.5.2): big-endian numbers of the sizes of
// table 13.2, without padding. docs/decisions/0071-external32.md describes the conversion of values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/datatype/datatype.h"

namespace psim::net::mpi {

/// Returns the bytes of one element of a type in external32.
std::uint64_t external32_size(const Datatype& type);

/// Writes `count` elements at `user` to `packed` in external32.
void pack_external32(const Datatype& type, std::uint64_t count, const std::byte* user, std::byte* packed);
/// Reads the numbers that are whole among `bytes` of external32 data into `count` elements at `user`. Returns
/// their size in memory.
std::uint64_t unpack_external32(const Datatype& type, std::uint64_t count, std::byte* user,
                                const std::byte* packed, std::uint64_t bytes);

}  // namespace psim::net::mpi
