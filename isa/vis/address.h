// SPDX-License-Identifier: Apache-2.0
// Edges of scan lines and blocked addresses of 3-D arrays (OSA2011 EDGE, ARRAY).
#pragma once

#include "isa/vis/lanes.h"

namespace psim::isa::vis {

/// Returns the lanes of the 8 bytes at `a` that belong to a line from `a` to `b` (both byte addresses): bit 0
/// is the lane at the highest address, or with Little at the lowest.
template <class Lane, bool Little>
constexpr u64 edge(u64 a, u64 b) {
  constexpr unsigned lanes = 8 / sizeof(Lane), all = (1u << lanes) - 1;
  const unsigned first = (a & 7) / sizeof(Lane), last = (b & 7) / sizeof(Lane);
  const unsigned from = Little ? all << first & all : all >> first;
  const unsigned to = Little ? all >> (lanes - 1 - last) : all << (lanes - 1 - last) & all;
  return ((a ^ b) & ~u64{7}) == 0 ? from & to : from;
}

/// Returns the address, in elements of 1 << Log2 bytes, of the point `a` in an array blocked at three levels.
/// Its X and Y sizes are 64 << n with n = b, 0–5; larger n count as 5.
template <unsigned Log2>
constexpr u64 array(u64 a, u64 b) {
  const unsigned n = b > 5 ? 5 : static_cast<unsigned>(b);
  const auto field = [a](unsigned low, unsigned width) { return a >> low & ((u64{1} << width) - 1); };
  // X integer from bit 11, Y from 33, Z from 55: two, two and one bits choose within a cache line, four each
  // within a page, n, n and four the page.
  const u64 line = field(11, 2) | field(33, 2) << 2 | field(55, 1) << 4;
  const u64 page = field(13, 4) | field(35, 4) << 4 | field(56, 4) << 8;
  const u64 upper = field(17, n) | field(39, n) << n | field(60, 4) << (2 * n);
  return (line | page << 5 | upper << 17) << Log2;
}

}  // namespace psim::isa::vis
