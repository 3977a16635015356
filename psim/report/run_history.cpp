// SPDX-License-Identifier: Apache-2.0
#include "psim/report/run_history.h"

#include <fmt/format.h>

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
