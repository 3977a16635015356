// SPDX-License-Identifier: Apache-2.0
// The counts that the core's stages add to: statistics, the CPI stack and the activity for energy, but not
// those of the caches, which stretches advance themselves, and not sampled occupancies. They are numbered in
// the same order in all cores of one configuration.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/memo/stretch_table.h"

namespace psim::pipeline {

class Core;

class CoreCounts {
 public:
  explicit CoreCounts(Core& core) : core_(core) {}
  /// Remembers the present values.
  void note();
  /// Returns what was added since note().
  CountDeltas since() const;
  /// Adds the deltas `times` times.
  void add(const CountDeltas& deltas, std::uint64_t times);

 private:
  void find();

  Core& core_;
  std::vector<std::uint64_t*> words_;
  std::vector<std::uint64_t> noted_;
};

}  // namespace psim::pipeline
