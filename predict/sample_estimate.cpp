// SPDX-License-Identifier: Apache-2.0
#include "predict/sample_estimate.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace psim::predict {

void RatioSum::add_difference(double x, double y) {
  const double dx = x - last_x_, dy = y - last_y_;
  xx_ += dx * dx, xy_ += dx * dy, yy_ += dy * dy;
  last_x_ = x, last_y_ = y;
}

void RatioSum::add(std::uint64_t number, double weight, double x, double y) {
  const double wx = weight * x, wy = weight * y;
  if (units_ != 0) {
    if (number != number_ + 1) add_difference(0, 0);
    add_difference(wx, wy);
  }
  const double cost = x == 0 ? 0 : y / x;
  if (units_ != 0) {
    const double square = (cost - last_cost_) * (cost - last_cost_);
    recent_ += (square - recent_) / static_cast<double>(std::min(units_, kRecent));
  }
  last_cost_ = cost;
  last_x_ = wx, last_y_ = wy;
  number_ = number;
  ++units_;
  weights_ += weight;
  weights_squared_ += weight * weight;
  x_ += wx, y_ += wy;
}

double RatioSum::unit_variance() const {
  if (units_ < 2 || y_ == 0) return 0;
  return recent_ / 2 / (ratio() * ratio());
}

double RatioSum::standard_error() const {
  if (units_ < 2 || x_ == 0) return std::numeric_limits<double>::infinity();
  const double r = ratio(), n = static_cast<double>(units_);
  const double differences = std::max(0.0, yy_ - 2 * r * xy_ + r * r * xx_);
  return std::sqrt(differences / 2 * n / (n - 1)) / x_;
}

CostEstimate RatioSum::estimate() const {
  // Successive differences are correlated: n of them have 2/3 n degrees of freedom (von Neumann, 1941).
  return {.cost = ratio(), .error = standard_error(), .freedom = (effective_units() - 1) * 2 / 3};
}

SampledTotal CostEstimate::total(double exact, double instructions) const {
  if (instructions <= 0) return {exact, exact, exact, 0};
  const double value = exact + cost * instructions;
  if (!std::isfinite(error)) return {value, exact, std::numeric_limits<double>::infinity(), 0};
  const boost::math::students_t student(std::max(1.0, freedom));
  const double bias = kBias * cost * instructions;
  const double half = quantile(student, 0.975) * error * instructions + bias;
  return {value, std::max(exact, value - half - less * instructions), value + half + more * instructions,
          bias};
}

}  // namespace psim::predict
