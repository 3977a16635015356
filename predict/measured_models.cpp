// SPDX-License-Identifier: Apache-2.0
#include "predict/measured_models.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "base/parse_number.h"
#include "predict/fit.h"

namespace psim::predict {
namespace {

/// Returns the model of a time that does not depend on arguments. `error`: relative standard error.
RegionFit constant_model(const std::string& region, const std::vector<Range>& ranges, double seconds,
                         double error) {
  constexpr const char* kNames[] = {"n", "m", "k", "l"};
  RegionFit fit;
  fit.region = region;
  for (std::size_t i = 0; i < ranges.size(); ++i) fit.parameters.emplace_back(kNames[i]);
  fit.ranges = ranges;
  fit.seconds = fmt::format("{:.17g} * 1", seconds);
  FitErrors& errors = fit.time_errors.emplace();
  errors.terms = {"1"}, errors.coefficients = {seconds}, errors.covariance = {0.0};
  errors.residual_variance = error * error;
  errors.degrees_of_freedom = 1000;  // the error is stated, not estimated from few residuals
  errors.points = 2;
  return fit;
}

/// Models of the program at one number of ranks.
class Models {
 public:
  Models(const std::vector<MeasuredRun>& runs, double size, bool other_ranks)
      : runs_(runs), size_(size), other_ranks_(other_ranks) {}

  std::vector<RegionFit> at(double error) const {
    std::vector<RegionFit> fits;
    for (const auto& [name, first] : runs_.front().regions) {
      RegionFit fit = runs_.size() == 1
                          ? constant_model(name, first.arguments, first.seconds,
                                           std::hypot(error, spread_of(first), calls_error(first.calls)))
                          : fitted(name);
      if (runs_.size() == 1)
        fit.of_ranks = first.of_ranks;
      else
        fit.time_errors->residual_variance += error * error + std::pow(calls_error(first.calls), 2);
      fit.at_steps =
          runs_.back().regions.contains(name) ? runs_.back().regions.at(name).at_steps : first.at_steps;
      fits.push_back(std::move(fit));
    }
    fits.push_back(outside(error));
    return fits;
  }

 private:
  /// Returns the standard error by which ranks differ. Measured ranks have factors of their own.
  double spread_of(const MeasuredRegion& region) const {
    return region.of_ranks.empty() || other_ranks_ ? region.spread : 0;
  }
  RegionFit fitted(const std::string& name) const {
    std::vector<Measurement> points;
    std::vector<std::string> parameters;
    for (const MeasuredRun& run : runs_) {
      const auto found = run.regions.find(name);
      if (found == run.regions.end()) continue;
      Measurement point{.arguments = {}, .cost = found->second.seconds};
      for (const Range& range : found->second.arguments) {
        if (range.low != range.high)
          throw UserError(fmt::format(
              "region {}: its arguments differ within the run {}, from {} to {}; expected one value "
              "in a run with --args",
              name, run.label, range.low, range.high));
        point.arguments.push_back(range.low);
      }
      if (point.arguments.empty()) point.arguments.push_back(number_of(run.size));
      points.push_back(std::move(point));
    }
    RegionFit fit;
    const std::vector<Range>& arguments = runs_.front().regions.at(name).arguments;
    if (arguments.empty()) {  // the size of the program decides
      const RegionFit by_size = sized(name, points);
      const Model model(by_size, "predict");
      const Estimate estimate = model.seconds(std::vector{static_cast<std::int64_t>(size_)});
      fit = constant_model(name, {}, estimate.value, relative_error(estimate));
      return fit;
    }
    constexpr const char* kNames[] = {"n", "m", "k", "l"};
    for (std::size_t i = 0; i < arguments.size(); ++i) parameters.emplace_back(kNames[i]);
    const CostFit cost = fit_cost(points, parameters, "region " + name);
    fit.region = name, fit.parameters = parameters;
    fit.seconds = cost.expression, fit.time_errors = cost.errors;
    fit.ranges = ranges_of(points);
    return fit;
  }

  static double number_of(const std::string& text) {
    const auto number = parse_number<double>(text);
    if (!number || *number != std::floor(*number))
      throw UserError(
          fmt::format("--args: {}: expected whole numbers, which are the size of the program", text));
    return *number;
  }

  /// Returns a model by the value of {}.
  static RegionFit sized(const std::string& name, const std::vector<Measurement>& points) {
    const CostFit cost = fit_cost(points, {"n"}, name);
    RegionFit fit;
    fit.region = name, fit.parameters = {"n"}, fit.seconds = cost.expression, fit.time_errors = cost.errors;
    fit.ranges = ranges_of(points);
    return fit;
  }

  static double relative_error(const Estimate& estimate) {
    return estimate.value > 0 ? (estimate.high - estimate.low) / (2 * kNormal95 * estimate.value) : 0;
  }

  RegionFit outside(double error) const {
    error = std::hypot(error, calls_error(runs_.front().outside_calls));
    if (runs_.size() == 1) {
      RegionFit fit = constant_model(kOutside, {}, runs_.front().outside, error);
      fit.of_ranks = runs_.front().outside_of_ranks;
      fit.at_steps = runs_.front().outside_at_steps;
      return fit;
    }
    std::vector<Measurement> points;
    for (const MeasuredRun& run : runs_)
      points.push_back({.arguments = {number_of(run.size)}, .cost = run.outside});
    const Model model(sized(kOutside, points), "predict");
    const Estimate estimate = model.seconds(std::vector{static_cast<std::int64_t>(size_)});
    return constant_model(kOutside, {}, estimate.value, std::hypot(error, relative_error(estimate)));
  }

  double calls_error(double share) const {
    return share * (other_ranks_ ? kCallError : runs_.front().functional_partners ? kPartnerError : 0);
  }

  const std::vector<MeasuredRun>& runs_;
  const double size_;
  const bool other_ranks_;  ///< than measured
};

}  // namespace

std::vector<RegionFit> models_at(const std::vector<MeasuredRun>& runs, double size, std::uint32_t nodes,
                                 std::uint32_t ranks) {
  const double growth = kRankGrowth * std::abs(std::log(static_cast<double>(ranks) / nodes));
  return Models(runs, size, ranks != nodes).at(std::hypot(kRankError, growth));
}

}  // namespace psim::predict
