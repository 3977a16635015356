// SPDX-License-Identifier: Apache-2.0
// Estimates a total from units of a sample, each of which stands for a number of instructions.
//
// A unit has x instructions, of the program or of one region, and a cost y: cycles or joules. The estimate of
// the cost per instruction is the ratio of the weighted sums of y and x; the total is the ratio times the
// instructions, whose number is known exactly.
//
// One unit lies in each period, so differences between the phases of a program contribute nothing to the
// error of the estimate. The variance of the ratio is therefore that of the differences between successive
// residuals y - ratio × x (K. M. Wolter, Introduction to Variance Estimation, 2nd ed., 8.2). The interval
// takes the quantile of Student's distribution, and is widened by kBias for errors that no number of units
// removes: states that functional warming does not reproduce.
#pragma once

#include <cstdint>

namespace psim::predict {

struct SampledTotal {
  double value = 0;
  double low = 0, high = 0;  ///< interval of 95 %
  double bias = 0;           ///< part of half of the interval's width that is the allowance for bias
  /// Half of the interval's width, relative to the value; 0 for a value of 0.
  double relative_error() const { return value == 0 ? 0 : (high - low) / 2 / value; }
};

/// Part of the estimated cost by which an interval is widened on each side (docs/sampling.md has
/// measurements).
inline constexpr double kBias = 0.005;

/// A cost per instruction with its standard error; infinite if it is not known.
struct CostEstimate {
  double cost = 0, error = 0;
  double freedom = 1;  ///< degrees of freedom of the error
  /// Costs by which `cost` may be too high and too low for other causes: the interval is longer by them below
  /// and above.
  double less = 0, more = 0;
  /// Returns `exact`, the cost of a part that was measured completely, plus the estimated cost of
  /// `instructions` more. The interval is infinite with an infinite error, unless `instructions` is 0. No
  /// bound is below `exact`.
  SampledTotal total(double exact, double instructions) const;
};

class RatioSum {
 public:
  /// Adds unit `number` of the sample, which stands for `weight` instructions of the program. Numbers ascend;
  /// those left out are units without an instruction of the region.
  void add(std::uint64_t number, double weight, double x, double y);
  std::uint64_t units() const { return units_; }
  /// Returns the cost per instruction; 0 without instructions.
  double ratio() const { return x_ == 0 ? 0 : y_ / x_; }
  /// Returns the number of units of equal weight that would have the variance of these.
  double effective_units() const { return units_ == 0 ? 0 : weights_ * weights_ / weights_squared_; }
  /// Returns the variance of the cost per instruction of the last units, some kRecent, relative to the square
  /// of ratio().
  double unit_variance() const;
  static constexpr std::uint64_t kRecent = 64;
  /// Returns the standard error of the ratio; infinite with fewer than two units.
  double standard_error() const;
  /// Returns the value of total() without its interval, which takes some microseconds.
  double value(double exact, double instructions) const {
    return instructions <= 0 ? exact : exact + ratio() * instructions;
  }
  /// The error is infinite with fewer than two units.
  CostEstimate estimate() const;
  SampledTotal total(double exact, double instructions) const {
    return estimate().total(exact, instructions);
  }

 private:
  void add_difference(double x, double y);

  std::uint64_t units_ = 0, number_ = 0;
  double weights_ = 0, weights_squared_ = 0;
  double x_ = 0, y_ = 0;             // weighted sums
  double last_x_ = 0, last_y_ = 0;   // weighted, of unit number_
  double xx_ = 0, xy_ = 0, yy_ = 0;  // sums of products of successive differences
  double last_cost_ = 0;             // per instruction, of unit number_
  double recent_ = 0;                // moving mean of the squares of differences of successive costs
};

}  // namespace psim::predict
