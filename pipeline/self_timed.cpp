// SPDX-License-Identifier: Apache-2.0
#include "pipeline/self_timed.h"

#include <algorithm>

#include "pipeline/memory/memory_level.h"

namespace psim::pipeline {

std::uint64_t next_event_time() {
  const std::uint64_t here = sc_core::sc_time_stamp().value();
  const std::uint64_t pending = sc_core::sc_time_to_pending_activity().value();
  return pending >= kNever - here ? kNever : here + pending;  // >=: nothing is pending
}

std::uint64_t SelfTimed::last_free_cycle() const {
  const std::uint64_t free = std::min(next_event_time(), horizon_);
  return free == kNever ? kNever : free / period_;
}

/// Steps cycles up to time `horizon` or the next event of another module. Returns the time at which it runs
/// again; kNever: after wake_up() only, or never.
std::uint64_t SelfTimed::run(std::uint64_t horizon) {
  try {
    horizon_ = horizon;
    asleep_ = false;
    const std::uint64_t next = step_cycles();
    return next == kNever ? kNever
                          : std::max<std::uint64_t>(next * period_, sc_core::sc_time_stamp().value());
  } catch (...) {
    failure_ = std::current_exception();
    return kNever;
  }
}

void SelfTimed::activate() {
  if (schedule_ != nullptr) return;
  const std::uint64_t next = run(kNever);
  if (next == kNever && !asleep_) return;
  const auto after = sc_core::sc_time::from_value(next - sc_core::sc_time_stamp().value());
  if (next == kNever)
    next_trigger(wake_);
  else if (asleep_)
    next_trigger(after, wake_);
  else
    next_trigger(after);
}

void SelfTimed::wake_up() {
  if (!asleep_) return;
  if (schedule_ != nullptr)
    schedule_->wake(number_);
  else
    wake_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace psim::pipeline
