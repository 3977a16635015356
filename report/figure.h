// SPDX-License-Identifier: Apache-2.0
// Charts of a page, drawn by web/figures.js with Observable Plot: lines, points, bands, bars and timelines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace psim::report {

/// A chart. Its numbers are exact; the script chooses the digits.
class Chart {
 public:
  enum class Kind {
    Lines,     ///< points are [x, y, label?]; of a band or interval [x, low, high]
    Bars,      ///< points are [group, y, label?]
    Timeline,  ///< each point a row: [end, end of computing, label?]
    Map,       ///< a row for each series; points are [column, value around 0, columns]
    Path,      ///< points are lines from x, y to x, y, which follow each other: [x, y, x, y, label?]
    Spans,     ///< points are [begin, end, row, text, opacity, thin?]; rows() names the rows
    Parts      ///< as Spans, of quantities: `text` has all numbers that a reader needs
  };
  struct Axis {
    std::string name = {}, unit = {};  ///< "order n", "s"
    bool logarithmic = false;
    bool each = false;  ///< with a tick at each point
  };
  struct Series {
    std::string name;
    std::string mark = "line";  ///< line, dot, band, interval (a bar), rule (a line without points)
    bool dashed = false;
    std::string colour = {};  ///< of the style sheet, as "rank-0"; empty: by the number of the series
  };

  /// Starts a chart. `title` is text.
  Chart(std::string title, Axis x, Axis y, Kind kind = Kind::Lines);
  /// Adds a series; the next calls of add() add its points.
  void series(const Series& series);
  void add(nlohmann::ordered_json point);
  /// Sets the rows of Kind::Spans or Parts, from top to bottom.
  void rows(std::vector<std::string> names) { json_["rows"] = std::move(names); }
  /// Ends the axis of time of Kind::Spans here; later spans are cut, with an arrow.
  void end_of_axis(double end) { json_["x"]["end"] = end; }
  bool empty() const;
  /// Returns the chart's place in the page; empty without points. `heading`: with its title as text.
  std::string html(bool heading = true) const;
  /// Returns the chart as the key `page` of a result holds it, and makes it from that.
  const nlohmann::ordered_json& json() const { return json_; }
  explicit Chart(nlohmann::ordered_json json) : json_(std::move(json)) {}

 private:
  nlohmann::ordered_json json_;
};

/// Returns the scripts that charts need, after report.js.
std::vector<std::string_view> chart_scripts();

}  // namespace psim::report
