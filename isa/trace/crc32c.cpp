// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>

namespace psim::isa::trace {

std::uint32_t crc32c(const void* bytes, std::size_t count, std::uint32_t seed) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // the library counts in int
  // The library takes a non-const pointer but does not write.
  auto* at = const_cast<unsigned char*>(static_cast<const unsigned char*>(bytes));
  std::uint32_t crc = ~seed;
  while (count != 0) {
    const std::size_t part = std::min(count, kMost);
    crc = ::crc32_iscsi(at, static_cast<int>(part), crc);
    at += part, count -= part;
  }
  return ~crc;
}

}  // namespace psim::isa::trace
