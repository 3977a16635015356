// SPDX-License-Identifier: Apache-2.0
// The CPI stack: every cycle is charged to exactly one part, so the parts sum to the cycles.
//
// A cycle with a commit is `base`. Any other cycle is charged to the event for which the oldest instruction
// waits or, if the commit stack is empty, to the cause that keeps fetch and decode from filling it. Cycles of
// a load that missed L1 are charged when its line arrives, because only then it is known whether L2 or memory
// supplied it. docs/decisions/0012 lists the rules.
#pragma once

#include <array>
#include <cstdint>

#include "pipeline/observer.h"

namespace psim::pipeline {

class CpiAccount {
 public:
  using Stack = std::array<std::uint64_t, kCpiParts>;

  void charge(CpiPart part, std::uint64_t cycles) { stack_[static_cast<std::size_t>(part)] += cycles; }
  /// Charges cycles of a missing load whose supplier is not known yet.
  void charge_miss(std::uint64_t cycles) { missing_ += cycles; }
  /// Charges these cycles to `part`, from which the line came.
  void settle(CpiPart part) {
    charge(part, missing_);
    missing_ = 0;
  }
  Stack& words() { return stack_; }
  /// Copies the cycles of a miss that is still open.
  template <class State>
  void timing_state(State& state) {
    state.value(missing_);
  }
  /// Returns the present stack. Cycles of a miss that is still open count as memory until the supplier is
  /// known. The call changes nothing, so that observers do not affect the run.
  Stack stack() const {
    Stack now = stack_;
    now[static_cast<std::size_t>(CpiPart::Memory)] += missing_;
    return now;
  }
  /// Returns the cycles charged between two stacks, which sum to the cycles between them. If L2 turns out to
  /// have supplied a miss that was open at `from`, its cycles before `from` are subtracted from L2, not from
  /// memory.
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
