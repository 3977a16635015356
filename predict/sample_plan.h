// SPDX-License-Identifier: Apache-2.0
// Places the units of a systematic sample: one at a random place of each period. The random place keeps units
// from falling into step with a loop of the program.
//
// The period is fixed, or follows a requested error: it is the part of the program so far by which units that
// vary as the recent ones would give the requested interval. The weight of a unit is the number of
// instructions of its period.
//
// A program may consist of strata, such as kinds of work. Without a fixed period each has periods of its own,
// which count its instructions alone and go on where it was left. None is longer than a share of the
// stratum so far, so that a short one has units, too (Cochran, Sampling Techniques, 3rd ed., chapter 5).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

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
  /// The same share of a stratum.
  static constexpr std::uint64_t kStratumShare = 4;
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
  /// The program goes on in this stratum, at the instruction `now`; the next window of the last stratum is at
  /// `at`. Returns where the next window is now.
  std::uint64_t enter(std::size_t stratum, std::uint64_t now, std::uint64_t at);
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

  /// The state of a stratum when the program left it.
  struct Stratum {
    std::uint64_t instructions = 0;
    std::uint64_t to_next_period = 0, to_window = 0;
    std::uint64_t period = 0;  ///< of the next window; 0: it has none yet
  };

  const Config config_;
  std::uint64_t state_;
  std::vector<Stratum> strata_;
  std::size_t stratum_ = 0;
  std::uint64_t entered_;         // the instruction at which stratum_ began again
  std::uint64_t begin_;           // of the next period
  std::uint64_t period_, later_;  // of the last window, of the next one
  std::uint64_t units_ = 0, changed_ = 0;
};

}  // namespace psim::predict
