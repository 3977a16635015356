// SPDX-License-Identifier: Apache-2.0
#include "report/pages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/figure.h"
#include "report/html.h"
#include "report/table.h"
#include "report/web_files.h"

namespace psim::report {
namespace {

using Json = nlohmann::ordered_json;

/// Returns an expression whose numbers have at most four digits, as HTML with the whole expression as its
/// title.
std::string short_expression(const std::string& expression) {
  std::string out;
  for (std::size_t at = 0; at < expression.size();) {
    double number = 0;
    const char *from = expression.data() + at, *end = expression.data() + expression.size();
    const bool in_name = at > 0 && (std::isalnum(static_cast<unsigned char>(from[-1])) || from[-1] == '_');
    const auto [rest, problem] = in_name || !std::isdigit(static_cast<unsigned char>(*from))
                                     ? std::from_chars_result{from, std::errc::invalid_argument}
                                     : std::from_chars(from, end, number);
    if (problem == std::errc{}) {
      out += fmt::format("{:.4g}", number);
      at += static_cast<std::size_t>(rest - from);
    } else {
      out += expression[at++];
    }
  }
  return fmt::format("<code title=\"{}\">{}</code>", escape(expression), escape(out));
}

std::string arguments_of(const Json& point) {
  return fmt::format("{}", fmt::join(point.at("args").get<std::vector<std::int64_t>>(), ", "));
}

Chart curve_chart(const Json& region, const Json& fit) {
  const std::string x_name = fit.at("x_name").get<std::string>();
  Chart chart("Points and fit", {x_name, "", true}, {"time", "cycles", true});
  const Json& curve = fit.at("curve");
  if (!curve.empty()) {
    chart.series({.name = "prediction interval of one execution", .mark = "band"});
    for (const Json& row : curve) chart.add({row.at(0), row.at(2), row.at(3)});
    chart.series({.name = "fit", .mark = "rule"});
    for (const Json& row : curve) chart.add({row.at(0), row.at(1)});
  } else {
    chart.series({.name = "fitted = measured", .mark = "rule"});
    std::vector<double> xs = fit.at("x").get<std::vector<double>>();
    std::ranges::sort(xs);
    for (const double x : xs) chart.add({x, x});
  }
  chart.series({.name = "measured", .mark = "dot"});
  std::size_t i = 0;
  for (const Json& point : region.at("points"))
    chart.add({fit.at("x").at(i++), point.at("cycles"), "(" + arguments_of(point) + ")"});
  return chart;
}

/// Returns the error of the fit at a point in per cent; roundings are none.
double error_of(const Json& point) {
  const double percent = 100 * (point.at("fitted").get<double>() / point.at("cycles").get<double>() - 1);
  return std::abs(percent) < 1e-6 ? 0 : percent;
}

Chart residual_chart(const Json& region, const Json& fit) {
  Chart chart("Residuals: fitted / measured - 1", {fit.at("x_name").get<std::string>(), "", true},
              {"error", "%"});
  std::vector<double> xs = fit.at("x").get<std::vector<double>>();
  chart.series({.name = "no error", .mark = "rule"});
  const auto [least, most] = std::ranges::minmax(xs);
  chart.add({least, 0}), chart.add({most, 0});
  chart.series({.name = "points", .mark = "dot"});
  std::size_t i = 0;
  for (const Json& point : region.at("points"))
    chart.add({xs.at(i++), error_of(point), "(" + arguments_of(point) + ")"});
  return chart;
}

std::string estimate_text(const Json& estimate, const char* unit) {
  return fmt::format("{} ({} to {})", quantity(estimate.at("value").get<double>(), unit),
                     quantity(estimate.at("interval").at(0).get<double>(), unit),
                     quantity(estimate.at("interval").at(1).get<double>(), unit));
}

std::string predictions_table(const Json& region) {
  if (!region.contains("predictions") || region.at("predictions").empty()) return "";
  using Kind = Table::Kind;
  Table table("Predictions of " + escape(region.at("name").get<std::string>()),
              {{"Arguments", Kind::Text}, {"Cycles"}, {"Time"}, {"Energy"}, {"Range", Kind::Text}});
  for (const Json& one : region.at("predictions")) {
    const Json& cycles = one.at("cycles");
    table.add({arguments_of(one), estimate_text(cycles, ""), estimate_text(one.at("seconds"), "s"),
               one.contains("joules") ? estimate_text(one.at("joules"), "J") : "not fitted",
               cycles.value("beyond_cache", false)   ? "extrapolated, beyond the second-level cache"
               : cycles.value("extrapolated", false) ? "extrapolated"
                                                     : "inside"});
  }
  return table.html();
}

/// Returns a number of cycles, which may be a mean: whole from 1,000 on.
std::string cycles_text(double cycles) {
  return fmt::format("<data value=\"{}\">{}</data>", cycles,
                     cycles < 1000 ? fmt::format("{:.4g}", cycles)
                                   : grouped(static_cast<std::uint64_t>(std::llround(cycles))));
}

std::string points_table(const Json& region) {
  Table table("Points of " + escape(region.at("name").get<std::string>()),
              {{"Arguments", Table::Kind::Text}, {"Measured, cycles"}, {"Fitted, cycles"}, {"Error"}});
  auto points = region.at("points").get<std::vector<Json>>();  // with those that psim has added at the end
  std::ranges::stable_sort(points, {},
                           [](const Json& one) { return one.at("args").get<std::vector<std::int64_t>>(); });
  for (const Json& point : points)
    table.add({arguments_of(point), cycles_text(point.at("cycles").get<double>()),
               cycles_text(point.at("fitted").get<double>()), fmt::format("{:.2f} %", error_of(point))});
  return table.html();
}

std::string percent_of(const Json& region, const char* key) {
  if (!region.contains(key) || !region.at(key).is_number()) return "unknown";
  const double percent = 100 * region.at(key).get<double>();
  return percent < 0.001 ? "below 0.001 %" : fmt::format("{:.3g} %", percent);
}

}  // namespace

PageBody fit_page(const Json& result) {
  PageBody body;
  const Json fits = result.value("page", Json::object()).value("fits", Json::array());
  std::size_t number = 0;
  for (const Json& region : result.at("regions")) {
    const std::string name = escape(region.at("name").get<std::string>());
    body.html += fmt::format(
        "<section><h2>{}</h2>\n<p class=\"dim\">{} on {}</p>\n<p>{} cycles</p>\n<p class=\"note\">{} points; "
        "largest "
        "error {}; error of left-out points {}.</p>\n",
        name, escape(region.value("program", "")), escape(region.value("machine", "")),
        short_expression(region.at("cycles").get<std::string>()), region.at("points").size(),
        percent_of(region, "largest_error"), percent_of(region, "cross_validation_error"));
    if (region.contains("joules"))
      body.html += "<p>" + short_expression(region.at("joules").get<std::string>()) + " J</p>\n";
    Json notes = number < fits.size() ? fits[number].value("notes", Json::array()) : Json::array();
    for (const Json& warning : region.value("warnings", Json::array())) notes.push_back(warning);
    for (const Json& note : notes)
      body.html += "<p class=\"note\">" + escape(note.get<std::string>()) + "</p>\n";
    if (number < fits.size() && !region.at("points").empty())
      body.html += curve_chart(region, fits[number]).html() + residual_chart(region, fits[number]).html();
    body.html += predictions_table(region) + points_table(region) + "</section>\n";
    ++number;
  }
  body.scripts = {web::report_js};
  for (const std::string_view script : chart_scripts()) body.scripts.push_back(script);
  if (fits.empty()) body.missing.emplace_back("charts of points and curves");
  return body;
}

}  // namespace psim::report
