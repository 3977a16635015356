// SPDX-License-Identifier: Apache-2.0
#include "report/pages.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/profile/profile_section.h"
#include "report/sections.h"
#include "report/stage_section.h"
#include "report/statistics_section.h"
#include "report/table.h"
#include "report/web_files.h"

namespace psim::report {

using Json = nlohmann::ordered_json;

namespace {

/// Returns energy over time, with the seconds per cycle; null if the run did not measure it.
Json energy_json(const Json& result) {
  if (!result.contains("energy") || !result.at("energy").contains("over_time") ||
      !result.contains("seconds") || !result.contains("cycles") || result.at("cycles") == 0)
    return {};
  Json energy = result.at("energy").at("over_time");
  energy["seconds_per_cycle"] = result.at("seconds").get<double>() / result.at("cycles").get<double>();
  return energy;
}

std::string time_section(const Json& intervals) {
  return fmt::format(
      "<section aria-labelledby=\"time\"><h2 id=\"time\">Over time</h2>\n"
      "<p class=\"note\">{} intervals. Drag across a chart to zoom in, double-click to see all again.</p>\n"
      "<div id=\"over-time\"></div><noscript><p class=\"dim\">The charts need scripts; the numbers of the "
      "whole run are "
      "above.</p></noscript></section>\n",
      intervals.at("begin").size());
}

/// Returns the cores of a chip as a table.
std::string cores_section(const Json& result) {
  if (!result.contains("cores")) return "";
  Table table("Cores", {{"Core"}, {"Instructions"}, {"Cycles"}, {"IPC"}, {"Asleep"}});
  for (const Json& core : result.at("cores")) {
    const auto cycles = core.at("cycles").get<double>();
    const double idle = core.at("cpi_stack").value("idle", 0.0);
    table.add(
        {count(core.at("core").get<std::uint64_t>()), count(core.at("instructions").get<std::uint64_t>()),
         count(core.at("cycles").get<std::uint64_t>()), fmt::format("{:.3f}", core.at("ipc").get<double>()),
         cycles > 0 ? fmt::format("{:.1f} %", 100 * idle / cycles) : ""});
  }
  return "<section aria-labelledby=\"cores\"><h2 id=\"cores\">Cores</h2>\n" + table.html() + "</section>\n";
}

}  // namespace

PageBody core_page(const Json& result, const std::vector<statistics::Reading>& described) {
  PageBody body;
  const Json page = result.value("page", Json::object());
  const Json intervals = page.value("intervals", Json()), stages = page.value("stages", Json());
  const bool over_time = intervals.is_object() && !intervals.at("begin").empty();
  body.html = cpi_section(result) + cores_section(result) + profile_section(result) + energy_section(result) +
              (over_time ? time_section(intervals) : "") + regions_section(result) +
              statistics_section(result, described) + (stages.is_object() ? stage_section(stages) : "") +
              assumptions_section(result.value("assumptions", std::vector<std::string>{}));
  Json parts = Json::array(), labels = Json::array(), cycles = Json::array();
  if (over_time)
    for (const auto& [name, column] : intervals.at("cpi").items()) {
      parts.push_back(name);
      labels.push_back(label_of(name));
      cycles.push_back(column);
    }
  body.data = {{"parts", parts},
               {"part_labels", labels},
               {"intervals", over_time ? Json{{"begin", intervals.at("begin")},
                                              {"end", intervals.at("end")},
                                              {"instructions", intervals.at("instructions")},
                                              {"cpi", cycles}}
                                       : Json()},
               {"energy", energy_json(result)},
               {"regions", page.value("regions", Json())},
               {"stages", stages.is_object() ? stages["pack"] : Json()}};
  body.css = web::uplot_css;
  body.scripts = {web::uplot_js,      web::report_js,     web::stage_data_js,
                  web::stage_view_js, web::statistics_js, web::profile_js};
  if (result.contains("sample"))
    body.missing.emplace_back(
        "charts over time and the stage view, which need every cycle: run without --sample");
  else if (result.contains("cores"))
    body.missing.emplace_back("charts over time and the stage view, which need a machine with one core");
  else if (!over_time)
    body.missing.emplace_back("charts over time: run with --json or --report");
  else if (!stages.is_object())
    body.missing.emplace_back(
        "the stage view: run with --report, or make a dump with --kanata for psim view");
  if (!result.contains("energy")) body.missing.emplace_back("energy: run with --energy");
  if (!result.contains("profile") && !result.contains("sample") && !result.contains("cores"))
    body.missing.emplace_back("hot functions and lines: run with --profile");
  return body;
}

}  // namespace psim::report
