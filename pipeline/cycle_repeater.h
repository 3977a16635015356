// SPDX-License-Identifier: Apache-2.0
// The interface of a core to a part that may advance it by cycles that it need not step.
#pragma once

#include <cstdint>

namespace psim::pipeline {

class CycleRepeater {
 public:
  virtual ~CycleRepeater() = default;
  /// The cycles that the core may step before it must return.
  struct Turn {
    std::uint64_t first, last;
    bool
        may_end_early;  ///< the core may return before `last`, once it has stepped a cycle, and goes on later
  };
  /// Called before each cycle that the core steps. May advance the core by any number of cycles of the turn.
  /// Returns false if the turn is to end in the core's present cycle.
  virtual bool before_cycle(const Turn& turn) = 0;
  /// Returns the number of instructions that were not simulated but repeated.
  virtual std::uint64_t repeated() const = 0;
};

}  // namespace psim::pipeline
