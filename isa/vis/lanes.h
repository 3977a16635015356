// SPDX-License-Identifier: Apache-2.0
// Registers as vectors of equal lanes. Lane 0 is the most significant, as the manual draws it.
#pragma once

#include <cstdint>
#include <type_traits>

namespace psim::isa::vis {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

/// Returns lane `i` of a register R (u32 or u64), as a Lane.
template <class Lane, class R>
constexpr Lane lane(R value, unsigned i) {
  return static_cast<Lane>(value >> (8 * (sizeof(R) - sizeof(Lane) * (i + 1))));
}
/// Returns `value` as lane `i` of an R whose other lanes are 0.
template <class Lane, class R>
constexpr R at(Lane value, unsigned i) {
  return static_cast<R>(static_cast<R>(static_cast<std::make_unsigned_t<Lane>>(value))
                        << (8 * (sizeof(R) - sizeof(Lane) * (i + 1))));
}
/// Computes f(lane of a, lane of b) in every lane.
template <class Lane, class R, class F>
constexpr R each(R a, R b, F f) {
  R result = 0;
  for (unsigned i = 0; i < sizeof(R) / sizeof(Lane); ++i)
    result |= at<Lane, R>(static_cast<Lane>(f(lane<Lane>(a, i), lane<Lane>(b, i))), i);
  return result;
}
template <class T>
constexpr T clamp(s64 value, s64 low, s64 high) {
  return static_cast<T>(value < low ? low : value > high ? high : value);
}

}  // namespace psim::isa::vis
