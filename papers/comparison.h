// SPDX-License-Identifier: Apache-2.0
// A published number next to ours, and whether ours is close enough.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace psim::reproduce {

struct Comparison {
  std::string quantity;       ///< "dgemm scalar", "dgemm ratio"
  std::string unit;           ///< "ms", or empty
  double paper;               ///< the published number
  std::optional<double> run;  ///< ours, by running this size
  std::optional<double> fit;  ///< ours, by fit from smaller sizes
  double goal;                ///< the largest |ours / paper - 1| that is close enough

  /// Returns the judged number: that of the run if there is one, else that of the fit. At least one exists.
  double ours() const { return run ? *run : *fit; }
  double error() const { return error_of(ours()); }
  double error_of(double value) const { return value / paper - 1; }
  /// Returns whether our number is within the goal. The goal's bound is within, and so is an excess by
  /// rounding alone.
  bool within() const;
  /// Returns "dgemm scalar: 400 ms, paper 368.9 ms: +8.4 %, goal 5 %".
  std::string line() const;
};

/// Returns a line for each comparison that is not within its goal, in order.
std::vector<std::string> misses(const std::vector<Comparison>& comparisons);

/// Returns the exit status: 0 if all are within their goals, else 1.
int status_of(const std::vector<Comparison>& comparisons);

}  // namespace psim::reproduce
