// SPDX-License-Identifier: Apache-2.0
// What the parts of a random program share: chance, and the registers with a duty.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

#include "tests/differential/generator.h"

namespace psim::differential {

// Registers with a duty: base of the chunk's record, pointer for addresses that must be one register, loop
// counter.
inline constexpr unsigned kBase = 1, kPointer = 3, kCounter = 4, kStack = 14, kFrame = 30;
inline constexpr std::uint64_t kStackBytes = 65536;
inline constexpr int kScratch = 2 * 8 * kStateWords;  // offset of the scratch area in a record
constexpr bool has_duty(unsigned r) {
  return r == kBase || r == kPointer || r == kCounter || r == kStack || r == kFrame;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t bits() { return engine_(); }
  unsigned below(unsigned n) { return static_cast<unsigned>(engine_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<unsigned>(values.size()))];
  }

  /// A register value that is likely to matter: small, extreme, or a notable floating-point number.
  std::uint64_t value() {
    switch (below(8)) {
      case 0:
        return bits();
      case 1:
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int8_t>(bits())));
      case 2:
        return one_of<std::uint64_t>(
            {0, 1, ~0ull, 1ull << 63, (1ull << 63) - 1, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF});
      case 3:
        return bits() >> below(64);
      case 4:  // doubles: zero, one, subnormal, infinity, extremes
        return one_of<std::uint64_t>({0, 0x3FF0000000000000, 1, 0x000FFFFFFFFFFFFF, 0x7FF0000000000000,
                                      0x7FEFFFFFFFFFFFFF, 0x0010000000000000}) |
               (bits() & 1) << 63;
      case 5:
        return std::uint64_t{single()} << 32 | single();
      case 6:
        return (0x3FF + below(64) - 32ull) << 52 | (bits() >> 12) | (bits() & 1) << 63;  // doubles near one
      default:
        return std::uint64_t{(127 + below(32) - 16u) << 23 | (static_cast<unsigned>(bits()) & 0x7FFFFF)}
                   << 32 |
               ((127 + below(32) - 16u) << 23 | (static_cast<unsigned>(bits()) & 0x7FFFFF));
    }
  }

 private:
  std::uint32_t single() {
    return one_of<std::uint32_t>({0, 0x3F800000, 1, 0x007FFFFF, 0x7F800000, 0x7F7FFFFF, 0x00800000}) |
           static_cast<std::uint32_t>(bits() & 1) << 31;
  }
  std::mt19937_64 engine_;
};

}  // namespace psim::differential
