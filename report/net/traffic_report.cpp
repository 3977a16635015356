// SPDX-License-Identifier: Apache-2.0
// The page of psim net --traffic: curves over the load, every link at each load, the points as a
// table.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/net/net_report.h"
#include "report/table.h"
#include "report/web_files.h"

namespace psim {
namespace {

using Json = nlohmann::ordered_json;
using report::count;
using report::escape;
using report::Table;

std::string number(const Json& value, double factor = 1) {
  return fmt::format("<data value=\"{}\">{:.4g}</data>", value.dump(), value.get<double>() * factor);
}

std::string table_of(const Json& points) {
  const bool energy = !points.empty() && points[0].contains("link_energy");
  std::vector<Table::Column> columns{{"Load"},          {"Offered"},         {"Accepted"},
                                     {"Mean &micro;s"}, {"Median &micro;s"}, {"99&nbsp;% &micro;s"},
                                     {"Most &micro;s"}};
  if (energy) columns.insert(columns.end(), {{"Links W"}, {"In low power %"}});
  columns.push_back({"", Table::Kind::Text});
  Table table("Points of the curve", columns);
  for (const Json& point : points) {
    std::vector<std::string> row;
    for (const char* key : {"load", "offered", "accepted"}) row.push_back(number(point[key]));
    for (const char* key : {"mean", "median", "p99", "max"})
      row.push_back(number(point.at("latency")[key], 1e6));
    if (energy) {
      row.push_back(number(point.at("link_energy").at("watts")));
      row.push_back(number(point.at("link_energy").at("low_share"), 100));
    }
    row.push_back(point.at("saturated").get<bool>() ? "saturated" : "");
    table.add(row);
  }
  return table.html();
}

std::string links_by_load(const Json& points, const Json& maps, const Json& machine) {
  std::string options, tables;
  for (const Json& map : maps)
    tables +=
        fmt::format("<div class=\"ranked\"{}>{}</div>\n", tables.empty() ? "" : " hidden", ranked_links(map));
  for (const Json& point : points)
    options += fmt::format("<option>{:.4g}</option>", point.at("load").get<double>());
  const std::string choice = "<p><label>Load <select id=\"map-load\">" + options +
                             "</select></label> All loads have one scale.</p>\n";
  return "<section aria-labelledby=\"links\"><h2 id=\"links\">Links</h2>\n" +
         (machine.is_null() ? "<p class=\"note\">One row per direction, routers from left to right. Where "
                              "there are too many, "
                              "a pixel shows the busiest of neighbouring routers.</p>\n" +
                                  choice + link_map_element()
                            : choice + machine_element(machine, false)) +
         tables + "</section>\n";
}

}  // namespace

report::PageBody traffic_page(const Json& result) {
  report::PageBody body;
  const Json points = result.value("points", Json::array());
  const Json page = result.value("page", Json::object());
  const Json maps = page.value("maps", Json::array()), machine = page.value("machine", Json());
  body.html =
      "<section aria-labelledby=\"load\"><h2 id=\"load\">Over the load</h2>\n<div "
      "id=\"traffic-curves\"></div>\n" +
      table_of(points) + "</section>\n";
  if (!maps.empty()) body.html += links_by_load(points, maps, machine);
  body.data = {{"points", points}};
  if (machine.is_null())
    body.data["maps"] = maps;
  else
    body.data["machine"] = machine, body.data["loads"] = page.at("loads");
  body.css = report::web::uplot_css;
  body.scripts = {report::web::uplot_js,    report::web::report_js,      report::web::charts_js,
                  report::web::link_map_js, report::web::machine_map_js, report::web::traffic_report_js};
  if (maps.empty()) body.missing.emplace_back("the map of links");
  return body;
}

}  // namespace psim
