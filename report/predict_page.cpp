// SPDX-License-Identifier: Apache-2.0
#include "report/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/figure.h"
#include "report/html.h"
#include "report/sections.h"
#include "report/table.h"
#include "report/web_files.h"

namespace psim::report {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Table::Kind;

double width_of(const Json& row) {
  return row.at("high_seconds").get<double>() - row.at("low_seconds").get<double>();
}

std::string interval_of(const Json& row) {
  return fmt::format("{} to {}", time_of(row.at("low_seconds").get<double>()),
                     time_of(row.at("high_seconds").get<double>()));
}

std::string ranks_of(const Json& row) {
  const auto ranks = row.at("ranks").get<std::uint64_t>();
  return fmt::format("{} rank{}", grouped(ranks), ranks == 1 ? "" : "s");
}

std::string times(const Json& predictions) {
  Chart chart("Predicted time", {"ranks", "", true, true}, {"time", "s"});
  chart.series({.name = "95 % interval", .mark = "interval"});
  for (const Json& one : predictions)
    chart.add({one.at("ranks"), one.at("low_seconds"), one.at("high_seconds")});
  chart.series({.name = "prediction"});
  for (const Json& one : predictions) chart.add({one.at("ranks"), one.at("seconds")});
  Table table("Predictions",
              {{"Ranks"}, {"Time"}, {"95 % interval"}, {"Half of it"}, {"Arguments", Kind::Text}});
  for (const Json& one : predictions) {
    const auto seconds = one.at("seconds").get<double>();
    table.add({count(one.at("ranks").get<std::uint64_t>()), time_of(seconds), interval_of(one),
               seconds > 0 ? fmt::format("± {:.1f} %", 50 * width_of(one) / seconds) : "",
               one.value("extrapolated", false) ? "extrapolated" : "as measured"});
  }
  return chart.html() + table.html();
}

/// Returns the rows of the regions at a number of ranks.
std::vector<Json> rows_at(const Json& regions, const Json& ranks) {
  std::vector<Json> rows;
  std::ranges::copy_if(regions, std::back_inserter(rows),
                       [&](const Json& row) { return row.at("ranks") == ranks; });
  return rows;
}

std::string parts(const Json& predictions, const Json& regions) {
  Chart chart("Time of the mean rank by region", {"time", "s"}, {"ranks"}, Chart::Kind::Parts);
  std::vector<std::string> names, numbers;
  for (const Json& row : regions)
    if (const auto name = row.at("name").get<std::string>(); std::ranges::find(names, name) == names.end())
      names.push_back(name);
  for (const Json& one : predictions) numbers.push_back(ranks_of(one));
  chart.rows(numbers);
  for (const std::string& name : names) {
    chart.series({.name = name});
    for (const Json& one : predictions) {
      double begin = 0;
      for (const Json& row : rows_at(regions, one.at("ranks"))) {
        const double end = begin + row.at("seconds").get<double>();
        if (row.at("name") == name)
          chart.add({begin, end, ranks_of(one),
                     fmt::format("{}, {:.1f} % of the time", name, 100 * row.at("share").get<double>()), 1});
        begin = end;
      }
    }
  }
  Table table("Regions, of the mean rank", {{"Ranks"},
                                            {"Region", Kind::Text},
                                            {"Executions"},
                                            {"Time"},
                                            {"95 % interval"},
                                            {"Share of time"},
                                            {"Share of interval"}});
  for (const Json& one : predictions) {
    const std::vector<Json> rows = rows_at(regions, one.at("ranks"));
    double width = 0;
    for (const Json& row : rows) width += width_of(row);
    for (const Json& row : rows)
      table.add({count(row.at("ranks").get<std::uint64_t>()), escape(row.at("name").get<std::string>()),
                 row.at("executions") == 0 ? "" : count(row.at("executions").get<std::uint64_t>()),
                 time_of(row.at("seconds").get<double>()), interval_of(row),
                 fmt::format("{:.1f} %", 100 * row.at("share").get<double>()),
                 width > 0 ? fmt::format("{:.1f} %", 100 * width_of(row) / width) : ""});
  }
  return chart.html() + table.html();
}

}  // namespace

PageBody predict_page(const Json& result) {
  PageBody body;
  const Json& predictions = result.at("predictions");
  const auto nodes = result.at("measured_nodes").get<std::uint64_t>();
  body.html = "<section aria-labelledby=\"times\"><h2 id=\"times\">Time by number of ranks</h2>\n" +
              times(predictions) +
              "</section>\n<section aria-labelledby=\"parts\"><h2 id=\"parts\">Regions</h2>\n" +
              parts(predictions, result.at("regions")) +
              "</section>\n<section aria-labelledby=\"rests\"><h2 id=\"rests\">What the interval rests "
              "on</h2>\n<ul>\n";
  const auto detailed = result.value("detailed_nodes", "");
  if (detailed.empty())
    body.html += fmt::format("<li>computing was measured on {} cycle-level node{}</li>\n", grouped(nodes),
                             nodes == 1 ? "" : "s");
  else
    body.html += fmt::format("<li>computing was measured on cycle-level node{} {} of {}</li>\n",
                             detailed.find_first_of(",-") == std::string::npos ? "" : "s", escape(detailed),
                             grouped(nodes));
  for (const Json& one : result.at("assumptions"))
    body.html += "<li>" + escape(one.get<std::string>()) + "</li>\n";
  body.html += "</ul></section>\n";
  body.scripts = {web::report_js};
  for (const std::string_view script : chart_scripts()) body.scripts.push_back(script);
  return body;
}

}  // namespace psim::report
