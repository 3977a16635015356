// SPDX-License-Identifier: Apache-2.0
// The HTML report of psim net --traffic: curves over the load, every link at each load, the points as a
// table.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/net/net_report.h"
#include "report/net/traffic_result.h"
#include "report/page.h"
#include "report/sections.h"
#include "report/table.h"
#include "report/web_files.h"

namespace psim {
namespace {

using Json = nlohmann::ordered_json;
using report::card;
using report::count;
using report::escape;
using report::Table;

std::string traffic_report_summary(const Json& result) {
  const Json& topology = result["topology"];
  std::string out = "<dl class=\"cards\" aria-label=\"summary\">\n";
  out += card("Nodes", count(topology["nodes"].get<std::uint64_t>()));
  out += card("Network", escape(topology["shape"].get<std::string>()));
  out += card("Routing", escape(topology["routing"].get<std::string>()));
  out += card("Message", escape(result["message"].get<std::string>()));
  if (result.contains("saturation"))
    out += card("Largest load carried", fmt::format("{:.4g}", result["saturation"]["load"].get<double>()));
  out += card("Messages", count(result["messages"].get<std::uint64_t>()));
  out += card("Packet-hops", count(result["packet_hops"].get<std::uint64_t>()));
  out += card("Simulation speed",
              fmt::format("{:.2f} M hops/s", result["host"]["packet_hops_per_second"].get<double>() * 1e-6));
  return out + "</dl>\n";
}

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
      row.push_back(number(point["latency"][key], 1e6));
    if (energy) {
      row.push_back(number(point["link_energy"]["watts"]));
      row.push_back(number(point["link_energy"]["low_share"], 100));
    }
    row.push_back(point["saturated"].get<bool>() ? "saturated" : "");
    table.add(row);
  }
  return table.html();
}

std::string links(const std::vector<LoadPoint>& points) {
  std::string options, tables;
  for (const LoadPoint& point : points)
    tables += fmt::format("<div class=\"ranked\"{}>{}</div>\n", tables.empty() ? "" : " hidden",
                          ranked_links(point.links));
  for (const LoadPoint& point : points) options += fmt::format("<option>{:.4g}</option>", point.load);
  return "<section aria-labelledby=\"links\"><h2 id=\"links\">Links</h2>\n<p class=\"note\">One row per "
         "direction, routers from left to right. Where there are too many, a pixel shows the busiest of "
         "neighbouring routers. All loads have one scale.</p>\n<p><label>Load <select id=\"map-load\">" +
         options + "</select></label></p>\n" + link_map_element() + tables + "</section>\n";
}

}  // namespace

std::string traffic_report(const std::string& text, const std::vector<LoadPoint>& points) {
  const Json result = Json::parse(text);
  const Json all = result.value("points", Json::array());
  const std::string title = escape(result["traffic"].get<std::string>() + " traffic");
  std::string page = report::page_begin(title, report::web::uplot_css);
  page += "<header><div><h1>" + title + "</h1>\n<p class=\"dim\">psim net --traffic</p>";
  if (result.contains("partial"))
    page += "<p class=\"flag\">Ended early: " + escape(result["partial"].get<std::string>()) + "</p>";
  page += "</div>" + report::theme_button() + "</header>\n<main>\n" + traffic_report_summary(result);
  page +=
      "<section aria-labelledby=\"load\"><h2 id=\"load\">Over the load</h2>\n<div "
      "id=\"traffic-curves\"></div>\n" +
      table_of(all) + "</section>\n" + links(points) + report::machine_section(result) +
      report::identity_section(result);
  page += "</main>\n<footer>psim " + escape(result.value("version", "")) +
          ". This file is self-contained. Charts: uPlot, MIT licence, &copy; 2022 Leon Sorokin.</footer>\n";
  Json data{{"points", all}, {"maps", Json::array()}};
  for (const LoadPoint& point : points) data["maps"].push_back(point.links);
  return page + report::page_end(data, {report::web::uplot_js, report::web::report_js, report::web::charts_js,
                                        report::web::link_map_js, report::web::traffic_report_js});
}

}  // namespace psim
