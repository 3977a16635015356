// SPDX-License-Identifier: Apache-2.0
#include "report/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "predict/roofline.h"
#include "report/figure.h"
#include "report/html.h"
#include "report/table.h"
#include "report/web_files.h"

namespace psim::report {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> optional_number(const Json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::string point_name(const Json& point) {
  const std::string ranks = point.value("ranks", "");
  return point.at("region").get<std::string>() + (ranks.empty() ? "" : ", " + ranks);
}

/// Returns the diagram of a limit, memory or messages: its slanted lines end at the peak. Points that moved
/// no such bytes stand at the right edge, and those without a count of them are left out. Empty without lines
/// or points.
Chart roofline_chart(const Json& result, const std::string& limit, const char* key, const char* bytes,
                     const char* title) {
  Chart chart(title, {"operations per byte", "flop/B", true}, {"rate of a node", "flop/s", true});
  double peak = 0, least = 0, most = 0;
  const auto include = [&](double x) {
    least = least == 0 ? x : std::min(least, x);
    most = std::max(most, x);
  };
  bool lines = false, points = false;
  for (const Json& line : result.at("lines")) {
    if (line.at("limit") == "flops") peak = std::max(peak, line.at("flops_per_second").get<double>());
    if (line.at("limit") != limit) continue;
    lines = true;
    const double ridge = line.at("ridge_flops_per_byte").get<double>();
    if (ridge > 0) include(ridge / 8), include(ridge * 8);
  }
  for (const Json& point : result.at("points"))
    if (const auto x = optional_number(point.at(key)); x && *x > 0)
      points = true, include(*x / 2), include(*x * 2);
    else
      points = points || !point.at(bytes).is_null();
  if (least == 0) include(1);
  if (!lines || !points) return chart;
  for (const Json& line : result.at("lines")) {
    const bool flops = line.at("limit") == "flops";
    if (!flops && line.at("limit") != limit) continue;
    const double rate = line.at(flops ? "flops_per_second" : "bytes_per_second").get<double>();
    chart.series({.name = line.at("name").get<std::string>(),
                  .mark = "rule",
                  .dashed = line.value("auxiliary", false)});
    if (flops) {
      chart.add({least, rate}), chart.add({most, rate});
    } else {
      const double end = peak > 0 ? std::min(most, peak / rate) : most;
      if (end > least) chart.add({least, rate * least}), chart.add({end, rate * end});
    }
  }
  chart.series({.name = "runs", .mark = "dot"});
  for (const Json& point : result.at("points"))
    if (!point.at(bytes).is_null())
      chart.add({optional_number(point.at(key)).value_or(most), point.at("flops_per_second"),
                 fmt::format("{} ({})\n{}", point_name(point), point.at("source").get<std::string>(),
                             point.at("advice").get<std::string>())});
  return chart;
}

Table lines_table(const Json& result) {
  Table table("Roofs",
              {{"Roof", Table::Kind::Text}, {"Limit", Table::Kind::Text}, {"Rate"}, {"Ridge, flop/B"}});
  for (const Json& line : result.at("lines")) {
    const bool flops = line.at("limit") == "flops";
    table.add(
        {escape(line.at("name").get<std::string>()) + (line.value("auxiliary", false) ? " (auxiliary)" : ""),
         escape(line.at("limit").get<std::string>()),
         quantity(line.at(flops ? "flops_per_second" : "bytes_per_second").get<double>(),
                  flops ? "flop/s" : "B/s"),
         flops ? "" : fmt::format("{:.4g}", line.at("ridge_flops_per_byte").get<double>())});
  }
  return table;
}

/// Returns a share in whole per cent, below one per cent with two digits after the point.
std::string share(double value) { return fmt::format("{:.{}f} %", 100 * value, value < 0.01 ? 2 : 0); }

Table runs_table(const Json& result) {
  using Kind = Table::Kind;
  Table table("Points", {{"", Kind::Number},
                         {"Region", Kind::Text},
                         {"Rate"},
                         {"flop/B memory"},
                         {"flop/B messages"},
                         {"Attainable"},
                         {"Share of line"},
                         {"Remedy", Kind::Text},
                         {"Result", Kind::Text}});
  const auto cell = [](const Json& value) {
    const auto number = optional_number(value);
    return number ? fmt::format("{:.4g}", *number) : "";
  };
  std::size_t number = 0;
  for (const Json& point : result.at("points"))
    table.add({std::to_string(++number), escape(point_name(point)),
               quantity(point.at("flops_per_second").get<double>(), "flop/s"),
               cell(point.at("flops_per_memory_byte")), cell(point.at("flops_per_message_byte")),
               quantity(point.at("attainable_flops_per_second").get<double>(), "flop/s"),
               share(point.at("share_of_bound").get<double>()),
               escape(point.at("remedy").get<std::string>() + ": " + point.at("advice").get<std::string>()),
               escape(point.at("source").get<std::string>())});
  return table;
}

}  // namespace

PageBody roofline_page(const Json& result) {
  PageBody body;
  const auto counting = result.at("counting") == name(predict::Counting::Both) ? predict::Counting::Both
                                                                               : predict::Counting::OneWay;
  body.html = fmt::format(
      "<p>Rates are per node. Messages: {}. Dashed lines are auxiliary: measured, or a part of the "
      "peak.</p>\n",
      escape(describe(counting)));
  for (const Chart& chart : {roofline_chart(result, std::string(name(predict::Limit::Messages)),
                                            "flops_per_message_byte", "sent_bytes", "Messages between nodes"),
                             roofline_chart(result, std::string(name(predict::Limit::Memory)),
                                            "flops_per_memory_byte", "memory_bytes", "Memory of a node")})
    if (!chart.empty()) body.html += "<section>" + chart.html() + "</section>\n";
  body.html += "<section><h2>Roofs</h2>\n" + lines_table(result).html() + "</section>\n";
  body.html += "<section><h2>Points</h2>\n" + runs_table(result).html() + "</section>\n";
  for (const Json& note : result.value("notes", Json::array()))
    body.html += "<p class=\"note\">" + escape(note.get<std::string>()) + "</p>\n";
  body.scripts = {web::report_js};
  for (const std::string_view script : chart_scripts()) body.scripts.push_back(script);
  return body;
}

}  // namespace psim::report
