// SPDX-License-Identifier: Apache-2.0
// Charts as SVG that need no script: axes, and charts of lines, bars and timelines.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace psim::report {

/// A logarithmic or linear axis from values to pixels.
struct ChartAxis {
  double low, high, first, last;  ///< values and pixels of its ends
  bool logarithmic;

  /// Returns an axis between two pixels that has no values yet.
  static ChartAxis empty(double first, double last, bool logarithmic) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {kInfinity, -kInfinity, first, last, logarithmic};
  }
  /// Extends the axis to a value. Values <= 0 do not extend logarithmic axes.
  void include(double value);
  double at(double value) const;     ///< pixels
  double middle(double part) const;  ///< the value at a part of the axis from 0 to 1
};

/// Returns a text at a place; `anchor` is start, middle or end.
std::string chart_text(double x, double y, const char* anchor, const std::string& text);
/// Returns the frame of a chart, with values at the ends and in the middle of both axes.
std::string chart_frame(const ChartAxis& x, const ChartAxis& y, const std::string& x_name,
                        const std::string& y_name);

struct ChartPoint {
  double x, y;
  std::string label;  ///< of a bar's group
};
struct ChartSeries {
  std::string name;
  bool published = false;  ///< the paper's: dashed
  std::vector<ChartPoint> points;
};
struct Chart {
  enum class Kind { Lines, Bars, Timeline };
  std::string title, x_name, y_name;
  Kind kind = Kind::Lines;
  bool log_x = false, log_y = false;
  std::vector<ChartSeries>
      series;  ///< of a timeline each a part: rows in order, x the end, y the end of computing
};

/// Returns the chart with a legend; nothing for a chart without points. Its style is chart_css().
std::string chart_svg(const Chart& chart);
const char* chart_css();

}  // namespace psim::report
