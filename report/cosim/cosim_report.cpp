// SPDX-License-Identifier: Apache-2.0
#include "report/cosim/cosim_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/figure.h"
#include "report/html.h"
#include "report/messages/message_section.h"
#include "report/net/compute_result.h"
#include "report/net/efficiency_result.h"
#include "report/net/net_report.h"
#include "report/sections.h"
#include "report/stage_section.h"
#include "report/statistics_section.h"
#include "report/table.h"
#include "report/timeline/rank_section.h"
#include "report/web_files.h"

namespace psim::report {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Table::Kind;

std::string nodes_section(const Json& result) {
  Table table("Nodes", {{"Node"}, {"Instructions"}, {"Cycles"}, {"IPC"}, {"Exit status", Kind::Text}});
  std::uint64_t number = 0;
  for (const Json& node : result.at("nodes")) {
    const auto instructions = node.at("instructions").get<std::uint64_t>(),
               cycles = node.at("cycles").get<std::uint64_t>();
    const auto status_of = [](const Json& of) {
      return of.contains("exit_status") ? of.at("exit_status").dump() : std::string("running");
    };
    std::string status = status_of(node);
    if (node.contains("ranks")) {
      status.clear();
      for (const Json& rank : node.at("ranks")) status += (status.empty() ? "" : ", ") + status_of(rank);
    }
    if (node.contains("deadlock")) status += ", deadlock: " + escape(node.at("deadlock").get<std::string>());
    table.add({count(number++), count(instructions), count(cycles),
               cycles == 0 ? "" : fmt::format("{:.3f}", double(instructions) / double(cycles)), status});
  }
  return "<section aria-labelledby=\"nodes\"><h2 id=\"nodes\">Nodes</h2>\n" + table.html() + "</section>\n";
}

/// Returns the efficiencies of POP: all of them, or those that follow from the computing of the ranks alone.
std::string efficiencies_section(const Json& result) {
  if (result.contains("efficiency")) return efficiency_section(result);
  const JobRun run = node_run(result);
  if (run.compute_max == 0 || run.seconds == 0) return "";
  Table table("Efficiencies", {{"Efficiency", Kind::Text}, {"Value"}, {"From", Kind::Text}});
  const auto row = [&](const char* name, double value, const std::string& from) {
    table.add({name, fmt::format("{:.4f}", value), from});
  };
  row("Parallel", run.compute_mean / run.seconds, "load balance × communication");
  row("Load balance", run.compute_mean / run.compute_max,
      fmt::format("mean computing {} / most computing {}", time_of(run.compute_mean),
                  time_of(run.compute_max)));
  row("Communication", run.compute_max / run.seconds,
      fmt::format("most computing / {} of this run", time_of(run.seconds)));
  return "<section aria-labelledby=\"efficiency\"><h2 id=\"efficiency\">Why it takes this long</h2>\n" +
         table.html() + "</section>\n";
}

std::string operations_section(const Json& result) {
  if (result.at("operations").empty()) return "";
  Table table("Puts and gets",
              {{"Operation", Kind::Text}, {"Node"}, {"Peer"}, {"Bytes"}, {"Latency"}, {"Parts", Kind::Text}});
  for (const Json& one : result.at("operations")) {
    std::string parts;
    for (const Json& part : one.at("parts"))
      parts += fmt::format("{}{} {}", parts.empty() ? "" : "; ", escape(part.at("name").get<std::string>()),
                           time_of(part.at("ps").get<double>() * 1e-12));
    table.add({escape(one.at("kind").get<std::string>()), count(one.at("node").get<std::uint64_t>()),
               count(one.at("peer").get<std::uint64_t>()), count(one.at("bytes").get<std::uint64_t>()),
               time_of(one.at("latency_ps").get<double>() * 1e-12), parts});
  }
  return "<section aria-labelledby=\"operations\"><h2 id=\"operations\">Puts and gets</h2>\n" + table.html() +
         "</section>\n";
}

Chart power_over_time(const Json& series) {
  Chart chart("Power over time", {"simulated time", "s"}, {"power", "W"});
  for (const auto& [name, joules] : series.items()) {
    if (name == "end_seconds" || name == "joules" ||
        std::ranges::all_of(joules, [](const Json& one) { return one == 0; }))
      continue;
    chart.series({.name = label_of(name)});
    double begin = 0;
    for (std::size_t i = 0; i < joules.size(); ++i) {
      const double end = series.at("end_seconds").at(i).get<double>();
      if (end > begin) chart.add({(begin + end) / 2, joules[i].get<double>() / (end - begin)});
      begin = end;
    }
  }
  return chart;
}

std::string energy_rows(const std::string& title, const char* first, const Json& rows, double total) {
  Table table(title, {{first, Kind::Text}, {"Energy"}, {"Share"}, {"Time"}, {"Asleep"}, {"Energy asleep"}});
  for (const Json& row : rows) {
    const double joules = row.at("joules").get<double>();
    const auto optional = [&](const char* key, auto text) {
      return row.contains(key) ? text(row[key].template get<double>()) : std::string();
    };
    table.add({escape(row.at("name").get<std::string>()), joules_of(joules),
               fmt::format("{:.2f} %", 100 * joules / total), optional("seconds", time_of),
               optional("sleep_seconds", time_of), optional("sleep_joules", joules_of)});
  }
  return "<details><summary>" + title + "</summary>" + table.html() + "</details>\n";
}

}  // namespace

std::string machine_energy_section(const Json& result) {
  if (!result.contains("energy")) return "";
  const Json& energy = result.at("energy");
  const double total = energy.at("total_joules").get<double>();
  if (!(total > 0)) return "";
  Table parts("Energy by part", {{"Part", Kind::Text}, {"Energy"}, {"Share"}, {"Dynamic"}, {"Static"}});
  for (const auto& [name, part] : energy.at("parts").items()) {
    const double joules = part.at("joules").get<double>();
    if (joules == 0) continue;
    parts.add({label_of(name), joules_of(joules), fmt::format("{:.2f} %", 100 * joules / total),
               joules_of(part.at("dynamic_joules").get<double>()),
               joules_of(part.at("static_joules").get<double>())});
  }
  Json nodes = Json::array();
  for (const Json& node : energy.at("nodes")) {
    nodes.push_back(node);
    nodes.back()["name"] = fmt::format("node {}", nodes.size() - 1);
  }
  std::string out = fmt::format(
      "<section aria-labelledby=\"energy\"><h2 id=\"energy\">Where the energy goes</h2>\n<p class=\"note\">"
      "Gating of clocks: {}. Each table sums to the same total. A core that sleeps has only leakage and the "
      "power of its clock.</p>\n{}\n{}",
      escape(energy.value("gating", "")), parts.html(), power_over_time(energy.at("over_time")).html());
  out += energy_rows("By node", "Node", nodes, total);
  out += energy_rows("By rank", "Rank", energy.at("ranks"), total);
  out += energy_rows("By region", "Region", energy.at("regions"), total);
  out += energy_rows("By MPI function", "Function", energy.at("calls"), total);
  if (energy.contains("jobs")) out += energy_rows("By load", "Load", energy.at("jobs"), total);
  return out + "</section>\n";
}

PageBody cosim_page(const Json& result, const std::vector<statistics::Reading>& described) {
  PageBody body;
  const Json page = result.value("page", Json::object());
  const auto part = [&](const char* key) { return page.value(key, Json()); };
  const Json messages = part("messages"), machine = part("machine"), rows = part("ranks"),
             stages = part("stages");
  body.html = nodes_section(result) + efficiencies_section(result);
  if (!rows.is_null()) body.html += rank_section("Nodes over time", "core");
  body.html += compute_section(result) + operations_section(result) + message_section(messages);
  if (!machine.is_null())
    body.html += "<section aria-labelledby=\"links\"><h2 id=\"links\">Links</h2>\n" +
                 machine_element(machine, page.contains("history")) + ranked_links(part("links")) +
                 "</section>\n";
  if (stages.is_object()) body.html += stage_section(stages);
  body.html += machine_energy_section(result) + statistics_section(result, described) +
               assumptions_section(result.value("assumptions", std::vector<std::string>{}));
  for (const char* key : {"machine", "loads", "history", "ranks", "timeline", "stages_of"})
    if (page.contains(key)) body.data[key] = page[key];
  if (!rows.is_null())
    for (const Json& part : rows.at("stacks").at("parts"))
      body.data["part_labels"].push_back(label_of(part.get<std::string>()));
  if (stages.is_object()) body.data["stages"] = stages["pack"];
  if (result.contains("energy")) body.data["energy_over_time"] = result["energy"].at("over_time");
  body.css = web::uplot_css;
  body.scripts = {web::uplot_js, web::report_js, web::charts_js, web::machine_map_js};
  if (!rows.is_null()) body.scripts.insert(body.scripts.end(), {web::rank_view_js, web::row_charts_js});
  if (stages.is_object()) body.scripts.insert(body.scripts.end(), {web::stage_data_js, web::stage_view_js});
  body.scripts.push_back(web::statistics_js);
  for (const std::string_view script : chart_scripts()) body.scripts.push_back(script);
  if (!rows.is_null() && machine.is_null()) body.missing.emplace_back("links: this network has none");
  if (rows.is_null()) body.missing.emplace_back("nodes, messages and links over time: run with --report");
  if (!result.contains("efficiency"))
    body.missing.emplace_back("serialisation, transfer and the critical path: run with --efficiency");
  if (!result.contains("energy")) body.missing.emplace_back("energy: run with --energy");
  return body;
}

}  // namespace psim::report
