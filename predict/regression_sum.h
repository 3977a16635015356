// SPDX-License-Identifier: Apache-2.0
// The regression estimate of a cost per instruction from units of a sample (W. G. Cochran, Sampling
// Techniques, 3rd ed., 7.3).
//
// A unit has counts besides its cost, such as its loads and its mispredicted branches. Their means over all
// instructions are known, because functional execution counts them, too. If units have more of them than the
// program, the estimate by their costs alone is too high. It is corrected by the slopes of the cost, which
// are fitted to the differences between successive units. The error is that of the residuals and of the
// slopes.
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
  Slopes slopes(const Products& products) const;
  using Inverse = std::array<Counts, kCounts>;
  static Inverse invert(const Products& products, const Slopes& slopes);
  static double leverage(const Inverse& inverse, const Slopes& slopes, const Row& distance);

  std::array<bool, kCounts> left_out_{};
  std::vector<Unit> units_;
  std::vector<Row> differences_;  // per instruction, of successive units
  Products products_;             // of differences_
  double instructions_ = 0;       // weighted
  Row sums_{};                    // weighted
};

}  // namespace psim::predict
