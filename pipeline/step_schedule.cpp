// SPDX-License-Identifier: Apache-2.0
#include "pipeline/step_schedule.h"

#include <algorithm>
#include <utility>

#include "pipeline/memory/memory_level.h"

namespace psim::pipeline {

StepSchedule::StepSchedule(const sc_core::sc_module_name& name, std::uint64_t ahead,
                           std::function<bool()> stopped)
    : sc_module(name), ahead_(ahead), stopped_(std::move(stopped)) {
  SC_HAS_PROCESS(StepSchedule);
  SC_METHOD(activate);
}

void StepSchedule::add(SelfTimed& part) {
  part.schedule_ = this;
  part.number_ = parts_.size();
  parts_.push_back(&part);
  next_.push_back(0);
}

void StepSchedule::wake(std::size_t part) {
  next_[part] = sc_core::sc_time_stamp().value();
  wake_.notify(sc_core::SC_ZERO_TIME);
}

/// Runs all parts up to the next event of another module.
void StepSchedule::activate() {
  std::uint64_t least;
  for (;;) {
    least = *std::min_element(next_.begin(), next_.end());
    if (stopped_()) return next_trigger(wake_);
    if (least == kNever || least > next_event_time()) break;
    // A part that runs alone may find that nothing can ever happen.
    const bool alone = std::count(next_.begin(), next_.end(), kNever) + 1 == std::ssize(next_);
    const std::uint64_t horizon = alone ? kNever : least + ahead_;
    for (std::size_t part = 0; part < parts_.size(); ++part)
      if (next_[part] != kNever && next_[part] <= std::min(horizon, next_event_time()))
        next_[part] = parts_[part]->run(horizon);
  }
  if (least == kNever)
    next_trigger(wake_);
  else
    next_trigger(sc_core::sc_time::from_value(least - sc_core::sc_time_stamp().value()), wake_);
}

}  // namespace psim::pipeline
