// SPDX-License-Identifier: Apache-2.0
// Packing, expanding, merging, aligning and shuffling of bytes (OSA2011 FPACK, FEXPAND, FPMERGE, FALIGNDATA,
// BSHUFFLE, BMASK, CMASK). GSR: mask in bits 63–32, scale in 7–3, align in 2–0.
#pragma once

#include "isa/vis/lanes.h"

namespace psim::isa::vis {

/// Packs four signed halfwords, shifted left by GSR.scale (4 bits), bits 7 and up clamped to unsigned bytes.
constexpr u32 fpack16(u64 b, u64 gsr) {
  u32 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= at<u8, u32>(clamp<u8>((s64{lane<s16>(b, i)} << (gsr >> 3 & 15)) >> 7, 0, 255), i);
  return result;
}
/// Moves the words of `a` up a byte; below come the words of `b`, shifted left by GSR.scale, bits 23 and up
/// clamped.
constexpr u64 fpack32(u64 a, u64 b, u64 gsr) {
  u64 result = 0;
  for (unsigned i = 0; i < 2; ++i) {
    const u8 byte = clamp<u8>((s64{lane<s32>(b, i)} << (gsr >> 3 & 31)) >> 23, 0, 255);
    result |= at<u32, u64>(lane<u32>(a, i) << 8 | byte, i);
  }
  return result;
}
/// Packs two signed words, shifted left by GSR.scale, bits 16 and up clamped to signed halfwords.
constexpr u32 fpackfix(u64 b, u64 gsr) {
  u32 result = 0;
  for (unsigned i = 0; i < 2; ++i)
    result |= at<s16, u32>(clamp<s16>((s64{lane<s32>(b, i)} << (gsr >> 3 & 31)) >> 16, -32768, 32767), i);
  return result;
}
/// Expands four bytes to halfwords of 16ths.
constexpr u64 fexpand(u32 b) {
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i) result |= at<u16, u64>(static_cast<u16>(lane<u8>(b, i) << 4), i);
  return result;
}
/// Merges the bytes of `a` and `b` in turn.
constexpr u64 fpmerge(u32 a, u32 b) {
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= at<u8, u64>(lane<u8>(a, i), 2 * i) | at<u8, u64>(lane<u8>(b, i), 2 * i + 1);
  return result;
}
/// Returns eight bytes of a:b, from byte GSR.align on.
constexpr u64 faligndata(u64 a, u64 b, u64 gsr) {
  const unsigned shift = 8 * (gsr & 7);
  return shift == 0 ? a : a << shift | b >> (64 - shift);
}
/// Returns eight bytes of a:b, each chosen by four bits of GSR.mask.
constexpr u64 bshuffle(u64 a, u64 b, u64 gsr) {
  u64 result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned chosen = gsr >> (60 - 4 * i) & 15;
    result |= at<u8, u64>(lane<u8>(chosen < 8 ? a : b, chosen & 7), i);
  }
  return result;
}
/// Returns a GSR.mask that selects, lane by lane, from the first source where the bit of `b` is set,
/// otherwise the second. Bit 0 of `b` goes with the least significant lane.
template <class Lane>
constexpr u64 cmask(u64 b, u64 gsr) {
  u64 mask = 0;
  for (unsigned byte = 0; byte < 8; ++byte) {
    const unsigned bit = 8 / sizeof(Lane) - 1 - byte / sizeof(Lane);
    mask = mask << 4 | byte | (b >> bit & 1 ? 0 : 8);
  }
  return mask << 32 | (gsr & 0xffffffff);
}

}  // namespace psim::isa::vis
