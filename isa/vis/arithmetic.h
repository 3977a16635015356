// SPDX-License-Identifier: Apache-2.0
// Partitioned adds, shifts, means, sums, distances and compares (OSA2011 FPADD, FPADDS, FSHIFT, FMEAN16,
// FCHKSM16, PDIST, FPCMP, FPCMPU), and carry-less and integer multiply-adds.
#pragma once

#include <limits>

#include "isa/vis/lanes.h"

namespace psim::isa::vis {

template <class Lane, class R>
constexpr R fpadd(R a, R b) {
  return each<Lane>(a, b, [](Lane x, Lane y) { return x + y; });
}
template <class Lane, class R>
constexpr R fpsub(R a, R b) {
  return each<Lane>(a, b, [](Lane x, Lane y) { return x - y; });
}
/// Adds signed lanes, saturating.
template <class Lane, class R>
constexpr R fpadds(R a, R b) {
  using L = std::numeric_limits<Lane>;
  return each<Lane>(a, b, [](s64 x, s64 y) { return clamp<Lane>(x + y, L::min(), L::max()); });
}
template <class Lane, class R>
constexpr R fpsubs(R a, R b) {
  using L = std::numeric_limits<Lane>;
  return each<Lane>(a, b, [](s64 x, s64 y) { return clamp<Lane>(x - y, L::min(), L::max()); });
}

// Shifts each lane of `a` by the low 4 (16-bit lanes) or 5 bits of the lane of `b`.
template <class Lane>
constexpr u64 shift_left(u64 a, u64 b) {
  return each<Lane>(a, b, [](Lane x, Lane y) { return u64{x} << (y % (8 * sizeof(Lane))); });
}
template <class Lane>
constexpr u64 shift_right(u64 a, u64 b) {  // logical or arithmetic, by the signedness of Lane
  return each<Lane>(a, b, [](Lane x, Lane y) {
    return s64{x} >> (static_cast<std::make_unsigned_t<Lane>>(y) % (8 * sizeof(Lane)));
  });
}
/// Shifts left arithmetically, saturating.
template <class Lane>
constexpr u64 shift_left_saturating(u64 a, u64 b) {
  using L = std::numeric_limits<Lane>;
  return each<Lane>(a, b, [](Lane x, Lane y) {
    const auto count = static_cast<std::make_unsigned_t<Lane>>(y) % (8 * sizeof(Lane));
    return clamp<Lane>(s64{x} * (s64{1} << count), L::min(), L::max());
  });
}

/// Returns the mean of signed lanes, halves upwards.
constexpr u64 fmean16(u64 a, u64 b) {
  return each<s16>(a, b, [](s32 x, s32 y) { return (x + y + 1) >> 1; });
}
/// Adds in one's complement: the carry is added again.
constexpr u64 fchksm16(u64 a, u64 b) {
  return each<u16>(a, b, [](u32 x, u32 y) { return (x + y) + ((x + y) >> 16); });
}
/// Returns the sum of the absolute differences of eight bytes.
constexpr u64 pdistn(u64 a, u64 b) {
  u64 sum = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const int difference = int{lane<u8>(a, i)} - int{lane<u8>(b, i)};
    sum += static_cast<u64>(difference < 0 ? -difference : difference);
  }
  return sum;
}
constexpr u64 pdist(u64 a, u64 b, u64 old) { return old + pdistn(a, b); }

// Compares lanes: bit 0 of the result is that of the least significant lane.
template <class Lane, class F>
constexpr u64 compare(u64 a, u64 b, F holds) {
  u64 result = 0;
  for (unsigned i = 0; i < 8 / sizeof(Lane); ++i)
    result = result << 1 | (holds(lane<Lane>(a, i), lane<Lane>(b, i)) ? 1 : 0);
  return result;
}
template <class Lane>
constexpr u64 fpcmpgt(u64 a, u64 b) {
  return compare<Lane>(a, b, [](Lane x, Lane y) { return x > y; });
}
template <class Lane>
constexpr u64 fpcmple(u64 a, u64 b) {
  return compare<Lane>(a, b, [](Lane x, Lane y) { return x <= y; });
}
template <class Lane>
constexpr u64 fpcmpeq(u64 a, u64 b) {
  return compare<Lane>(a, b, [](Lane x, Lane y) { return x == y; });
}
template <class Lane>
constexpr u64 fpcmpne(u64 a, u64 b) {
  return compare<Lane>(a, b, [](Lane x, Lane y) { return x != y; });
}

/// Return the product over GF(2), 128 bits: the low and the high half.
constexpr u64 xmulx(u64 a, u64 b) {
  u64 result = 0;
  for (unsigned i = 0; i < 64; ++i)
    if (b >> i & 1) result ^= a << i;
  return result;
}
constexpr u64 xmulxhi(u64 a, u64 b) {
  u64 result = 0;
  for (unsigned i = 1; i < 64; ++i)
    if (b >> i & 1) result ^= a >> (64 - i);
  return result;
}

/// Return the low and high half of the unsigned a × b + c.
constexpr u64 fpmaddx(u64 a, u64 b, u64 c) { return a * b + c; }
constexpr u64 fpmaddxhi(u64 a, u64 b, u64 c) {
  __extension__ using u128 = unsigned __int128;
  return static_cast<u64>((u128{a} * b + c) >> 64);
}

}  // namespace psim::isa::vis
