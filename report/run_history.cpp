// SPDX-License-Identifier: Apache-2.0
#include "report/run_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace psim::report {

using pipeline::Interval;
using pipeline::StageEvent;
using pipeline::StallSpan;
using pipeline::Wakeup;

void join(Interval& into, const Interval& next) {
  into.end_cycle = next.end_cycle;
  into.instructions += next.instructions;
  for (std::size_t part = 0; part < into.cpi.size(); ++part) into.cpi[part] += next.cpi[part];
}

nlohmann::ordered_json IntervalCollector::json() const {
  using Json = nlohmann::ordered_json;
  Json begin = Json::array(), end = Json::array(), instructions = Json::array(), cpi = Json::object();
  for (const Interval& interval : intervals()) {
    begin.push_back(interval.begin_cycle);
    end.push_back(interval.end_cycle);
    instructions.push_back(interval.instructions);
  }
  for (std::size_t part = 0; part < pipeline::kCpiParts; ++part) {
    const auto cycles = [part](const Interval& interval) { return interval.cpi[part]; };
    if (std::ranges::all_of(
            intervals(), [](std::uint64_t n) { return n == 0; }, cycles))
      continue;
    Json& column = cpi[std::string(pipeline::name(static_cast<pipeline::CpiPart>(part)))] = Json::array();
    for (const Interval& interval : intervals()) column.push_back(cycles(interval));
  }
  return {{"begin", begin}, {"end", end}, {"instructions", instructions}, {"cpi", cpi}};
}

nlohmann::ordered_json StageView::json() const {
  return {{"shown", shown}, {"left_out", left_out}, {"window", window}, {"pack", pack.json()}};
}

void RegionCollector::join_spans(Span& into, const Span& next) {
  into.begin = std::min(into.begin, next.begin);
  into.end = std::max(into.end, next.end);
  into.executions += next.executions;
}

void RegionCollector::on_region(const pipeline::RegionMark& mark) {
  auto region = std::find_if(regions_.begin(), regions_.end(),
                             [&](const Region& known) { return known.name == mark.name; });
  if (region == regions_.end()) {
    if (!mark.begin || regions_.size() == kMostNames) return;
    regions_.push_back({std::string(mark.name), {}, BoundedSeries<Span, join_spans>(most_)});
    region = std::prev(regions_.end());
  }
  if (mark.begin) {
    if (region->open.size() < kMostOpen) region->open.push_back(mark.cycle);
  } else if (!region->open.empty()) {
    region->spans.add({region->open.back(), mark.cycle, 1});
    region->open.pop_back();
  }
}

nlohmann::ordered_json RegionCollector::json() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Region& region : regions_) {
    nlohmann::ordered_json spans = nlohmann::ordered_json::array();
    for (const Span& span : region.spans.pieces()) spans.push_back({span.begin, span.end, span.executions});
    all.push_back({{"name", region.name}, {"spans", spans}});
  }
  return all;
}

void StageCollector::add(const pipeline::InstructionTimeline& timeline) {
  if (view_.shown == kMost) {
    ++view_.left_out;
    return;
  }
  ++view_.shown;
  const std::uint64_t begin = timeline.stages.empty() ? timeline.end : timeline.stages.front().cycle;
  stages_.clear(), stalls_.clear(), wakeups_.clear();
  for (const StageEvent& event : timeline.stages) {
    if (!stages_.empty()) stages_.back().end = event.cycle;
    stages_.push_back({static_cast<std::uint32_t>(event.stage), event.cycle, timeline.end});
  }
  for (const StallSpan& stall : timeline.stalls)
    stalls_.push_back({static_cast<std::uint32_t>(stall.cause), stall.begin, stall.end});
  for (const Wakeup& wakeup : timeline.wakeups) wakeups_.push_back({wakeup.producer, wakeup.cycle});
  std::string details = timeline.address == 0 ? "" : fmt::format("address 0x{:x}", timeline.address);
  if (remark_) details += (details.empty() ? "" : ", ") + remark_(timeline);
  view_.pack.add({.id = timeline.sequence,
                  .number = timeline.sequence,
                  .fate = timeline.flushed ? Fate::Flushed : Fate::Retired,
                  .retired = timeline.retired,
                  .begin = begin,
                  .end = timeline.end,
                  .text = texts_.line(timeline),
                  .details = details,
                  .stages = stages_,
                  .stalls = stalls_,
                  .wakeups = wakeups_});
}

}  // namespace psim::report
