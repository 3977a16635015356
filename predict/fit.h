// SPDX-License-Identifier: Apache-2.0
// Searches the expression that gives the cost of a region from its arguments.
//
// Form: Σ c_k · Π_i f_ik(n_i) over the parameters n_i, the performance-model normal form (Calotoiu, Hoefler,
// Poke, Wolf, SC13): f is n^a · log2(n)^b, or contains ceil(n / B) for loops that run in blocks of B. A
// sum has at most three terms.
//
// Errors are relative: costs span decades, and a cost of 1 % error is as good at n = 64 as at n = 1024. The
// coefficients minimise the sum of squares of relative errors, with the fitted cost as the divisor.
//
// Choice: leave-one-out cross-validation. Among the sums whose mean squared error is within one standard
// error of the least, the simplest is taken (the one-standard-error rule of Breiman and others): the one with
// the fewest terms, and powers before logarithms, roots and blocks. The best other sums remain as
// alternatives: they widen the interval where they differ, beyond the measured points above all. There the
// growth error widens it, too: the relative error with which the sum, fitted to the cheaper half of the
// points, predicts the others, for each factor e of cost, but at least kLeastGrowthError. docs/decisions/0045
// has the reasons.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "predict/model_file.h"

namespace psim::predict {

struct Measurement {
  std::vector<double> arguments;
  double cost;  ///< > 0, in any unit
  /// Relative standard error of the cost, if it is an estimate. The squared error of a point counts
  /// 1 / (1 + (error / kOwnError)²) times.
  double error = 0;
};

struct FitOptions {
  std::size_t most_terms = 3;
  std::vector<std::uint32_t> blocks{8, 16, 32,
                                    64};  ///< B of ceil(n / B), for arguments that are not multiples
};

struct CostFit {
  std::string expression;
  FitErrors errors;
  double largest_error = 0;           ///< of the points, |fitted / measured - 1|
  double cross_validation_error = 0;  ///< root of the mean squared relative error of left-out points
  std::vector<double> fitted;         ///< the fitted cost of each point
};

/// The fewest different values of a parameter that varies, and the fewest different points of one parameter.
inline constexpr std::size_t kFewestValues = 3, kFewestPoints = 4;

/// The least growth error, for regimes that no point shows. The kernels of docs/records/fits.md enter the
/// second-level cache's limit with up to 3 % for each factor e.
inline constexpr double kLeastGrowthError = 0.02;

/// Relative error that a sum of terms itself has at a point, typically: an estimate that is much better
/// counts like an exact cost.
inline constexpr double kOwnError = 0.01;

/// Fits the measurements. `what` precedes messages: "region zgemm". Throws UserError for too few points, and
/// for costs that are not positive.
CostFit fit_cost(std::span<const Measurement> measurements, const std::vector<std::string>& parameters,
                 const std::string& what, const FitOptions& options = {});

/// Returns the range of each argument.
std::vector<Range> ranges_of(std::span<const Measurement> measurements);

}  // namespace psim::predict
