// SPDX-License-Identifier: Apache-2.0
#include "psim/report/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "psim/report/html.h"
#include "psim/report/sections.h"
#include "psim/report/web_files.h"

namespace psim::report {

using Json = nlohmann::ordered_json;
using pipeline::CpiPart;
using pipeline::Interval;
using pipeline::kCpiParts;
using pipeline::kStageNames;
using pipeline::Stage;
using pipeline::StallCause;

namespace {

Json intervals_json(const std::vector<Interval>& intervals) {
  Json begin = Json::array(), end = Json::array(), instructions = Json::array(), cpi = Json::array();
  for (std::size_t part = 0; part < kCpiParts; ++part) cpi.push_back(Json::array());
  for (const Interval& interval : intervals) {
    begin.push_back(interval.begin_cycle);
    end.push_back(interval.end_cycle);
    instructions.push_back(interval.instructions);
    for (std::size_t part = 0; part < kCpiParts; ++part) cpi[part].push_back(interval.cpi[part]);
  }
  return {{"begin", begin}, {"end", end}, {"instructions", instructions}, {"cpi", cpi}};
}

/// The colour of a stage, a variable of report.css.
const char* group_of(Stage stage) {
  if (stage <= Stage::IR) return "fetch";
  if (stage <= Stage::D) return "issue";
  if (stage <= Stage::X) return "execute";
  if (stage <= Stage::Rs) return "cache";
  return "complete";
}

Json stages_json(const StageView& view) {
  Json groups = Json::array(), causes = Json::array();
  for (std::size_t i = 0; i < kStageNames.size(); ++i) groups.push_back(group_of(static_cast<Stage>(i)));
  for (std::size_t i = 0; i < pipeline::kStallCauses; ++i)
    causes.push_back(pipeline::name(static_cast<StallCause>(i)));
  return {{"stages", kStageNames},
          {"groups", groups},
          {"causes", causes},
          {"texts", view.texts},
          {"rows", view.rows}};
}

/// Energy over time, with the seconds of a cycle; null if the run did not measure it.
Json energy_json(const Json& result) {
  if (!result.contains("energy") || !result["energy"].contains("over_time") || !result.contains("seconds") ||
      !result.contains("cycles") || result["cycles"] == 0)
    return {};
  Json energy = result["energy"]["over_time"];
  energy["seconds_per_cycle"] = result["seconds"].get<double>() / result["cycles"].get<double>();
  return energy;
}

Json page_data(const RunReport& report, const Json& result) {
  Json parts = Json::array(), labels = Json::array();
  for (std::size_t i = 0; i < kCpiParts; ++i) {
    const std::string_view key = pipeline::name(static_cast<CpiPart>(i));
    parts.push_back(key);
    labels.push_back(label_of(key));
  }
  Json data{{"parts", parts}, {"part_labels", labels}};
  data["intervals"] = report.intervals != nullptr ? intervals_json(*report.intervals) : Json();
  data["energy"] = energy_json(result);
  data["stages"] = report.stages != nullptr ? stages_json(*report.stages) : Json();
  return data;
}

std::string time_section(const RunReport& report) {
  if (report.intervals == nullptr || report.intervals->empty()) return "";
  return fmt::format(
      "<section aria-labelledby=\"time\"><h2 id=\"time\">Over time</h2>\n"
      "<p class=\"note\">{} intervals. Drag across a chart to zoom in, double-click to see all again.</p>\n"
      "<div id=\"over-time\"></div><noscript><p class=\"dim\">The charts need scripts; the numbers of the "
      "whole run are "
      "above.</p></noscript></section>\n",
      report.intervals->size());
}

std::string stage_section(const RunReport& report) {
  if (report.stages == nullptr) return "";
  const StageView& view = *report.stages;
  std::string out = "<section aria-labelledby=\"stage-view\"><h2 id=\"stage-view\">Pipeline stages</h2>\n";
  if (view.shown == 0)
    return out +
           fmt::format("<p class=\"dim\">No instruction of the run is in the window {}.</p></section>\n",
                       escape(view.window));
  out += fmt::format(
      "<p class=\"note\">{} instructions of the window {}.{} Point at one to see where it was and what it "
      "waited "
      "for; arrows show which result woke which operand.</p>\n",
      count(view.shown), escape(view.window),
      view.left_out == 0
          ? ""
          : fmt::format(" {} more are in the window but not in this page.", count(view.left_out)));
  out +=
      "<div class=\"bar\"><button type=\"button\" id=\"stage-in\">Zoom in</button>"
      "<button type=\"button\" id=\"stage-out\">Zoom out</button>"
      "<button type=\"button\" id=\"stage-align\">Align</button>"
      "<label><input id=\"stage-squeeze\" type=\"checkbox\" checked> leave out idle cycles</label>"
      "<label>Go to <input id=\"stage-go\" type=\"text\" placeholder=\"cycle, 0xPC or text\"></label>"
      "<span id=\"stage-found\" role=\"status\"></span>"
      "<span class=\"dim\">Scroll for instructions; shift-scroll, drag or arrow keys for cycles; ctrl-scroll "
      "to zoom.</span></div>\n"
      "<div id=\"stages\"><div id=\"stage-scroll\" tabindex=\"0\" role=\"application\" "
      "aria-label=\"pipeline stages by instruction and cycle\"><div id=\"stage-filler\"></div></div>"
      "<canvas id=\"stage-canvas\" aria-hidden=\"true\"></canvas></div>\n"
      "<div id=\"stage-legend\" class=\"legend\"></div><div id=\"stage-tip\" role=\"status\"></div>\n"
      "<noscript><p class=\"dim\">The stage view needs scripts; <code>psim view</code> shows a dump in the "
      "terminal.</p>"
      "</noscript></section>\n";
  return out;
}

}  // namespace

std::string html_of(const RunReport& report) {
  const Json result = Json::parse(report.result);
  const std::string program = escape(report.program);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      // The page asks nothing of any network, and could not if something in it tried.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      "'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data:\">\n";
  page += "<title>" + program + " &middot; psim</title>\n<style>\n";
  page.append(web::uplot_css)
      .append("\n")
      .append(web::report_css)
      .append("</style>\n</head>\n<body>\n<header><div>");
  page += "<h1>" + program + "</h1>\n<p class=\"dim\">psim " + escape(result.value("command", "")) + "</p>";
  if (result.contains("partial"))
    page += "<p class=\"flag\">Ended early: " + escape(result["partial"].get<std::string>()) + "</p>";
  page +=
      "</div><button type=\"button\" id=\"theme\" title=\"change between light and dark\">Light / "
      "dark</button></header>\n<main>\n";
  page += summary_section(result) + cpi_section(result) + energy_section(result) + time_section(report) +
          regions_section(result) + stage_section(report) + machine_section(result) +
          identity_section(result);
  page += "</main>\n<footer>psim " + escape(result.value("version", "")) +
          ". This file holds all it shows. Charts: uPlot, MIT licence, &copy; 2022 Leon Sorokin.</footer>\n";
  page += "<script type=\"application/json\" id=\"psim-data\">" + script_json(page_data(report, result)) +
          "</script>\n<script>";
  page.append(web::uplot_js).append("</script>\n<script>").append(web::report_js);
  page.append("</script>\n<script>").append(web::stage_view_js).append("</script>\n</body>\n</html>\n");
  return page;
}

}  // namespace psim::report
