// SPDX-License-Identifier: Apache-2.0
// The kinds of work of a program, by which a sample is stratified: parts of it whose counts per instruction,
// such as those of loads, divisions and mispredicted branches, are alike. They are found while the program
// runs (phase tracking: Sherwood, Sair and Calder, ISCA 2003, who compare executed blocks).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace psim::predict {

class WorkKinds {
 public:
  static constexpr std::size_t kCounts = 10;
  /// Per instruction: loads, stores, branches, taken ones, mispredicted ones, misses of L1 and of L2,
  /// divisions, multiplications, floating-point operations.
  using Counts = std::array<double, kCounts>;
  /// Two parts are alike if their counts differ by at most kFar cycles per instruction, at kCycles for each.
  /// These are rough, and decide on nothing else.
  static constexpr double kFar = 0.3;
  static constexpr Counts kCycles{0.5, 0.5, 1, 1, 10, 5, 50, 15, 3, 1};
  /// With this number of kinds, further parts are of the nearest one.
  static constexpr std::size_t kMost = 64;

  /// Returns the kind of a part of the program, from 0: that whose first part is nearest, or a new one.
  std::size_t kind_of(const Counts& part);

 private:
  std::vector<Counts> kinds_;  // the first part of each
};

}  // namespace psim::predict
