// SPDX-License-Identifier: Apache-2.0
// The CPI stack: every cycle is charged to exactly one part, so the parts sum to the cycles.
//
// A cycle in which something commits is `base`. Any other is charged to what the oldest instruction waits
// for, or, if the commit stack is empty, to what keeps fetch and decode from filling it. Cycles of a load
// that missed L1 are charged when its line comes and tells whether L2 or memory supplied it.
// docs/decisions/0012 lists the rules.
#pragma once

#include <array>
#include <cstdint>

#include "pipeline/observer.h"

namespace psim::pipeline {

class CpiAccount {
 public:
  using Stack = std::array<std::uint64_t, kCpiParts>;

  void charge(CpiPart part, std::uint64_t cycles) { stack_[static_cast<std::size_t>(part)] += cycles; }
  /// Cycles of a missing load whose supplier is not known yet.
  void charge_miss(std::uint64_t cycles) { missing_ += cycles; }
  /// It is known: the line came from `part`.
  void settle(CpiPart part) {
    charge(part, missing_);
    missing_ = 0;
  }
  /// The stack now. Cycles of a miss that is still open count as memory until it is known; asking changes
  /// nothing, so that a run is the same whoever looks at it.
  Stack stack() const {
    Stack now = stack_;
    now[static_cast<std::size_t>(CpiPart::Memory)] += missing_;
    return now;
  }
  /// What was charged between two looks; sums to the cycles between them. Where a miss that was open at
  /// `from` turned out to be L2's, its cycles before `from` are taken back from L2, not from memory.
  static Stack between(const Stack& from, const Stack& to) {
    Stack difference{};
    for (std::size_t part = 0; part < kCpiParts; ++part) difference[part] = to[part] - from[part];
    constexpr std::size_t kL2 = static_cast<std::size_t>(CpiPart::L2);
    constexpr std::size_t kMemory = static_cast<std::size_t>(CpiPart::Memory);
    if (to[kMemory] < from[kMemory]) {
      difference[kL2] += difference[kMemory];  // modulo 2^64: a subtraction
      difference[kMemory] = 0;
    }
    return difference;
  }

 private:
  Stack stack_{};
  std::uint64_t missing_ = 0;
};

}  // namespace psim::pipeline
