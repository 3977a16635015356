// SPDX-License-Identifier: Apache-2.0
#include "report/net/net_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/figure.h"
#include "report/html.h"
#include "report/net/compute_result.h"
#include "report/net/efficiency_result.h"
#include "report/net/net_result.h"
#include "report/sections.h"
#include "report/statistics_section.h"
#include "report/table.h"
#include "report/timeline/rank_section.h"
#include "report/web_files.h"

namespace psim {
namespace {

using Json = nlohmann::ordered_json;
using report::count;
using report::escape;
using report::Table;
using Kind = Table::Kind;

std::string number(const Json& value, const char* unit) {
  return report::quantity(value.get<double>(), unit);
}

std::string us(const Json& seconds) { return report::time_of(seconds.get<double>()); }
std::string percent(const Json& share) { return fmt::format("{:.2f} %", 100 * share.get<double>()); }

std::string every_link(const Json& map, const Json& machine, bool over_time) {
  if (!machine.is_null()) return machine_element(machine, over_time) + ranked_links(map);
  return "\n<h3>Every link</h3><p class=\"note\">One row per direction, routers from left to right. Where "
         "there are too many, a pixel shows the busiest of neighbouring routers.</p>\n" +
         link_map_element() + ranked_links(map);
}

std::string links(const Json& result, const Json& map, const Json& machine, bool over_time) {
  Table table("Links by direction",
              {{"Direction", Kind::Text}, {"Links"}, {"Packets"}, {"Busy, mean"}, {"Busy, most"}});
  const Json kinds = result.at("links").value("kinds", Json::object());
  for (const auto& [name, kind] : kinds.items())
    table.add({escape(name), count(kind.at("count").get<std::uint64_t>()),
               count(kind.at("packets").get<std::uint64_t>()), percent(kind.at("mean_utilization")),
               percent(kind.at("max_utilization"))});
  return "<section aria-labelledby=\"links\"><h2 id=\"links\">Links</h2>\n" + table.html() +
         (map.is_null() ? "" : every_link(map, machine, over_time)) + "</section>\n";
}

std::string ranks(const Json& result) {
  if (!result.contains("per_rank")) return "";
  Table table("Time of ranks", {{"Time", Kind::Text}, {"Least"}, {"Mean"}, {"Most"}});
  for (const auto& [name, times] : result.at("per_rank").items())
    table.add({report::label_of(name), us(times.at("min")), us(times.at("mean")), us(times.at("max"))});
  return "<section aria-labelledby=\"ranks\"><h2 id=\"ranks\">Ranks</h2>\n" + table.html() + "</section>\n";
}

/// Returns the assumptions of the result, in words, including those of the host's part.
std::string assumptions(const Json& result) {
  std::vector<std::string> all = result.value("assumptions", std::vector<std::string>{});
  if (const std::string text = uncounted_computing(result, result.at("host")); !text.empty())
    all.push_back(text + ": times and rates that the program prints include its messages only.");
  if (const std::string text = coverage(result, result.at("host")); !text.empty()) all.push_back(text + ".");
  return report::assumptions_section(all);
}

std::string jobs(const Json& result) {
  if (!result.contains("jobs")) return "";
  const Json& all = result.at("jobs");
  const bool alone =
      std::any_of(all.begin(), all.end(), [](const Json& job) { return job.contains("slow_down"); });
  std::vector<Table::Column> columns{{"Job", Kind::Text}, {"Ranks"},   {"Nodes"},
                                     {"Start"},           {"End"},     {"Computing"},
                                     {"In transfers"},    {"Waiting"}, {"Ending", Kind::Text}};
  if (alone) columns.push_back({"Slow-down"});
  Table table("Jobs", columns);
  for (const Json& job : all) {
    const Json& times = job.at("per_rank");
    std::vector<std::string> row{escape(job.at("name").get<std::string>()),
                                 count(job.at("ranks").get<std::uint64_t>()),
                                 count(job.at("nodes").get<std::uint64_t>()),
                                 us(job.at("start")),
                                 us(job.at("end")),
                                 us(times.at("compute").at("mean")),
                                 us(times.at("transfer").at("mean")),
                                 us(times.at("wait").at("mean")),
                                 escape(job.at("ending").get<std::string>())};
    if (alone)
      row.push_back(job.contains("slow_down") ? fmt::format("{:.4f}", job.at("slow_down").get<double>())
                                              : "");
    table.add(row);
  }
  return "<section aria-labelledby=\"jobs\"><h2 id=\"jobs\">Jobs</h2>\n" + table.html() + "</section>\n";
}

/// Returns a table of the energy of links by job, and of the time that they were awake for it.
std::string link_shares(const Json& energy) {
  if (!energy.contains("jobs")) return "";
  Table table("Energy of links by job", {{"Job", Kind::Text}, {"Energy"}, {"Awake, all directions"}});
  const auto add = [&](const std::string& name, const Json& one) {
    table.add({escape(name), number(one.at("joules"), "J"), us(one.at("awake_seconds"))});
  };
  for (const Json& job : energy.at("jobs")) add(job.at("name").get<std::string>(), job);
  add("no job, or in low power", energy.at("nobody"));
  return "<h3>Links kept awake, by job</h3>" + table.html();
}

std::string link_energy(const Json& result) {
  if (!result.contains("link_energy")) return "";
  const Json& energy = result.at("link_energy");
  Table table("Energy of links by direction",
              {{"Direction", Kind::Text}, {"Directions"}, {"Energy"}, {"In low power"}, {"Woken"}});
  const auto add = [&](const std::string& name, const Json& group) {
    table.add({escape(name), count(group.at("directions").get<std::uint64_t>()),
               number(group.at("joules"), "J"), percent(group.at("low_share")),
               count(group.at("wakes").get<std::uint64_t>())});
  };
  for (const auto& [name, kind] : energy.at("kinds").items()) add(name, kind);
  add("all", energy);
  std::string compared;
  if (energy.contains("compare")) {
    const Json& compare = energy.at("compare");
    compared = fmt::format(
        "<p>Against the same run with links always on: {:.4f} of the power, {:.4f} of the energy, "
        "{:.4f} of the time.</p>\n",
        compare.at("normalized_power").get<double>(), compare.at("normalized_energy").get<double>(),
        compare.at("normalized_time").get<double>());
  }
  return fmt::format(
      "<section aria-labelledby=\"link-energy\"><h2 id=\"link-energy\">Energy of links</h2>\n"
      "<p>Mean {}; {} if always on.</p>\n{}{}{}</section>\n",
      number(energy.at("watts"), "W"), number(energy.at("always_on_watts"), "W"), compared, table.html(),
      link_shares(energy));
}

std::string latency(const Json& result) {
  const Json& packets = result.at("packet_latency");
  return fmt::format(
      "<section aria-labelledby=\"latency\"><h2 id=\"latency\">Packet latency</h2>\n<p>Mean {}, median {}, "
      "99 % within {}, maximum {}.</p>\n<div id=\"latency-chart\"></div></section>\n",
      us(packets.at("mean")), us(packets.at("median")), us(packets.at("p99")), us(packets.at("max")));
}

}  // namespace

namespace {
/// Returns the rank of a link in the table of the most used ones; scripts make it a button that shows the
/// link.
std::string link_number(const Json& link, std::uint64_t row) {
  if (!link.contains("link")) return count(row);
  return fmt::format("<span data-link=\"{}\">{}</span>", link["link"].get<std::uint64_t>(), count(row));
}
}  // namespace

std::string link_map_element() {
  return "<div id=\"link-scale\" class=\"scale\" role=\"img\" aria-label=\"scale of the map\"></div>\n"
         "<div><canvas id=\"link-map\" role=\"img\" aria-label=\"map of links: share of time that each was "
         "busy\"></canvas></div>\n";
}

std::string machine_element(const Json& machine, bool over_time) {
  const auto form = machine.at("form").get<std::string>();
  std::string note =
      "Each line is one direction of a link and begins at its router; busier ones are thicker. ";
  if (form == "planes") note += "Slanted lines leave the plane. ";
  if (form == "units") note += "Frames are units of 12; slanted and short lines lead to other units. ";
  const auto routers = machine.at("routers").get<std::uint64_t>(),
             points = machine.at("points").get<std::uint64_t>();
  if (points < routers) {
    std::uint64_t directions = 0;
    for (const Json& channels : machine.value("channels", Json::array()))
      directions += channels.get<std::uint64_t>();
    note += fmt::format(
        "{} directions of links are drawn as {} lines: up to {} neighbouring routers are one of {} points, "
        "and "
        "a line is the mean of its links. ",
        report::grouped(directions), report::grouped(machine.at("links").get<std::uint64_t>()),
        report::grouped((routers + points - 1) / points), report::grouped(points));
  }
  return "\n<h3>The machine</h3><p class=\"note\">" + note +
         (over_time ? "Choose a link by a click or the arrow keys to see its history and sources."
                    : "Choose a link by a click or the arrow keys.") +
         "</p>\n<div "
         "id=\"machine-map\"></div><noscript><p class=\"dim\">The picture needs scripts.</p></noscript>\n";
}

std::string ranked_links(const Json& map) {
  if (!map.contains("ranked") || map["ranked"].empty()) return "";
  Table table("The most used links", {{"Place"},
                                      {"From", Kind::Text},
                                      {"To", Kind::Text},
                                      {"Direction", Kind::Text},
                                      {"Busy"},
                                      {"Packets"},
                                      {"Bytes"}});
  std::uint64_t row = 0;
  for (const Json& link : map["ranked"])
    table.add({link_number(link, ++row), "router " + count(link.at("from").get<std::uint64_t>()),
               "router " + count(link.at("to").get<std::uint64_t>()),
               escape(link.at("kind").get<std::string>()), percent(link.at("busy")),
               count(link.at("packets").get<std::uint64_t>()), count(link.at("bytes").get<std::uint64_t>())});
  return table.html();
}

Json link_map(const net::Graph& graph, const net::Simulation& simulation, const MachineMap* map_of) {
  constexpr std::uint32_t kMost = 512;
  const std::uint32_t group = (graph.routers() + kMost - 1) / kMost;
  const std::uint32_t groups = (graph.routers() + group - 1) / group;
  std::vector<std::vector<std::uint64_t>> busiest(graph.kinds.size(), std::vector<std::uint64_t>(groups));
  std::vector<bool> used(graph.kinds.size());
  struct Used {
    net::ChannelCount count;
    std::uint32_t router, port;
  };
  std::vector<Used> links;
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port) {
      const net::Channel& channel = graph.channel(router, port);
      if (channel.to_router == net::Channel::kNowhere) continue;
      std::uint64_t& most = busiest[channel.kind][router / group];
      const net::ChannelCount carried = simulation.fabric().count(router, port);
      most = std::max(most, carried.busy);
      if (carried.packets != 0) links.push_back({carried, router, port});
      used[channel.kind] = true;
    }
  Json map{{"routers_a_column", group}, {"rows", Json::array()}};
  const double time = static_cast<double>(std::max<std::uint64_t>(1, simulation.last()));
  for (std::size_t kind = 0; kind < busiest.size(); ++kind) {
    if (!used[kind]) continue;
    Json values = Json::array();
    for (const std::uint64_t busy : busiest[kind])
      values.push_back(std::min(1000.0, static_cast<double>(busy) / time * 1000) / 1000);
    map["rows"].push_back({{"name", graph.kinds[kind].name}, {"busy", values}});
  }
  constexpr std::size_t kRanked = 20;
  const std::size_t ranked = std::min(kRanked, links.size());
  std::partial_sort(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(ranked), links.end(),
                    [](const Used& a, const Used& b) {
                      if (a.count.busy != b.count.busy) return a.count.busy > b.count.busy;
                      return std::pair(a.router, a.port) < std::pair(b.router, b.port);
                    });
  map["ranked"] = Json::array();
  for (std::size_t i = 0; i < ranked; ++i) {
    const net::Channel& channel = graph.channel(links[i].router, links[i].port);
    map["ranked"].push_back({{"from", links[i].router},
                             {"to", channel.to_router},
                             {"kind", graph.kinds[channel.kind].name},
                             {"busy", std::min(1.0, static_cast<double>(links[i].count.busy) / time)},
                             {"packets", links[i].count.packets},
                             {"bytes", links[i].count.bytes}});
    if (map_of != nullptr)
      map["ranked"].back()["link"] = map_of->link(graph.first_port[links[i].router] + links[i].port);
  }
  return map;
}

report::PageBody net_page(const Json& result, const std::vector<statistics::Reading>& described) {
  report::PageBody body;
  const Json page = result.value("page", Json::object());
  const Json link_rows = page.value("links", Json()), rows = page.value("ranks", Json()),
             machine = page.value("machine", Json());
  body.html =
      efficiency_section(result) + jobs(result) + compute_section(result) +
      "<section aria-labelledby=\"time\"><h2 id=\"time\">Over time</h2>\n<p class=\"note\">Drag across a "
      "chart to zoom in, double-click to see all again.</p>\n<div "
      "id=\"network-time\"></div></section>\n";
  if (!rows.is_null()) body.html += report::rank_section("Ranks over time", "rank");
  body.html += links(result, link_rows, machine, page.contains("history")) + link_energy(result) +
               latency(result) + ranks(result) + report::statistics_section(result, described) +
               assumptions(result);
  body.data = {{"timeline", result.value("timeline", Json::object())},
               {"latency", result.at("packet_latency").value("histogram", Json::array())}};
  if (!machine.is_null())
    for (const char* key : {"machine", "loads", "history"})
      if (page.contains(key)) body.data[key] = page[key];
  if (!link_rows.is_null() && machine.is_null()) body.data["links"] = link_rows;
  if (!rows.is_null()) body.data["ranks"] = rows;
  if (result.contains("link_energy")) body.data["power"] = result.at("link_energy").at("over_time");
  body.css = report::web::uplot_css;
  body.scripts = {report::web::uplot_js,     report::web::report_js,      report::web::charts_js,
                  report::web::link_map_js,  report::web::machine_map_js, report::web::net_report_js,
                  report::web::rank_view_js, report::web::row_charts_js,  report::web::statistics_js};
  if (result.contains("efficiency"))
    for (const std::string_view script : report::chart_scripts()) body.scripts.push_back(script);
  else
    body.missing.emplace_back("efficiencies and the critical path: run with --efficiency");
  if (rows.is_null()) body.missing.emplace_back("ranks over time: run with --report");
  if (!page.contains("history") && rows.is_null())
    body.missing.emplace_back("the load of links over time: run with --report");
  return body;
}

}  // namespace psim
