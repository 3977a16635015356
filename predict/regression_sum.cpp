// SPDX-License-Identifier: Apache-2.0
#include "predict/regression_sum.h"

#include <algorithm>
#include <cmath>

#include "predict/least_squares.h"

namespace psim::predict {

namespace {
// Counts that hardly differ from sums of others would get large slopes of opposite signs: each slope is drawn
// a little towards zero.
constexpr double kRidge = 1e-3;
// A difference that alone decides a slope has a leverage of 1.
constexpr double kMostLeverage = 0.9;
}  // namespace

void RegressionSum::Products::add(const Row& difference) {
  for (std::size_t i = 0; i < kAll; ++i) {
    changes[i] += difference[i] != 0;
    for (std::size_t j = 0; j < kAll; ++j) sums[i][j] += difference[i] * difference[j];
  }
}

double RegressionSum::Slopes::of(const Row& row) const {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) sum += values[i] * row[counts[i]];
  return sum;
}

void RegressionSum::add(double weight, double instructions, double cost, const Counts& counts) {
  Unit unit{weight, instructions, {}};
  std::copy(counts.begin(), counts.end(), unit.values.begin());
  unit.values[kCounts] = cost;
  if (!units_.empty()) {
    const Unit& last = units_.back();
    Row difference;
    for (std::size_t i = 0; i < kAll; ++i)
      difference[i] = unit.values[i] / instructions - last.values[i] / last.instructions;
    differences_.push_back(difference);
    products_.add(difference);
  }
  instructions_ += weight * instructions;
  for (std::size_t i = 0; i < kAll; ++i) sums_[i] += weight * unit.values[i];
  units_.push_back(unit);
}

RegressionSum::Slopes RegressionSum::slopes(const Products& products, const Marks& left_out) const {
  Slopes result;
  for (std::size_t i = 0; i < kCounts; ++i)
    if (!left_out[i] && products.changes[i] >= kFewestChanges) result.counts.push_back(i);
  const auto size = static_cast<Eigen::Index>(result.counts.size());
  Eigen::MatrixXd correlation(size, size);
  Eigen::VectorXd with_cost(size);
  const auto scale = [&](Eigen::Index i) {
    const std::size_t count = result.counts[static_cast<std::size_t>(i)];
    return std::sqrt(products.sums[count][count]);
  };
  for (Eigen::Index i = 0; i < size; ++i) {
    const Row& row = products.sums[result.counts[static_cast<std::size_t>(i)]];
    for (Eigen::Index j = 0; j < size; ++j)
      correlation(i, j) = row[result.counts[static_cast<std::size_t>(j)]] / scale(i) / scale(j);
    correlation(i, i) += kRidge;
    with_cost(i) = row[kCounts] / scale(i);
  }
  if (size == 0) return result;
  const Eigen::VectorXd solved = least_squares(correlation, with_cost);
  for (Eigen::Index i = 0; i < size; ++i) result.values.push_back(solved(i) / scale(i));
  return result;
}

/// Returns the inverse of the products of the counts that have slopes.
RegressionSum::Inverse RegressionSum::invert(const Products& products, const Slopes& slopes) {
  const auto size = static_cast<Eigen::Index>(slopes.counts.size());
  Eigen::MatrixXd squares(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const Row& row = products.sums[slopes.counts[static_cast<std::size_t>(i)]];
    for (Eigen::Index j = 0; j < size; ++j) squares(i, j) = row[slopes.counts[static_cast<std::size_t>(j)]];
    squares(i, i) *= 1 + kRidge;
  }
  Inverse inverse;
  for (Eigen::Index j = 0; j < size; ++j) {
    const Eigen::VectorXd column = least_squares(squares, Eigen::VectorXd::Unit(size, j));
    for (Eigen::Index i = 0; i < size; ++i)
      inverse[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = column(i);
  }
  return inverse;
}

/// Returns the variance of what the slopes add for counts at this distance, over that of a residual.
double RegressionSum::leverage(const Inverse& inverse, const Slopes& slopes, const Row& distance) {
  double sum = 0;
  for (std::size_t i = 0; i < slopes.counts.size(); ++i)
    for (std::size_t j = 0; j < slopes.counts.size(); ++j)
      sum += distance[slopes.counts[i]] * inverse[i][j] * distance[slopes.counts[j]];
  return sum;
}

double RegressionSum::unit_variance() const {
  const Slopes fitted = slopes(products_, left_out_);
  const std::size_t recent = std::min<std::size_t>(differences_.size(), RatioSum::kRecent);
  double squares = 0;
  for (auto each = differences_.end() - static_cast<std::ptrdiff_t>(recent); each != differences_.end();
       ++each) {
    const double rest = (*each)[kCounts] - fitted.of(*each);
    squares += rest * rest;
  }
  const double n = static_cast<double>(differences_.size()), mean = sums_[kCounts] / instructions_;
  const double freedom = std::max(1.0, n - static_cast<double>(fitted.counts.size()));
  return squares / static_cast<double>(recent) / 2 * (n / freedom) / (mean * mean);
}

double RegressionSum::cost_of(const Counts& difference) const {
  if (units_.size() < kFewestUnits) return 0;
  Row row{};
  std::copy(difference.begin(), difference.end(), row.begin());
  return slopes(products_, left_out_).of(row);
}

/// Returns the counts that are left out of an estimate for means at this distance from those of the units.
RegressionSum::Marks RegressionSum::far_counts(const Products& products, const Row& distance) const {
  Marks marks = left_out_;
  const double n = static_cast<double>(units_.size());
  for (std::size_t i = 0; i < kCounts; ++i) {
    const double error = std::sqrt(products.sums[i][i] / 2 * n / std::max(1.0, n - 1)) / instructions_;
    marks[i] = marks[i] || (hidden_[i] && std::abs(distance[i]) > kFar * error);
  }
  return marks;
}

CostEstimate RegressionSum::estimate(const Counts& means) const {
  // Residuals of each unit from the means of all, weighted, and their successive differences.
  Row mean{}, distance{};
  for (std::size_t i = 0; i < kAll; ++i) mean[i] = sums_[i] / instructions_;
  for (std::size_t i = 0; i < kCounts; ++i) distance[i] = means[i] - mean[i];
  Products products;
  std::vector<Row> differences;
  Row last{};
  double weights = 0, squares = 0;
  for (const Unit& unit : units_) {
    weights += unit.weight, squares += unit.weight * unit.weight;
    Row residual, difference;
    for (std::size_t i = 0; i < kAll; ++i) {
      residual[i] = unit.weight * (unit.values[i] - mean[i] * unit.instructions);
      difference[i] = residual[i] - last[i];
    }
    last = residual;
    if (&unit == units_.data()) continue;
    products.add(difference);
    differences.push_back(difference);
  }
  // `further` is what the counts that are far from those of the units would add.
  const Marks left_out = far_counts(products, distance);
  double further = 0;
  Slopes fitted;
  if (units_.size() >= kFewestUnits) {
    fitted = slopes(products, left_out);
    if (left_out != left_out_) further = slopes(products, left_out_).of(distance) - fitted.of(distance);
  }
  const Inverse inverse = invert(products, fitted);
  // Each residual as it would be if the slopes were fitted without it (PRESS).
  double rest = 0;
  for (const Row& difference : differences) {
    const double apart = 1 - std::min(kMostLeverage, leverage(inverse, fitted, difference));
    const double residual = (difference[kCounts] - fitted.of(difference)) / apart;
    rest += residual * residual;
  }
  const double n = static_cast<double>(units_.size()), k = static_cast<double>(fitted.counts.size());
  const double variance = rest / std::max(1.0, n - 1);
  const double error =
      std::sqrt(variance * (n / 2 / (instructions_ * instructions_) + leverage(inverse, fitted, distance)));
  const double correction = fitted.of(distance);
  const double uncorrected =
      std::sqrt(products.sums[kCounts][kCounts] / std::max(1.0, n - 1) * n / 2) / instructions_;
  const double back = std::abs(correction) > kFar * uncorrected ? -correction : 0;
  return {.cost = mean[kCounts] + correction,
          .error = error,
          .freedom = (weights * weights / squares - 1) * 2 / 3 - k,
          .less = -std::min({0.0, further, back}),
          .more = std::max({0.0, further, back})};
}

}  // namespace psim::predict
