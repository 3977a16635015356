// SPDX-License-Identifier: Apache-2.0
// The interface of a core to a part that may advance it by cycles that it need not step.
#pragma once

#include <cstdint>

namespace psim::pipeline {

class CycleRepeater {
 public:
  virtual ~CycleRepeater() = default;
  /// Called before each cycle that the core steps. May advance the core by any number of cycles.
  virtual void before_cycle() = 0;
  /// Returns the number of instructions that were not simulated but repeated.
  virtual std::uint64_t repeated() const = 0;
};

}  // namespace psim::pipeline
