// SPDX-License-Identifier: Apache-2.0
// The regression estimate of a cost per instruction from units of a sample (W. G. Cochran, Sampling
// Techniques, 3rd ed., 7.3).
//
// A unit has counts besides its cost, such as its loads and its mispredicted branches. Their means over all
// instructions are known, because functional execution counts them, too. If units have more of them than the
// program, the estimate by their costs alone is too high. It is corrected by the slopes of the cost, which
// are fitted to the differences between successive units. The error is that of the residuals and of the
// slopes.
//
// The cost of some counts depends on the code around them, as that of a miss does, which other work may hide.
// If their means differ by more than chance permits, the rest of the program has them in other code, and the
// count has no slope. The part that it would have added widens the interval.
//
// Counts of units differ from those of the program by chance, as their costs do, so a correction is a few
// standard errors of the estimate without counts. If it is larger, other code than that of the units has
// these counts, and the slopes may not hold there: the interval then reaches to the estimate without them.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "predict/sample_estimate.h"

namespace psim::predict {

class RegressionSum {
 public:
  static constexpr std::size_t kCounts = 10;
  using Counts = std::array<double, kCounts>;
  /// The fewest units for slopes. A count has a slope if it changes between this number of units.
  static constexpr std::size_t kFewestUnits = 30, kFewestChanges = 10;

  /// Adds a unit that stands for `weight` instructions.
  void add(double weight, double instructions, double cost, const Counts& counts);
  /// Returns the variance of the cost per instruction of the last RatioSum::kRecent units that the counts do
  /// not explain, relative to the square of the mean. Call it with kFewestUnits units at least.
  double unit_variance() const;
  /// Gives a count no slope from now on, because its mean over all instructions is not known.
  void leave_out(std::size_t count) { left_out_[count] = true; }
  /// Gives a count no slope where its mean over all instructions is kFar standard errors from that of the
  /// units, because its cost depends on the code around it.
  void mark_hidden(std::size_t count) { hidden_[count] = true; }
  /// The standard errors by which chance does not change counts or costs.
  static constexpr double kFar = 4;
  /// Returns the cost per instruction that a difference of counts per instruction explains; 0 with fewer than
  /// kFewestUnits units.
  double cost_of(const Counts& difference) const;
  /// Returns the estimate for instructions whose counts have these means. Without slopes, it is that of a
  /// RatioSum.
  CostEstimate estimate(const Counts& means) const;

 private:
  static constexpr std::size_t kAll = kCounts + 1;
  using Row = std::array<double, kAll>;  // counts, then the cost
  struct Unit {
    double weight, instructions;
    Row values;
  };
  /// Sums of products of differences.
  struct Products {
    std::array<Row, kAll> sums{};
    std::array<std::size_t, kAll> changes{};
    void add(const Row& difference);
  };
  struct Slopes {
    std::vector<std::size_t> counts;  ///< that have a slope
    std::vector<double> values;
    double of(const Row& row) const;
  };
  using Marks = std::array<bool, kCounts>;
  Slopes slopes(const Products& products, const Marks& left_out) const;
  Marks far_counts(const Products& products, const Row& distance) const;
  using Inverse = std::array<Counts, kCounts>;
  static Inverse invert(const Products& products, const Slopes& slopes);
  static double leverage(const Inverse& inverse, const Slopes& slopes, const Row& distance);

  Marks left_out_{}, hidden_{};
  std::vector<Unit> units_;
  std::vector<Row> differences_;  // per instruction, of successive units
  Products products_;             // of differences_
  double instructions_ = 0;       // weighted
  Row sums_{};                    // weighted
};

}  // namespace psim::predict
