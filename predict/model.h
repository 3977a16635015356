// SPDX-License-Identifier: Apache-2.0
// Models of the time and energy of a region: expressions of its arguments, with the errors of their values.
//
// The variance of one execution is the sum of three parts. Each part is multiplied by the square of a
// quantile:
// - the covariance carried through the terms and the residual variance: Student's t with the fit's degrees of
//   freedom;
// - the weighted spread of the alternatives: Student's t with `points` - 1 degrees of freedom;
// - outside of the ranges, growth_error × value × ln(value / value at the nearest argument inside): normal.
// Where data_bytes is above cache_bytes, the upper end rises by memory_wait × value: no point shows how often
// memory is then accessed, so every access that leaves the first level might wait for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "predict/expression.h"

namespace psim::predict {

/// The confidence of intervals.
inline constexpr double kConfidence = 0.95;

/// The most arguments of a region.
inline constexpr std::size_t kMostModelParameters = 4;

/// The most terms of a fitted expression.
inline constexpr std::size_t kMostTerms = 16;

struct Range {
  double low, high;
};

/// The keys that give the error of an expression.
struct FitErrors {
  std::vector<std::string> terms;
  std::vector<double> coefficients;
  std::vector<double> covariance;  ///< lower triangle, row by row
  double residual_variance = 0;    ///< of relative errors
  double growth_error = 0;         ///< relative error for each factor e of cost outside of the ranges
  std::uint32_t degrees_of_freedom = 0, points = 0;
  std::vector<std::string> alternatives;
  std::vector<double> weights;
};

/// A region as in the file.
struct RegionFit {
  std::string region;
  std::vector<std::string> parameters;
  std::vector<Range> ranges;    ///< empty: not stated
  std::string seconds, cycles;  ///< one of them is empty
  std::uint64_t clock_hz = 0;   ///< of cycles
  std::optional<FitErrors> time_errors;
  std::string joules;  ///< empty: not stated
  std::optional<FitErrors> joules_errors;
  std::string machine, machine_sha256, program, program_sha256;
  std::string data_bytes;         ///< expression; empty: not stated
  std::uint64_t cache_bytes = 0;  ///< with data_bytes
  double memory_wait = 0;         ///< with data_bytes
  std::vector<double> of_ranks;  ///< factors of the time on rank 0, 1, …, and from the first again; empty: 1
  /// By rank, as of_ranks: ascending shares of the time that have passed when the first, second, … step of an
  /// execution begins: an MPI call, or a region inside. Empty: all passes at its end.
  std::vector<std::vector<double>> at_steps;
};

struct Estimate {
  double value = 0;           ///< seconds or joules of one execution, >= 0
  double standard_error = 0;  ///< of the mean; 0 without an interval
  double low = 0, high = 0;   ///< the prediction interval of one execution, at kConfidence; low >= 0
  bool has_interval = false;  ///< false: the file does not give errors
  bool extrapolated = false;  ///< an argument is outside of its range
  bool beyond_cache = false;  ///< the data outgrow the cache in which they fit at all points
};

/// An expression with its errors, compiled.
class CompiledFit {
 public:
  /// Throws ExpressionError, also if the expression is not the sum of its terms. `at`: a point at which both
  /// are compared.
  CompiledFit(const std::string& expression, const std::vector<std::string>& parameters,
              const std::optional<FitErrors>& errors, std::span<const double> at);
  /// Returns the value. Throws EvaluationError; "negative: -3" if it is below 0.
  double value(std::span<const double> arguments) const;
  /// Returns value, error and interval in the unit of the expression. `inside` are the nearest arguments
  /// inside of the measured ranges; if they differ, the estimate is extrapolated.
  Estimate estimate(std::span<const double> arguments, std::span<const double> inside) const;

 private:
  Expression expression_;
  std::vector<Expression> terms_, alternatives_;
  std::optional<FitErrors> errors_;
  double student_t_ = 0, choice_t_ = 0;  ///< quantiles of the interval
};

class Model {
 public:
  /// Compiles a region. `where` precedes the messages of evaluations: "fits.toml:3". Throws ExpressionError.
  Model(RegionFit fit, std::string where);

  const RegionFit& fit() const { return fit_; }
  std::size_t arguments() const { return fit_.parameters.size(); }
  /// Returns the seconds of one execution, without an interval. Throws UserError: "fits.toml:3: region
  /// zgemm(0): division by zero in …".
  double mean_seconds(std::span<const std::int64_t> arguments) const;
  /// Returns the same with its interval. Throws UserError.
  Estimate seconds(std::span<const std::int64_t> arguments) const;
  /// Returns the energy, or nothing if the file does not state it. Throws UserError.
  std::optional<Estimate> joules(std::span<const std::int64_t> arguments) const;

 private:
  std::vector<double> checked(std::span<const std::int64_t> arguments) const;
  [[noreturn]] void fail(std::span<const std::int64_t> arguments, const std::string& expression,
                         const EvaluationError& error) const;

  RegionFit fit_;
  std::string where_;
  CompiledFit time_;
  std::optional<CompiledFit> energy_;
  std::optional<Expression> data_;
};

}  // namespace psim::predict
