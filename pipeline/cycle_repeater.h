// SPDX-License-Identifier: Apache-2.0
// The interface of a core to a part that may advance it by cycles that it need not step.
#pragma once

#include <cstdint>

namespace psim::pipeline {

class CycleRepeater {
 public:
  virtual ~CycleRepeater() = default;
  /// Called before each cycle that the core steps. May advance the core by any number of cycles, but repeats
  /// none after `last`. Returns false if it could repeat cycles from the core's present one on, but not all
  /// of them end by `last`.
  virtual bool before_cycle(std::uint64_t last) = 0;
  /// Returns the number of instructions that were not simulated but repeated.
  virtual std::uint64_t repeated() const = 0;
};

}  // namespace psim::pipeline
