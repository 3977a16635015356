// SPDX-License-Identifier: Apache-2.0
#include "report/fit_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/page.h"
#include "report/svg_chart.h"
#include "report/web_files.h"

namespace psim::report {
namespace {

constexpr double kChartWidth = 640, kChartHeight = 360, kResidualHeight = 160, kMargin = 70;

std::string fit_chart(const FitSection& section) {
  ChartAxis x = ChartAxis::empty(kMargin, kChartWidth - 20, true),
            y = ChartAxis::empty(kChartHeight - 40, 24, true);
  for (const FitRow& row : section.rows) x.include(row.x), y.include(row.measured), y.include(row.fitted);
  for (const FitCurve& point : section.curve)
    x.include(point.x), y.include(point.value), y.include(point.high);
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
  return out + chart_frame(x, y, section.x_name, section.unit) + "</svg>\n";
}

std::string residual_chart(const FitSection& section) {
  ChartAxis x = ChartAxis::empty(kMargin, kChartWidth - 20, true);
  double largest = 1e-4;
  for (const FitRow& row : section.rows) {
    x.include(row.x);
    largest = std::max(largest, std::abs(row.fitted / row.measured - 1) * 100);
  }
  const ChartAxis y{-largest, largest, kResidualHeight - 40, 24, false};
  std::string out =
      fmt::format("<svg class=\"fit\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"residuals\">",
                  kChartWidth, kResidualHeight);
  for (const FitRow& row : section.rows)
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", x.at(row.x),
                       y.at(100 * (row.fitted / row.measured - 1)));
  return out + chart_frame(x, y, section.x_name, "fitted / measured - 1, %") + "</svg>\n";
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
