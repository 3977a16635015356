// SPDX-License-Identifier: Apache-2.0
// Places the units of a systematic sample: one at a random place of each period. The random place keeps units
// from falling into step with a loop of the program.
//
// The period is fixed, or follows a requested error: it is the part of the program so far by which units that
// vary as the recent ones would give the requested interval. The weight of a unit is the number of
// instructions of its period.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace psim::predict {

class SamplePlan {
 public:
  struct Config {
    std::uint64_t from = 0;        ///< instructions measured completely, before the first period
    std::uint64_t window = 2'000;  ///< instructions of a unit and its warm-up
    std::uint64_t period = 0;      ///< instructions; 0: by `error`
    double error = 0.02;           ///< requested half of the 95 % interval's width, relative
    std::uint64_t seed = 1;
  };
  static constexpr std::uint64_t kShortest = 6'000, kLongest = 1'000'000;  ///< periods without a fixed one
  /// No period is longer than this share of the program so far: a program may begin with long equal loops.
  static constexpr std::uint64_t kShare = 20;
  /// The share before kFewestUnits, which show how much units differ.
  static constexpr std::uint64_t kFirstShare = 32;
  /// While units do not need more, periods have at least this number of times the square root of the
  /// instructions so far: a program that goes on makes its first units count for little.
  static constexpr double kRoot = 60;
  /// The fewest units before the period depends on them, and between two changes.
  static constexpr std::uint64_t kFewestUnits = 30, kUnitsBetween = 8;

  explicit SamplePlan(const Config& config);

  /// Returns the instruction at which the window of the next period begins; not before `now`.
  std::uint64_t next(std::uint64_t now);
  /// Returns the period of the last window.
  std::uint64_t period() const { return period_; }
  /// Returns true if the next measured() uses its argument.
  bool needs_variance() const {
    return config_.period == 0 && units_ + 1 >= kFewestUnits && units_ + 1 - changed_ >= kUnitsBetween;
  }
  /// Records a unit. `variance`: of the cost of recent units, relative to the square of the mean of all.
  void measured(double variance);

 private:
  std::uint64_t random();
  std::uint64_t shortest() const { return std::max(kShortest, 3 * config_.window); }
  /// Returns the period that is the `share`th part of the program so far, or `least` if that is more.
  std::uint64_t period_of(double share, double least = 0) const;
  double root() const { return kRoot * std::sqrt(static_cast<double>(begin_)); }

  const Config config_;
  std::uint64_t state_;
  std::uint64_t begin_;           // of the next period
  std::uint64_t period_, later_;  // of the last window, of the next one
  std::uint64_t units_ = 0, changed_ = 0;
};

}  // namespace psim::predict
