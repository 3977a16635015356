// SPDX-License-Identifier: Apache-2.0
// The 8 × 16-bit multiplies (OSA2011 FMUL8x16 … FMULD8ulx16).
#pragma once

#include "isa/vis/lanes.h"

namespace psim::isa::vis {

/// Returns the upper bits of a product, without its low `drop`, rounded to nearest, halves upwards.
constexpr s16 rounded(s32 product, unsigned drop) {
  return static_cast<s16>((product + (1 << (drop - 1))) >> drop);
}

/// Multiplies four unsigned bytes by four signed halfwords.
constexpr u64 fmul8x16(u32 a, u64 b) {
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i) result |= at<s16, u64>(rounded(lane<u8>(a, i) * lane<s16>(b, i), 8), i);
  return result;
}
/// Multiplies four unsigned bytes by one signed halfword: the upper (au) or the lower (al) of `b`.
template <unsigned Half>
constexpr u64 fmul8x16a(u32 a, u32 b) {
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i) result |= at<s16, u64>(rounded(lane<u8>(a, i) * lane<s16>(b, Half), 8), i);
  return result;
}
/// Multiplies the signed upper bytes of four halfwords by signed halfwords.
constexpr u64 fmul8sux16(u64 a, u64 b) {
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= at<s16, u64>(rounded(lane<s8>(a, 2 * i) * lane<s16>(b, i), 8), i);
  return result;
}
/// Multiplies the unsigned lower bytes of four halfwords by signed halfwords, shifted down by a byte.
constexpr u64 fmul8ulx16(u64 a, u64 b) {
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= at<s16, u64>(rounded(lane<u8>(a, 2 * i + 1) * lane<s16>(b, i), 16), i);
  return result;
}
/// Do the same two for two halfwords, as whole 32-bit products: sux16 is shifted up by a byte.
constexpr u64 fmuld8sux16(u32 a, u32 b) {
  u64 result = 0;
  for (unsigned i = 0; i < 2; ++i) result |= at<s32, u64>(lane<s8>(a, 2 * i) * lane<s16>(b, i) * 256, i);
  return result;
}
constexpr u64 fmuld8ulx16(u32 a, u32 b) {
  u64 result = 0;
  for (unsigned i = 0; i < 2; ++i) result |= at<s32, u64>(lane<u8>(a, 2 * i + 1) * lane<s16>(b, i), i);
  return result;
}

}  // namespace psim::isa::vis
