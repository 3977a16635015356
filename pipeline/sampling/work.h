// SPDX-License-Identifier: Apache-2.0
// Counts of the work of instructions that may cost time. They are the same in cycles and in functional
// execution. The counts of the whole program correct the estimate of its cycles (predict/regression_sum.h).
#pragma once

#include <array>
#include <cstdint>

#include "isa/state/execution_warmer.h"

namespace psim::pipeline {

struct Work {
  std::uint64_t instructions = 0;
  std::uint64_t loads = 0, stores = 0;  ///< instructions, and those of spills and fills
  std::uint64_t branches = 0, taken = 0;
  std::uint64_t mispredicted = 0;  ///< by the branch history as it is when the branch retires
  std::uint64_t l1d_misses = 0, l2_misses = 0;
  std::uint64_t divisions = 0;        ///< and square roots, of integers and floating point
  std::uint64_t multiplications = 0;  ///< of integers
  std::uint64_t fp_operations = 0;

  static constexpr std::size_t kCounts = 10;
  /// The misses among counts().
  static constexpr std::array<std::size_t, 2> kMisses{5, 6};
  /// Adds counts as in isa::ExecutionWarmer::Counts::operations.
  void add_operations(isa::ExecutionWarmer::Counts::Packed packed) {
    using Counts = isa::ExecutionWarmer::Counts;
    divisions += Counts::field(packed, 0), multiplications += Counts::field(packed, 1);
    fp_operations += Counts::field(packed, 2);
  }
  /// Returns all but the instructions.
  std::array<double, kCounts> counts() const {
    std::array<double, kCounts> result;
    const auto numbers = all();
    for (std::size_t n = 0; n < kCounts; ++n) result[n] = static_cast<double>(numbers[n + 1]);
    return result;
  }
  /// Returns all, the instructions first; of() is the inverse.
  std::array<std::uint64_t, kCounts + 1> all() const {
    return {instructions, loads,     stores,    branches,        taken,        mispredicted,
            l1d_misses,   l2_misses, divisions, multiplications, fp_operations};
  }
  static Work of(const std::array<std::uint64_t, kCounts + 1>& n) {
    return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10]};
  }
  Work& operator+=(const Work& o) {
    return *this = combine(o, [](auto a, auto b) { return a + b; });
  }
  Work& operator-=(const Work& o) {
    return *this = combine(o, [](auto a, auto b) { return a - b; });
  }

 private:
  template <class Operation>
  Work combine(const Work& o, Operation operation) const {
    auto result = all();
    const auto others = o.all();
    for (std::size_t n = 0; n < result.size(); ++n) result[n] = operation(result[n], others[n]);
    return of(result);
  }
};

}  // namespace psim::pipeline
