// SPDX-License-Identifier: Apache-2.0
#include "predict/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "base/error.h"

namespace psim::predict {
namespace {

/// Returns the point in the middle of the fitted ranges.
std::vector<double> middle_of(const std::vector<Range>& ranges) {
  std::vector<double> point;
  for (const Range& range : ranges) point.push_back(std::floor((range.low + range.high) / 2));
  return point;
}

}  // namespace

CompiledFit::CompiledFit(const std::string& expression, const std::vector<std::string>& parameters,
                         const std::optional<FitErrors>& errors, std::span<const double> at)
    : expression_(Expression::parse(expression, parameters)), errors_(errors) {
  if (!errors_) return;
  for (const std::string& term : errors_->terms) terms_.push_back(Expression::parse(term, parameters));
  for (const std::string& other : errors_->alternatives)
    alternatives_.push_back(Expression::parse(other, parameters));
  const auto quantile = [](std::uint32_t degrees) {
    const boost::math::students_t student(std::max(degrees, 1u));
    return boost::math::quantile(student, 0.5 + kConfidence / 2);
  };
  student_t_ = quantile(errors_->degrees_of_freedom);
  choice_t_ = quantile(errors_->points - 1);
  if (at.size() != parameters.size()) return;
  try {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const double part = errors_->coefficients[i] * terms_[i].evaluate(at);
      sum += part, size += std::abs(part);
    }
    const double value = expression_.evaluate(at);
    if (!(std::abs(value - sum) <= 1e-6 * size))
      throw ExpressionError(fmt::format("\"{}\" is not the sum of coefficients × terms: {} and {} at ({})",
                                        expression, value, sum, fmt::join(at, ", ")));
  } catch (const EvaluationError& error) {
    throw ExpressionError(
        fmt::format("\"{}\" or its terms at ({}): {}", expression, fmt::join(at, ", "), error.what()));
  }
}

double CompiledFit::value(std::span<const double> arguments) const {
  const double value = expression_.evaluate(arguments);
  if (value < 0) throw EvaluationError(fmt::format("negative: {}", value));
  return value;
}

Estimate CompiledFit::estimate(std::span<const double> arguments, std::span<const double> inside) const {
  constexpr double kNormal = 1.959963984540054;  // quantile of 0.975
  Estimate estimate;
  estimate.value = value(arguments);
  estimate.extrapolated = !std::equal(arguments.begin(), arguments.end(), inside.begin(), inside.end());
  if (!errors_) return estimate;
  std::array<double, kMostTerms> terms{};
  for (std::size_t i = 0; i < terms_.size(); ++i) terms[i] = terms_[i].evaluate(arguments);
  double variance = 0;
  const double* covariance = errors_->covariance.data();
  for (std::size_t row = 0; row < terms_.size(); ++row) {
    for (std::size_t column = 0; column < row; ++column)
      variance += 2 * *covariance++ * terms[row] * terms[column];
    variance += *covariance++ * terms[row] * terms[row];
  }
  variance = std::max(variance, 0.0);
  double spread = 0;
  for (std::size_t i = 0; i < alternatives_.size(); ++i) {
    const double distance = alternatives_[i].evaluate(arguments) - estimate.value;
    spread += errors_->weights[i] * distance * distance;
  }
  double growth = 0;
  if (estimate.extrapolated && errors_->growth_error != 0 && estimate.value > 0)
    if (const double nearest = value(inside); nearest > 0)
      growth = errors_->growth_error * estimate.value * std::log(estimate.value / nearest);
  const auto square = [](double x) { return x * x; };
  estimate.standard_error = std::sqrt(variance + spread + square(growth));
  const double residual = errors_->residual_variance * square(estimate.value);
  const double half = std::sqrt(square(student_t_) * (variance + residual) + square(choice_t_) * spread +
                                square(kNormal * growth));
  if (!std::isfinite(half)) throw EvaluationError("overflow");
  estimate.low = std::max(estimate.value - half, 0.0);
  estimate.high = estimate.value + half;
  estimate.has_interval = true;
  return estimate;
}

Model::Model(RegionFit fit, std::string where)
    : fit_(std::move(fit)),
      where_(std::move(where)),
      time_(fit_.cycles.empty() ? fit_.seconds : fit_.cycles, fit_.parameters, fit_.time_errors,
            middle_of(fit_.ranges)) {
  if (!fit_.joules.empty())
    energy_.emplace(fit_.joules, fit_.parameters, fit_.joules_errors, middle_of(fit_.ranges));
  if (!fit_.data_bytes.empty()) data_ = Expression::parse(fit_.data_bytes, fit_.parameters);
}

std::vector<double> Model::checked(std::span<const std::int64_t> arguments) const {
  if (arguments.size() != fit_.parameters.size())
    throw UserError(fmt::format("{}: region {}: {} arguments; expected {}", where_, fit_.region,
                                arguments.size(), fit_.parameters.size()));
  return {arguments.begin(), arguments.end()};
}

void Model::fail(std::span<const std::int64_t> arguments, const std::string& expression,
                 const EvaluationError& error) const {
  throw UserError(fmt::format("{}: region {}({}): {} in \"{}\"", where_, fit_.region,
                              fmt::join(arguments, ", "), error.what(), expression));
}

double Model::mean_seconds(std::span<const std::int64_t> arguments) const {
  if (arguments.size() != fit_.parameters.size()) checked(arguments);  // throws
  std::array<double, kMostModelParameters> values{};
  std::copy(arguments.begin(), arguments.end(), values.begin());
  try {
    const double value = time_.value({values.data(), arguments.size()});
    return fit_.cycles.empty() ? value : value / static_cast<double>(fit_.clock_hz);
  } catch (const EvaluationError& error) {
    fail(arguments, fit_.cycles.empty() ? fit_.seconds : fit_.cycles, error);
  }
}

namespace {

/// Returns the nearest arguments inside of the ranges.
std::vector<double> nearest_inside(const std::vector<Range>& ranges, std::vector<double> values) {
  for (std::size_t i = 0; i < ranges.size(); ++i)
    values[i] = std::clamp(values[i], ranges[i].low, ranges[i].high);
  return values;
}

}  // namespace

Estimate Model::seconds(std::span<const std::int64_t> arguments) const {
  const std::vector<double> values = checked(arguments);
  try {
    Estimate estimate = time_.estimate(values, nearest_inside(fit_.ranges, values));
    const double unit = fit_.cycles.empty() ? 1 : static_cast<double>(fit_.clock_hz);
    for (double* part : {&estimate.value, &estimate.standard_error, &estimate.low, &estimate.high})
      *part /= unit;
    estimate.beyond_cache = data_ && data_->evaluate(values) > static_cast<double>(fit_.cache_bytes);
    if (estimate.beyond_cache) estimate.high += fit_.memory_wait * estimate.value;
    return estimate;
  } catch (const EvaluationError& error) {
    fail(arguments, fit_.cycles.empty() ? fit_.seconds : fit_.cycles, error);
  }
}

std::optional<Estimate> Model::joules(std::span<const std::int64_t> arguments) const {
  if (!energy_) return std::nullopt;
  const std::vector<double> values = checked(arguments);
  try {
    return energy_->estimate(values, nearest_inside(fit_.ranges, values));
  } catch (const EvaluationError& error) {
    fail(arguments, fit_.joules, error);
  }
}

}  // namespace psim::predict
