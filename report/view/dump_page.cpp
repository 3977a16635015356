// SPDX-License-Identifier: Apache-2.0
#include "report/view/dump_page.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/parse_number.h"
#include "energy/breakdown.h"
#include "report/html.h"
#include "report/page.h"
#include "report/web_files.h"

namespace psim::view {

using Json = nlohmann::ordered_json;
using pipeline::dump::DumpedInstruction;
using pipeline::dump::DumpedStage;
using report::Fate;

namespace {
constexpr auto kUnknown = std::numeric_limits<std::uint32_t>::max();

std::uint32_t& slot(std::vector<std::uint32_t>& numbers, std::uint32_t name) {
  if (numbers.size() <= name) numbers.resize(name + 1, kUnknown);
  return numbers[name];
}

std::uint64_t number_of(const DumpedInstruction& instruction) {
  return parse_number<std::uint64_t>(instruction.sequence).value_or(instruction.id);
}

/// Removes psim's text on waiting, which the page states itself.
std::string_view without_waits(std::string_view details) {
  const auto waited = details.find("waited ");
  if (waited != 0 && (waited == details.npos || !details.substr(0, waited).ends_with(", "))) return details;
  return details.substr(0, waited == 0 ? 0 : waited - 2);
}
}  // namespace

std::uint32_t PageRows::stage(std::uint32_t name) {
  std::uint32_t& number = slot(stages_, name);
  if (number == kUnknown) number = pack_.stage(names_[name]);
  return number;
}

std::uint32_t PageRows::cause(std::uint32_t name) {
  std::uint32_t& number = slot(causes_, name);
  if (number == kUnknown) number = pack_.cause(names_[name]);
  return number;
}

void PageRows::instruction(DumpedInstruction&& instruction) {
  if (!filter_.takes(instruction)) return;
  if (pack_.rows() == kMost) {
    ++left_out_;
    return;
  }
  in_stages_.clear(), in_stalls_.clear(), wakeups_.clear();
  for (const DumpedStage& span : instruction.stages) {
    if (span.lane == 1)
      in_stalls_.push_back({cause(span.name), span.begin, span.end});
    else
      in_stages_.push_back({stage(span.name), span.begin, span.end});
  }
  for (const auto& wakeup : instruction.wakeups) wakeups_.push_back({wakeup.producer, wakeup.cycle});
  const std::string_view details(instruction.details);
  pack_.add({.id = instruction.id,
             .number = number_of(instruction),
             .fate = !instruction.complete ? Fate::CutOff
                     : instruction.flushed ? Fate::Flushed
                                           : Fate::Retired,
             .retired = instruction.retired,
             .begin = instruction.begin,
             .end = instruction.end,
             .text = instruction.text,
             .details = in_stalls_.empty() ? details : without_waits(details),
             .stages = in_stages_,
             .stalls = in_stalls_,
             .wakeups = wakeups_});
}

Json energy_over_time(const nlohmann::json& result, std::uint64_t last_cycle) {
  const auto is_number = [](const nlohmann::json& in, const char* key) {
    return in.contains(key) && in[key].is_number();
  };
  const nlohmann::json none;
  const nlohmann::json& measured = result.contains("energy") ? result["energy"] : none;
  const nlohmann::json& over =
      measured.is_object() && measured.contains("over_time") ? measured["over_time"] : none;
  if (!over.is_object())
    throw UserError("no energy over time in this result: it is written by psim run --energy --json");
  Json made;
  std::size_t length = 0;
  const auto list = [&](const std::string& key, const nlohmann::json& values) {
    if (made.empty() && values.is_array()) length = values.size();
    if (!values.is_array() || values.size() != length || length == 0)
      throw UserError(fmt::format("energy.over_time.{}: expected a list of {} numbers", key,
                                  length == 0 ? "one or more" : std::to_string(length)));
    for (const auto& value : values)
      if (!value.is_number()) throw UserError(fmt::format("energy.over_time.{}: expected numbers", key));
    return values;
  };
  for (const char* key : {"end_cycle", "stages", "structures", "execution", "leakage"})
    made[key] = list(key, over.contains(key) ? over[key] : none);
  Json& by_stage = made["by_stage"] = Json::object();
  if (over.contains("by_stage") && over["by_stage"].is_object())
    for (std::size_t i = 0; i < energy::kComponents; ++i)  // in the order of the pipeline
      if (const std::string stage(name(static_cast<energy::Component>(i))); over["by_stage"].contains(stage))
        by_stage[stage] = list("by_stage." + stage, over["by_stage"][stage]);
  if (!is_number(result, "cycles") || !is_number(result, "seconds") || result["seconds"] <= 0 ||
      result["cycles"] <= 0)
    throw UserError("expected the keys cycles and seconds next to energy");
  if (made["end_cycle"].back() < last_cycle)
    throw UserError(
        fmt::format("the run ended at cycle {}, but the dump goes to {}: they belong to different runs",
                    made["end_cycle"].back().dump(), last_cycle));
  made["seconds_per_cycle"] = result["seconds"].get<double>() / result["cycles"].get<double>();
  return made;
}

std::string page_of(const PageRows& rows, const std::string& name, const Json& energy) {
  const report::StagePack& pack = rows.pack();
  const std::string title = report::escape(name);
  std::string page = report::page_begin(title);
  page += "<header class=\"wide\"><div><h1>" + title + "</h1>\n";
  page += fmt::format(
      "<p class=\"note\">{} instructions in cycles {} to {}.{} Point at one to see where it was and what it "
      "waited for; arrows show which result woke which operand.</p>",
      report::count(pack.rows()), report::count(pack.begin()), report::count(pack.end()),
      rows.left_out() == 0
          ? ""
          : fmt::format(" {} more are in the dump but not in this page.", report::count(rows.left_out())));
  page += "</div>" + report::theme_button() + "</header>\n<main class=\"wide\">\n" + report::stage_block();
  page +=
      "<p class=\"note\"><select id=\"strip-by\" aria-label=\"power of\" hidden><option value=\"groups\">all "
      "parts</option><option value=\"stages\">the stages</option></select> <span "
      "id=\"strip-title\"></span> <span id=\"strip-read\" role=\"status\"></span></p>\n"
      "<div id=\"strip\"><canvas id=\"strip-canvas\" role=\"img\" "
      "aria-labelledby=\"strip-title\"></canvas></div>\n"
      "<div id=\"strip-legend\" class=\"legend\"></div></main>\n"
      "<footer class=\"wide\">psim view. This file is self-contained.</footer>\n";
  return page + report::page_end({{"stages", pack.json()}, {"energy", energy}},
                                 {report::web::report_js, report::web::stage_data_js,
                                  report::web::stage_view_js, report::web::stage_strip_js});
}

}  // namespace psim::view
