// SPDX-License-Identifier: Apache-2.0
// The bytes of a trace file around its payloads. All numbers are little-endian.
//
//   head      16  "PSIMTRC\n", version, 0
//   sections      40 bytes of header, then `stored` bytes: a zstd frame
//   trailer   24  offset of the index section, "PSIMEND\n", CRC-32C of these 16, 0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace psim::isa::trace {

inline constexpr char kMagic[] = "PSIMTRC\n", kEndMagic[] = "PSIMEND\n";
inline constexpr std::size_t kHeadBytes = 16, kSectionBytes = 40, kTrailerBytes = 24;

namespace section {
inline constexpr std::uint32_t kProperties = 1, kText = 2, kIndex = 4;
inline constexpr std::uint32_t kFrame = 5, kFrameOfVersion2 = 3;
}  // namespace section

/// No writer makes a payload larger than this before compression; a reader rejects larger ones.
inline constexpr std::uint32_t kMostPayload = 1u << 28;

/// Little-endian numbers of a fixed record.
template <std::size_t Size>
class Fixed {
 public:
  template <class T>
  void put(std::size_t offset, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes[offset + i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
  }
  template <class T>
  T get(std::size_t offset) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) value |= std::uint64_t{bytes[offset + i]} << (8 * i);
    return static_cast<T>(value);
  }
  std::array<std::uint8_t, Size> bytes{};
};

}  // namespace psim::isa::trace
