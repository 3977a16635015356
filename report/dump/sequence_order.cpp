// SPDX-License-Identifier: Apache-2.0
#include "report/dump/sequence_order.h"

#include <stdexcept>
#include <string>

namespace psim::pipeline::dump {

namespace {
constexpr std::size_t kMostHeld = 1 << 20;  // far above any machine's instructions in flight
}  // namespace

void SequenceOrder::hold(const InstructionTimeline& timeline) {
  if (timeline.sequence < next_)
    throw std::logic_error("stage dump: sequence " + std::to_string(timeline.sequence) + " left twice");
  if (timeline.sequence - next_ >= slots_.size()) {
    std::size_t size = slots_.size();
    while (timeline.sequence - next_ >= size && size < kMostHeld) size *= 2;
    if (timeline.sequence - next_ >= size)
      throw std::logic_error("stage dump: sequence " + std::to_string(next_) + " never left");
    std::vector<Slot> larger(size);
    for (Slot& old : slots_)
      if (old.full) larger[old.timeline.sequence & (size - 1)] = std::move(old);
    slots_ = std::move(larger);
  }
  Slot& free = slot(timeline.sequence);
  if (free.full)
    throw std::logic_error("stage dump: sequence " + std::to_string(timeline.sequence) + " left twice");
  free.full = true;
  free.stages.assign(timeline.stages.begin(), timeline.stages.end());
  free.stalls.assign(timeline.stalls.begin(), timeline.stalls.end());
  free.wakeups.assign(timeline.wakeups.begin(), timeline.wakeups.end());
  free.timeline = timeline;
  free.timeline.stages = free.stages;
  free.timeline.stalls = free.stalls;
  free.timeline.wakeups = free.wakeups;
  ++held_;
}

}  // namespace psim::pipeline::dump
