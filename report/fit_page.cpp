// SPDX-License-Identifier: Apache-2.0
#include "report/fit_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/page.h"
#include "report/web_files.h"

namespace psim::report {
namespace {

constexpr double kChartWidth = 640, kChartHeight = 360, kResidualHeight = 160, kMargin = 70;

/// A logarithmic or linear axis from values to pixels.
struct Axis {
  double low, high, first, last;  ///< values and pixels of its ends
  bool logarithmic;
  double at(double value) const {
    const auto position = [this](double v) { return logarithmic ? std::log(std::max(v, low)) : v; };
    const double span = position(high) - position(low);
    return first + (span == 0 ? 0.5 : (position(value) - position(low)) / span) * (last - first);
  }
};

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
                     escape(text));
}

/// Returns the frame of a chart, with the values at the ends of both axes.
std::string frame(const Axis& x, const Axis& y, const std::string& x_name, const std::string& y_name) {
  std::string out =
      fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                  x.first, y.last, x.last - x.first, y.first - y.last);
  for (const double part : {0.0, 0.5, 1.0}) {
    const auto value = [part](const Axis& axis) {
      return axis.logarithmic ? axis.low * std::pow(axis.high / axis.low, part)
                              : axis.low + (axis.high - axis.low) * part;
    };
    out += text_at(x.at(value(x)), y.first + 16, "middle", fmt::format("{:.3g}", value(x)));
    out += text_at(x.first - 6, y.at(value(y)) + 4, "end", fmt::format("{:.3g}", value(y)));
  }
  out += text_at((x.first + x.last) / 2, y.first + 32, "middle", x_name);
  return out + text_at(x.first, y.last - 6, "start", y_name);
}

std::string fit_chart(const FitSection& section) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Axis x{kInfinity, 0, kMargin, kChartWidth - 20, true}, y{kInfinity, 0, kChartHeight - 40, 24, true};
  const auto include = [](Axis& axis, double value) {
    if (value > 0) axis.low = std::min(axis.low, value), axis.high = std::max(axis.high, value);
  };
  for (const FitRow& row : section.rows) include(x, row.x), include(y, row.measured), include(y, row.fitted);
  for (const FitCurve& point : section.curve)
    include(x, point.x), include(y, point.value), include(y, point.high);
  std::string band, line;
  for (const FitCurve& point : section.curve) {
    band += fmt::format("{:.1f},{:.1f} ", x.at(point.x), y.at(point.high));
    line += fmt::format("{:.1f},{:.1f} ", x.at(point.x), y.at(point.value));
  }
  for (auto point = section.curve.rbegin(); point != section.curve.rend(); ++point)
    band += fmt::format("{:.1f},{:.1f} ", x.at(point->x), y.at(point->low));
  if (section.curve.empty())
    line = fmt::format("{:.1f},{:.1f} {:.1f},{:.1f}", x.at(x.low), y.at(x.low), x.at(x.high), y.at(x.high));
  std::string out =
      fmt::format("<svg class=\"fit\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"points and curve\">",
                  kChartWidth, kChartHeight);
  out += fmt::format("<polygon class=\"band\" points=\"{}\"/><polyline class=\"curve\" points=\"{}\"/>", band,
                     line);
  for (const FitRow& row : section.rows)
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>({}): {:.6g} {}</title></circle>",
                       x.at(row.x), y.at(row.measured), escape(row.arguments), row.measured,
                       escape(section.unit));
  return out + frame(x, y, section.x_name, section.unit) + "</svg>\n";
}

std::string residual_chart(const FitSection& section) {
  Axis x{std::numeric_limits<double>::infinity(), 0, kMargin, kChartWidth - 20, true};
  double largest = 1e-4;
  for (const FitRow& row : section.rows) {
    x.low = std::min(x.low, row.x), x.high = std::max(x.high, row.x);
    largest = std::max(largest, std::abs(row.fitted / row.measured - 1) * 100);
  }
  const Axis y{-largest, largest, kResidualHeight - 40, 24, false};
  std::string out =
      fmt::format("<svg class=\"fit\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"residuals\">",
                  kChartWidth, kResidualHeight);
  for (const FitRow& row : section.rows)
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", x.at(row.x),
                       y.at(100 * (row.fitted / row.measured - 1)));
  return out + frame(x, y, section.x_name, "fitted / measured - 1, %") + "</svg>\n";
}

std::string fit_table(const FitSection& section) {
  std::string out = fmt::format(
      "<table><thead><tr><th>arguments</th><th>measured, {0}</th><th>fitted, {0}</th><th>error, "
      "%</th></tr></thead><tbody>\n",
      escape(section.unit));
  for (const FitRow& row : section.rows)
    out +=
        fmt::format("<tr><td>{}</td><td>{:.6g}</td><td>{:.6g}</td><td>{:.2f}</td></tr>\n",
                    escape(row.arguments), row.measured, row.fitted, 100 * (row.fitted / row.measured - 1));
  return out + "</tbody></table>\n";
}

}  // namespace

std::string fit_page(const std::string& program, const std::string& machine,
                     const std::vector<FitSection>& sections) {
  std::string page =
      page_begin("Models of " + escape(program),
                 "svg.fit { max-width: 720px; display: block; } .fit text { fill: var(--dim); font-size: "
                 "12px; } .fit .frame { fill: none; stroke: var(--line); } .fit .band { fill: "
                 "var(--accent); opacity: 0.18; } .fit .curve { fill: none; stroke: var(--accent); "
                 "stroke-width: 2; } .fit circle { fill: var(--ink); }\n");
  page += fmt::format("<header><h1>Models of {}</h1><p class=\"dim\">on {}</p></header>\n<main>\n",
                      escape(program), escape(machine));
  for (const FitSection& section : sections) {
    page += fmt::format("<section><h2>{}</h2>\n<p><code>{} {}</code></p>\n", escape(section.region),
                        escape(section.expression), escape(section.unit));
    for (const std::string& note : section.notes)
      page += fmt::format("<p class=\"note\">{}</p>\n", escape(note));
    if (!section.rows.empty()) page += fit_chart(section) + residual_chart(section) + fit_table(section);
    page += "</section>\n";
  }
  page += "</main>\n";
  return page + page_end(nlohmann::ordered_json::object(), {});
}

}  // namespace psim::report
