// SPDX-License-Identifier: Apache-2.0
// A published number beside ours, and whether ours is near enough.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace psim::reproduce {

struct Comparison {
  std::string quantity;       ///< "dgemm scalar", "dgemm ratio"
  std::string unit;           ///< "ms", or empty
  double paper;               ///< the published number
  std::optional<double> run;  ///< ours, by running just that
  std::optional<double> fit;  ///< ours, by fit from smaller sizes
  double goal;                ///< largest |ours / paper - 1| that is near enough

  /// What is judged: the run where there is one, else the fit. One of them is there.
  double ours() const { return run ? *run : *fit; }
  double error() const { return error_of(ours()); }
  double error_of(double value) const { return value / paper - 1; }
  /// The goal's own border is within; so is what only rounding keeps outside.
  bool within() const;
  /// "dgemm scalar: 400 ms, paper 368.9 ms: +8.4 %, goal 5 %"
  std::string line() const;
};

/// A line for each that is not near enough, in order.
std::vector<std::string> misses(const std::vector<Comparison>& comparisons);

/// Exit status: 0 if all are near enough, else 1.
int status_of(const std::vector<Comparison>& comparisons);

}  // namespace psim::reproduce
