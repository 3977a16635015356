// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/crc32c.h"

#include <array>

namespace psim::isa::trace {

namespace {
// kTable[k][b]: the CRC of byte b followed by k zero bytes, so that eight bytes go in one step.
constexpr auto kTable = [] {
  std::array<std::array<std::uint32_t, 256>, 8> table{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
    table[0][b] = crc;
  }
  for (std::uint32_t b = 0; b < 256; ++b)
    for (std::size_t k = 1; k < 8; ++k) table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 0xff];
  return table;
}();
}  // namespace

std::uint32_t crc32c(const void* bytes, std::size_t count, std::uint32_t seed) {
  const auto* at = static_cast<const std::uint8_t*>(bytes);
  std::uint32_t crc = ~seed;
  for (; count >= 8; count -= 8, at += 8) {
    const std::uint32_t low =
        crc ^ (at[0] | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 | std::uint32_t{at[3]} << 24);
    crc = kTable[7][low & 0xff] ^ kTable[6][low >> 8 & 0xff] ^ kTable[5][low >> 16 & 0xff] ^
          kTable[4][low >> 24] ^ kTable[3][at[4]] ^ kTable[2][at[5]] ^ kTable[1][at[6]] ^ kTable[0][at[7]];
  }
  for (; count != 0; --count) crc = crc >> 8 ^ kTable[0][(crc ^ *at++) & 0xff];
  return ~crc;
}

}  // namespace psim::isa::trace
