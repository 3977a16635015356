// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/page.h"
#include "report/profile/profile_section.h"
#include "report/sections.h"
#include "report/statistics_section.h"
#include "report/web_files.h"

namespace psim::report {

using Json = nlohmann::ordered_json;
using pipeline::CpiPart;
using pipeline::Interval;
using pipeline::kCpiParts;

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

/// Returns energy over time, with the seconds per cycle; null if the run did not measure it.
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
  data["regions"] = report.regions != nullptr ? report.regions->json() : Json();
  data["stages"] = report.stages != nullptr ? report.stages->pack.json() : Json();
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
  out += stage_block();
  return out + "</section>\n";
}

}  // namespace

std::string html_of(const RunReport& report) {
  const Json result = Json::parse(report.result);
  const std::string program = escape(report.program);
  std::string page = page_begin(program, web::uplot_css);
  page += "<header><div>";
  page += "<h1>" + program + "</h1>\n<p class=\"dim\">psim " + escape(result.value("command", "")) + "</p>";
  if (result.contains("partial"))
    page += "<p class=\"flag\">Ended early: " + escape(result["partial"].get<std::string>()) + "</p>";
  page += "</div>" + theme_button() + "</header>\n<main>\n";
  page += summary_section(result) + cpi_section(result) + profile_section(result) + energy_section(result) +
          time_section(report) + regions_section(result) +
          (report.statistics ? statistics_section(*report.statistics) : "") + stage_section(report) +
          machine_section(result) + identity_section(result);
  page += "</main>\n<footer>psim " + escape(result.value("version", "")) +
          ". This file is self-contained. Charts: uPlot, MIT licence, &copy; 2022 Leon Sorokin.</footer>\n";
  return page +
         page_end(page_data(report, result), {web::uplot_js, web::report_js, web::stage_data_js,
                                              web::stage_view_js, web::statistics_js, web::profile_js});
}

}  // namespace psim::report
