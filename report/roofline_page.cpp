// SPDX-License-Identifier: Apache-2.0
#include "report/roofline_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/page.h"
#include "report/table.h"

namespace psim::report {
namespace {

using predict::Assessment;
using predict::Limit;
using predict::Roofline;
using predict::RoofLine;
using predict::RooflinePoint;

constexpr double kRoofWidth = 860, kRoofHeight = 470, kLeft = 84, kRight = 24, kTop = 26, kBottom = 56;
constexpr double kGiga = 1e9;

/// A logarithmic axis over whole decades, or thirds of one if it is short.
struct Decades {
  double low, high, first, last;
  double at(double value) const {
    return first + std::log(value / low) / std::log(high / low) * (last - first);
  }
};

Decades decades(double least, double most, double first, double last) {
  return {std::pow(10, std::floor(std::log10(least))), std::pow(10, std::ceil(std::log10(most * 1.2))), first,
          last};
}

std::string label(double x, double y, const char* anchor, std::string_view text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>", x, y, anchor, more,
                     escape(text));
}

std::string grid(const Decades& x, const Decades& y, const std::string& x_name) {
  std::string out;
  for (double value = x.low; value < x.high * 1.01; value *= 10) {
    out += fmt::format("<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>", x.at(value), y.first, y.last);
    out += label(x.at(value), y.first + 18, "middle", fmt::format("{:g}", value));
  }
  for (double value = y.low; value < y.high * 1.01; value *= 10) {
    out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", x.first, y.at(value), x.last);
    out += label(x.first - 8, y.at(value) + 4, "end", fmt::format("{:g}", value));
  }
  out += label((x.first + x.last) / 2, y.first + 42, "middle", x_name);
  return out + label(x.first - 60, y.last - 10, "start", "GFlop/s per node");
}

/// Returns a line of flops from edge to edge, or a slanted line up to the peak, with its name.
std::string drawn(const Roofline& roofline, const RoofLine& line, const Decades& x, const Decades& y) {
  const double rate = roofline.rate(line) / kGiga, peak = roofline.peak() / kGiga;
  const char* kind = line.measured ? "roof measured" : "roof";
  if (line.limit == Limit::Flops)
    return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", kind, x.first, y.at(rate),
                       x.last) +
           label(x.last - 4, y.at(rate) - 6, "end", fmt::format("{}: {:.6g} GFlop/s", line.name, rate));
  const double from = std::max(x.low, y.low / rate),
               to = std::min({x.high, peak > 0 ? peak / rate : x.high, y.high / rate});
  if (from >= to) return "";
  const double slope =
      std::atan2(y.at(rate * to) - y.at(rate * from), x.at(to) - x.at(from)) * 180 / std::acos(-1);
  const double middle = std::sqrt(from * to);
  return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", kind, x.at(from),
                     y.at(rate * from), x.at(to), y.at(rate * to)) +
         label(x.at(middle), y.at(rate * middle) - 6, "middle",
               fmt::format("{}: {:.6g} GB/s", line.name, rate),
               fmt::format(" transform=\"rotate({:.1f} {:.1f} {:.1f})\"", slope, x.at(middle),
                           y.at(rate * middle))
                   .c_str());
}

std::string intensity_text(const std::optional<double>& intensity) {
  return intensity ? fmt::format("{:.4g} flop/B", *intensity) : "no bytes";
}

std::string point_name(const RooflinePoint& point) {
  return point.region + (point.ranks.empty() ? "" : ", " + point.ranks);
}

std::string explanation(const RooflinePoint& point, const Assessment& found) {
  return fmt::format("{} ({}): {:.4g} GFlop/s; memory {}, messages {}; attainable {:.4g} GFlop/s; {}",
                     point_name(point), point.source, found.rate / kGiga,
                     intensity_text(found.memory_intensity), intensity_text(found.message_intensity),
                     found.attainable / kGiga, found.advice);
}

}  // namespace

std::string roofline_chart(const Roofline& roofline, Limit limit, const std::vector<RooflinePoint>& points) {
  const auto intensity = [limit](const Assessment& one) {
    return limit == Limit::Memory ? one.memory_intensity : one.message_intensity;
  };
  const auto counted = [limit](const RooflinePoint& one) {
    return limit == Limit::Memory ? one.work.memory_bytes.has_value() : one.work.sent_bytes.has_value();
  };
  if (roofline.fastest(limit) == nullptr || std::ranges::none_of(points, counted)) return "";
  std::vector<double> xs, ys;
  for (const RoofLine& line : roofline.lines) {
    if (line.limit == Limit::Flops) ys.push_back(line.rate / kGiga);
    if (line.limit == limit && roofline.peak() > 0)
      xs.insert(xs.end(), {roofline.ridge(line) / 3, roofline.ridge(line) * 3});
  }
  for (const RooflinePoint& point : points) {
    const Assessment found = assess(roofline, point.work);
    if (!counted(point)) continue;
    ys.insert(ys.end(), {found.rate / kGiga, found.attainable / kGiga});
    if (intensity(found)) xs.push_back(*intensity(found));
  }
  if (xs.empty()) xs.push_back(1);
  const auto [x_least, x_most] = std::ranges::minmax(xs);
  const auto [y_least, y_most] = std::ranges::minmax(ys);
  const Decades x = decades(x_least, x_most, kLeft, kRoofWidth - kRight),
                y = decades(y_least, y_most, kRoofHeight - kBottom, kTop);
  const char* bytes = limit == Limit::Memory ? "flop per byte of memory" : "flop per byte of messages";
  std::string out =
      fmt::format("<svg class=\"roofline\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"roofline: {}\">",
                  kRoofWidth, kRoofHeight, bytes);
  out += grid(x, y,
              limit == Limit::Messages
                  ? fmt::format("{}, {}", bytes,
                                roofline.counting == predict::Counting::Both ? "both directions" : "one way")
                  : bytes);
  for (const RoofLine& line : roofline.lines)
    if (line.limit == Limit::Flops || line.limit == limit) out += drawn(roofline, line, x, y);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!counted(points[i])) continue;
    const Assessment found = assess(roofline, points[i].work);
    const double across = intensity(found) ? x.at(*intensity(found)) : x.last, up = y.at(found.rate / kGiga);
    out += fmt::format(
        "<g class=\"point\" tabindex=\"0\"><circle cx=\"{:.1f}\" cy=\"{:.1f}\" "
        "r=\"5\"/>{}<title>{}</title></g>",
        across, up, label(across + 8, up + 4, "start", std::to_string(i + 1)),
        escape(explanation(points[i], found)));
  }
  return out + "</svg>\n";
}

std::string roofline_page(const Roofline& roofline, const std::vector<RooflinePoint>& points,
                          const std::vector<std::string>& notes) {
  std::string page = page_begin(
      "Roofline of " + escape(roofline.machine),
      "svg.roofline { max-width: 980px; display: block; } .roofline text { fill: var(--dim); font-size: "
      "13px; } "
      ".roofline .grid { fill: none; stroke: var(--line); stroke-width: 1; } .roofline .roof { fill: none; "
      "stroke: "
      "var(--accent); stroke-width: 2.5; } .roofline .measured { stroke-dasharray: 7 5; } .roofline circle { "
      "fill: "
      "var(--flag); stroke: var(--paper); } .roofline .point text { fill: var(--ink); font-weight: 600; } "
      ".roofline .point:hover circle, .roofline .point:focus circle { r: 8px; }\n");
  page += fmt::format(
      "<header><h1>Roofline of {}</h1>{}</header>\n<main>\n<p>Rates are per node. Messages: {}. Dashed lines "
      "are "
      "measured. A point shows its numbers under the pointer.</p>\n",
      escape(roofline.machine), theme_button(), escape(describe(roofline.counting)));
  for (const auto& [limit, title] :
       {std::pair(Limit::Messages, "Messages between nodes"), std::pair(Limit::Memory, "Memory of a node")})
    if (const std::string chart = roofline_chart(roofline, limit, points); !chart.empty())
      page += fmt::format("<section><h2>{}</h2>\n{}</section>\n", title, chart);
  using Kind = Table::Kind;
  Table table("Points", {{"", Kind::Number},
                         {"Region", Kind::Text},
                         {"GFlop/s"},
                         {"flop/B memory"},
                         {"flop/B messages"},
                         {"Attainable"},
                         {"Share of line"},
                         {"Remedy", Kind::Text},
                         {"Result", Kind::Text}});
  const auto cell = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : "";
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Assessment found = assess(roofline, points[i].work);
    table.add({std::to_string(i + 1), escape(point_name(points[i])),
               fmt::format("{:.4g}", found.rate / kGiga), cell(found.memory_intensity),
               cell(found.message_intensity), fmt::format("{:.4g}", found.attainable / kGiga),
               fmt::format("{:.0f} %", 100 * found.share),
               escape(fmt::format("{}: {}", name(found.remedy), found.advice)), escape(points[i].source)});
  }
  page += fmt::format("<section><h2>Points</h2>\n{}</section>\n", table.html());
  for (const std::string& note : notes) page += fmt::format("<p class=\"note\">{}</p>\n", escape(note));
  return page + "</main>\n" + page_end(nlohmann::ordered_json::object(), {});
}

}  // namespace psim::report
