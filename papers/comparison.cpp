// SPDX-License-Identifier: Apache-2.0
#include "papers/comparison.h"

#include <fmt/format.h>

#include <cmath>

namespace psim::reproduce {

bool Comparison::within() const {
  constexpr double kRounding = 1e-12;
  return std::abs(error()) <= goal + kRounding;  // false for NaN
}

std::string Comparison::line() const {
  const std::string space = unit.empty() ? "" : " " + unit;
  return fmt::format("{}: {:.4g}{}{}, paper {:.5g}{}: {:+.1f} %, goal {:g} %", quantity, ours(), space,
                     run ? "" : " by fit", paper, space, 100 * error(), 100 * goal);
}

std::vector<std::string> misses(const std::vector<Comparison>& comparisons) {
  std::vector<std::string> lines;
  for (const Comparison& comparison : comparisons)
    if (!comparison.within()) lines.push_back(comparison.line());
  return lines;
}

int status_of(const std::vector<Comparison>& comparisons) { return misses(comparisons).empty() ? 0 : 1; }

}  // namespace psim::reproduce
