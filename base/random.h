// SPDX-License-Identifier: Apache-2.0
// Counter-based random numbers: the n-th number of a stream is a function of (seed, stream, n). Neither the
// order of calls nor the distribution over host processes changes it.
#pragma once

#include <cstdint>

namespace psim::net {

/// Returns the finaliser of SplitMix64 (Steele, Lea, Flood 2014) of `x`: a bijection that mixes all bits.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// Returns 64 uniform bits: the `count`-th number of `stream`.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t count) {
  return mix(mix(mix(seed) ^ stream) ^ count);
}

}  // namespace psim::net
