// SPDX-License-Identifier: Apache-2.0
// The packed form of data: the elements in the order of the type map, without holes.
#include <algorithm>
#include <cstring>

#include "mpi/datatype/datatype.h"

namespace psim::net::mpi {
namespace {

/// Calls copy(offset in the user's memory, offset in the packed range, bytes) for the runs of the packed
/// bytes from … from + bytes.
template <class Copy>
std::uint64_t each_run(const Datatype& type, std::uint64_t count, std::uint64_t from, std::uint64_t bytes,
                       Copy copy) {
  if (type.size == 0) return 0;
  const std::uint64_t end = std::min(from + bytes, count * type.size);
  if (from >= end) return 0;
  if (type.contiguous) {
    copy(static_cast<std::ptrdiff_t>(from), 0, end - from);
    return end - from;
  }
  std::uint64_t at = from / type.size * type.size;
  for (std::uint64_t element = from / type.size; at < end; ++element) {
    const auto base = static_cast<std::ptrdiff_t>(element) * type.extent();
    for (const Segment& s : type.segments) {
      const std::uint64_t run = s.run_bytes(), all = run * s.repeats;
      if (at + all <= from) {
        at += all;
        continue;
      }
      for (std::uint64_t i = 0; i < s.repeats && at < end; ++i, at += run) {
        if (at + run <= from) continue;
        const std::uint64_t skip = from > at ? from - at : 0;
        const std::uint64_t length = std::min(run, end - at) - skip;
        copy(base + s.offset + static_cast<std::ptrdiff_t>(i) * s.stride + static_cast<std::ptrdiff_t>(skip),
             at + skip - from, length);
      }
      if (at >= end) break;
    }
  }
  return end - from;
}

}  // namespace

std::uint64_t pack(const Datatype& type, std::uint64_t count, const std::byte* user, std::byte* packed,
                   std::uint64_t from, std::uint64_t bytes) {
  return each_run(type, count, from, bytes, [=](std::ptrdiff_t at, std::uint64_t to, std::uint64_t length) {
    std::memcpy(packed + to, user + at, length);
  });
}

std::uint64_t unpack(const Datatype& type, std::uint64_t count, std::byte* user, const std::byte* packed,
                     std::uint64_t from, std::uint64_t bytes) {
  return each_run(type, count, from, bytes, [=](std::ptrdiff_t at, std::uint64_t to, std::uint64_t length) {
    std::memcpy(user + at, packed + to, length);
  });
}

}  // namespace psim::net::mpi
