// SPDX-License-Identifier: Apache-2.0
#include "report/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.h"

namespace psim::report {
namespace {

constexpr double kSvgWidth = 640, kSvgHeight = 360, kSvgLeft = 70, kSvgRight = 36, kSvgBelow = 40,
                 kSvgAbove = 24;
constexpr double kLegendLine = 18;
constexpr int kColours = 8;  ///< of chart_css()

std::string svg_begin(const std::string& title, double height) {
  return fmt::format("<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", kSvgWidth,
                     height, escape(title));
}

std::string chart_legend(const std::vector<ChartSeries>& series, double top) {
  std::string out;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double y = top + kLegendLine * double(i + 1);
    out +=
        fmt::format("<line class=\"c{}{}\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>", i % kColours,
                    series[i].published ? " published" : "", kSvgLeft, y - 4, kSvgLeft + 28, y - 4);
    out += chart_text(kSvgLeft + 36, y, "start", series[i].name);
  }
  return out;
}

std::string chart_lines(const Chart& chart, const ChartAxis& x, const ChartAxis& y) {
  std::string out;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& series = chart.series[i];
    std::vector<ChartPoint> points = series.points;
    std::ranges::stable_sort(points, {}, &ChartPoint::x);
    std::string path;
    for (const ChartPoint& point : points)
      path += fmt::format("{:.1f},{:.1f} ", x.at(point.x), y.at(point.y));
    out += fmt::format("<polyline class=\"c{}{}\" points=\"{}\"/>", i % kColours,
                       series.published ? " published" : "", path);
    for (const ChartPoint& point : points)
      out += fmt::format(
          "<circle class=\"c{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"><title>{}: {:.6g}, "
          "{:.6g}</title></circle>",
          i % kColours, x.at(point.x), y.at(point.y), escape(series.name), point.x, point.y);
  }
  return out;
}

/// Returns the labels of all bars, in the order of their first use.
std::vector<std::string> groups_of(const Chart& chart) {
  std::vector<std::string> groups;
  for (const ChartSeries& series : chart.series)
    for (const ChartPoint& point : series.points)
      if (std::ranges::find(groups, point.label) == groups.end()) groups.push_back(point.label);
  return groups;
}

std::string chart_bars(const Chart& chart, const ChartAxis& y) {
  const std::vector<std::string> groups = groups_of(chart);
  const double group = (kSvgWidth - kSvgLeft - kSvgRight) / double(groups.size());
  const double bar = 0.8 * group / double(chart.series.size());
  std::string out;
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    for (const ChartPoint& point : chart.series[i].points) {
      const auto place = double(std::ranges::find(groups, point.label) - groups.begin());
      const double left = kSvgLeft + place * group + 0.1 * group + double(i) * bar, top = y.at(point.y);
      out += fmt::format(
          "<rect class=\"c{}{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
          "height=\"{:.1f}\"><title>{}, {}: {:.6g}</title></rect>",
          i % kColours, chart.series[i].published ? " published" : "", left, top, bar * 0.92,
          std::max(0.0, y.first - top), escape(chart.series[i].name), escape(point.label), point.y);
    }
  for (std::size_t i = 0; i < groups.size(); ++i)
    out += chart_text(kSvgLeft + (double(i) + 0.5) * group, y.first + 16, "middle", groups[i]);
  return out;
}

/// Returns a row for each point: computing to its y, waiting to its x.
std::string chart_timeline(const Chart& chart) {
  ChartAxis x = ChartAxis::empty(kSvgLeft, kSvgWidth - kSvgRight, false);
  x.include(0);
  for (const ChartSeries& series : chart.series)
    for (const ChartPoint& point : series.points) x.include(point.x);
  std::string out;
  double top = kSvgAbove;
  for (const ChartSeries& series : chart.series) {
    out += chart_text(kSvgLeft, top + 12, "start", series.name);
    top += kLegendLine;
    const double row = std::clamp(240.0 / double(std::max<std::size_t>(series.points.size(), 1)), 1.0, 12.0);
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const ChartPoint& point = series.points[i];
      const double y = top + row * double(i), middle = x.at(point.y);
      out += fmt::format(
          "<rect class=\"computing\" x=\"{:.1f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
          "height=\"{:.2f}\"><title>{}: {:.6g}</title></rect>",
          x.first, y, middle - x.first, 0.9 * row, i, point.y);
      out += fmt::format(
          "<rect class=\"waiting\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
          "height=\"{:.2f}\"/>",
          middle, y, std::max(0.0, x.at(point.x) - middle), 0.9 * row);
    }
    top += row * double(series.points.size()) + 8;
  }
  for (const double part : {0.0, 0.5, 1.0})
    out += chart_text(x.at(x.middle(part)), top + 12, "middle", fmt::format("{:.3g}", x.middle(part)));
  out += chart_text((x.first + x.last) / 2, top + 28, "middle", chart.x_name);
  return svg_begin(chart.title, top + kSvgBelow) + out + "</svg>\n";
}

}  // namespace

void ChartAxis::include(double value) {
  if (logarithmic && !(value > 0)) return;
  if (!std::isfinite(value)) return;
  low = std::min(low, value), high = std::max(high, value);
}

double ChartAxis::at(double value) const {
  const auto position = [this](double v) { return logarithmic ? std::log(std::max(v, low)) : v; };
  const double span = position(high) - position(low);
  return first + (span == 0 ? 0.5 : (position(value) - position(low)) / span) * (last - first);
}

double ChartAxis::middle(double part) const {
  return logarithmic ? low * std::pow(high / low, part) : low + (high - low) * part;
}

std::string chart_text(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
                     escape(text));
}

std::string chart_frame(const ChartAxis& x, const ChartAxis& y, const std::string& x_name,
                        const std::string& y_name) {
  std::string out =
      fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                  x.first, y.last, x.last - x.first, y.first - y.last);
  for (const double part : {0.0, 0.5, 1.0}) {
    out += chart_text(x.at(x.middle(part)), y.first + 16, "middle", fmt::format("{:.3g}", x.middle(part)));
    out += chart_text(x.first - 6, y.at(y.middle(part)) + 4, "end", fmt::format("{:.3g}", y.middle(part)));
  }
  out += chart_text((x.first + x.last) / 2, y.first + 32, "middle", x_name);
  return out + chart_text(x.first, y.last - 6, "start", y_name);
}

std::string chart_svg(const Chart& chart) {
  ChartAxis x = ChartAxis::empty(kSvgLeft, kSvgWidth - kSvgRight, chart.log_x),
            y = ChartAxis::empty(kSvgHeight - kSvgBelow, kSvgAbove, chart.log_y);
  bool any = false;
  if (chart.kind == Chart::Kind::Bars) y.include(0);
  for (const ChartSeries& series : chart.series)
    for (const ChartPoint& point : series.points) x.include(point.x), y.include(point.y), any = true;
  if (!any) return "";
  if (chart.kind == Chart::Kind::Timeline) return chart_timeline(chart);
  const double height = kSvgHeight + kLegendLine * (double(chart.series.size()) + 0.5);
  std::string out = svg_begin(chart.title, height);
  if (chart.kind == Chart::Kind::Lines) {
    out += chart_lines(chart, x, y) + chart_frame(x, y, chart.x_name, chart.y_name);
  } else {
    x.low = x.high = 0;
    out += chart_bars(chart, y);
    for (const double part : {0.0, 0.5, 1.0})
      out += chart_text(x.first - 6, y.at(y.middle(part)) + 4, "end", fmt::format("{:.3g}", y.middle(part)));
    out += chart_text(x.first, y.last - 6, "start", chart.y_name);
  }
  return out + chart_legend(chart.series, kSvgHeight) + "</svg>\n";
}

const char* chart_css() {
  return "svg.chart { max-width: 720px; display: block; } .chart text { fill: var(--dim); font-size: 12px; "
         "}\n"
         ".chart .frame { fill: none; stroke: var(--line); } .chart polyline, .chart line { fill: none; "
         "stroke: "
         "currentColor; stroke-width: 2; }\n.chart circle, .chart rect { fill: currentColor; } "
         ".chart polyline.published, .chart line.published { stroke-dasharray: 6 4; }\n"
         ".chart rect.published { fill-opacity: 0.45; } .chart rect.frame { fill: none; }\n"
         ".chart .computing { fill: var(--ink); } .chart .waiting { fill: #f2c200; }\n"
         ".c0 { color: #3b6fd4; } .c1 { color: #d4633b; } .c2 { color: #2f9e63; } .c3 { color: #9a55c9; }\n"
         ".c4 { color: #b8860b; } .c5 { color: #1aa3b3; } .c6 { color: #c94f8c; } .c7 { color: #7a7a7a; }\n";
}

}  // namespace psim::report
