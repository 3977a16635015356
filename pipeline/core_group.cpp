// SPDX-License-Identifier: Apache-2.0
#include "pipeline/core_group.h"

#include <fmt/format.h>

#include <algorithm>

namespace psim::pipeline {

CoreGroup::CoreGroup(const sc_core::sc_module_name& name, std::vector<Core*> cores, sc_core::sc_time period)
    : SelfTimed(name, period.value()), cores_(std::move(cores)), next_(cores_.size(), 0) {
  SC_HAS_PROCESS(CoreGroup);
  SC_METHOD(activate);
}

inline std::uint64_t CoreGroup::first() const { return *std::min_element(next_.begin(), next_.end()); }

/// Returns true if only unpark(), or the first time of next_, can change a core.
bool CoreGroup::can_sleep() const {
  return std::all_of(cores_.begin(), cores_.end(), [](const Core* core) {
    return core->finished() || (core->parked() && core->drained() && !core->transfers_under_way());
  });
}

std::uint64_t CoreGroup::step_cycles() {
  // Other modules may have answered requests meanwhile.
  for (std::size_t i = 0; i < cores_.size(); ++i)
    if (next_[i] > now_) next_[i] = std::max(now_, std::min(next_[i], cores_[i]->next_step()));
  std::uint64_t last = last_free_cycle();
  for (;;) {
    std::uint64_t now = first();
    if (now == kNever && last == kNever) {
      if (finished()) return kNever;
      if (on_stuck) on_stuck();
      now = first();
      if (now == kNever && !on_stuck && can_sleep()) {
        asleep_ = true;
        return kNever;
      }
      if (now == kNever) {
        std::string text = "no core has work, and nothing is under way";
        for (const Core* core : cores_) text += fmt::format("\n{}: {}", core->name(), core->describe());
        throw Deadlock(text);
      }
    }
    if (now > last) {
      now_ = last + 1;
      if (finished()) return kNever;
      asleep_ = can_sleep();
      return asleep_ ? first() : now_;
    }
    now_ = now;
    for (std::size_t i = 0; i < cores_.size(); ++i) {
      if (next_[i] != now) continue;
      Core& core = *cores_[i];
      const std::uint64_t sent = core.traffic();
      next_[i] = kNever;
      next_[i] = std::min(next_[i], core.step(now));
      if (core.traffic() != sent) last = last_free_cycle();  // an answer may arrive earlier
    }
  }
}

void CoreGroup::unpark(std::uint32_t core, std::uint64_t from) {
  if (!cores_[core]->parked()) return;
  next_[core] = std::max(now_, std::min(next_[core], cores_[core]->unpark(std::max(from, now_))));
  wake_up();
}

bool CoreGroup::finished() const {
  return std::all_of(cores_.begin(), cores_.end(), [](const Core* core) { return core->finished(); });
}

void CoreGroup::align() {
  std::uint64_t end = 0;
  for (const Core* core : cores_) end = std::max(end, core->now());
  for (Core* core : cores_) {
    core->idle_until(end);
    stats_.idle += core->idle_cycles();
  }
  stats_.cycles += end;
}

}  // namespace psim::pipeline
