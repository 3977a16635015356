// SPDX-License-Identifier: Apache-2.0
// The guest's random numbers: a generator seeded by --seed, so that runs repeat. Not for secrets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace psim::isa {

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : state_(seed) {}
  /// Returns the next value of SplitMix64 (Steele, Lea, Flood 2014).
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }
  void fill(std::span<std::byte> bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (i % 8 == 0) word = next();
      bytes[i] = static_cast<std::byte>(word >> (i % 8 * 8));
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace psim::isa
