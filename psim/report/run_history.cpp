// SPDX-License-Identifier: Apache-2.0
#include "psim/report/run_history.h"

#include <fmt/format.h>

namespace psim::report {

using pipeline::Interval;
using pipeline::StageEvent;
using pipeline::StallSpan;
using pipeline::Wakeup;

namespace {
void join(Interval& into, const Interval& next) {
  into.end_cycle = next.end_cycle;
  into.instructions += next.instructions;
  for (std::size_t part = 0; part < into.cpi.size(); ++part) into.cpi[part] += next.cpi[part];
}
}  // namespace

void IntervalCollector::on_interval(const Interval& interval) {
  if (!intervals_.empty() && in_last_ < joined_) {
    join(intervals_.back(), interval);
    ++in_last_;
    return;
  }
  if (intervals_.size() == kMost) {
    for (std::size_t i = 0; i < kMost / 2; ++i) {
      intervals_[i] = intervals_[2 * i];
      join(intervals_[i], intervals_[2 * i + 1]);
    }
    intervals_.resize(kMost / 2);
    joined_ *= 2;
  }
  intervals_.push_back(interval);
  in_last_ = 1;
}

void StageCollector::add(const pipeline::InstructionTimeline& timeline) {
  if (view_.shown == kMost) {
    ++view_.left_out;
    return;
  }
  ++view_.shown;
  using Json = nlohmann::ordered_json;
  const auto [known, is_new] = numbers_.try_emplace(std::string(texts_.line(timeline)), view_.texts.size());
  if (is_new) view_.texts.push_back(known->first);
  const std::uint64_t begin = timeline.stages.empty() ? timeline.end : timeline.stages.front().cycle;
  Json stages = Json::array(), stalls = Json::array(), wakeups = Json::array();
  std::uint64_t at = begin;
  for (const StageEvent& event : timeline.stages) {
    stages.push_back(static_cast<unsigned>(event.stage));
    stages.push_back(event.cycle - at);
    at = event.cycle;
  }
  for (const StallSpan& stall : timeline.stalls) {
    stalls.push_back(static_cast<unsigned>(stall.cause));
    stalls.push_back(stall.begin - begin);
    stalls.push_back(stall.end - stall.begin);
  }
  for (const Wakeup& wakeup : timeline.wakeups) {
    wakeups.push_back(timeline.sequence - wakeup.producer);
    wakeups.push_back(wakeup.cycle - begin);
  }
  Json address = timeline.address == 0 ? Json(0) : Json(fmt::format("0x{:x}", timeline.address));
  view_.rows.push_back(Json::array({timeline.sequence, timeline.flushed ? Json(-1) : Json(timeline.retired),
                                    begin, timeline.end, known->second, std::move(address), std::move(stages),
                                    std::move(stalls), std::move(wakeups)}));
}

}  // namespace psim::report
