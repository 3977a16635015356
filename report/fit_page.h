// SPDX-License-Identifier: Apache-2.0
// The page of `psim fit --report`: for each region its expression, a chart of points, curve and prediction
// interval, and the relative residuals. The charts are SVG and need no script.
#pragma once

#include <string>
#include <vector>

namespace psim::report {

struct FitRow {
  std::string arguments;  ///< "64, 2"
  double x;               ///< > 0: the parameter that varies; with several, the fitted cost
  double measured, fitted;
};

/// A position on the curve.
struct FitCurve {
  double x, value, low, high;
};

struct FitSection {
  std::string region, expression, unit, x_name;  ///< "zgemm", "2 * n^3", "cycles", "n"
  std::vector<std::string> notes;                ///< warnings and figures
  std::vector<FitRow> rows;
  std::vector<FitCurve> curve;  ///< by x; empty: the line fitted = measured
};

/// Returns the page. `machine` and `program` name the origin of the points.
std::string fit_page(const std::string& program, const std::string& machine,
                     const std::vector<FitSection>& sections);

}  // namespace psim::report
