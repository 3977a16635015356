// SPDX-License-Identifier: Apache-2.0
// Sorts the timelines that a core announces at the end of instructions into order of sequence (order of
// fetch). Holds at most the instructions in flight. A timeline that arrives in order is passed on without a
// copy.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/observer.h"

namespace psim::pipeline::dump {

class SequenceOrder {
 public:
  /// Calls `out(timeline)` for this timeline if it is the next, and for every later one that waited for it.
  /// Throws std::logic_error if a sequence occurs twice.
  template <typename Out>
  void add(const InstructionTimeline& timeline, Out&& out) {
    if (timeline.sequence != next_) return hold(timeline);
    out(timeline);
    ++next_;
    while (held_ != 0 && slot(next_).full) release(out);
  }

  /// Ends the run: passes on all timelines still held, skipping the gaps of instructions that never left.
  template <typename Out>
  void finish(Out&& out) {
    while (held_ != 0) slot(next_).full ? release(out) : static_cast<void>(++next_);
  }

  std::size_t held() const { return held_; }

 private:
  struct Slot {
    bool full = false;
    InstructionTimeline timeline{};
    std::vector<StageEvent> stages;
    std::vector<StallSpan> stalls;
    std::vector<Wakeup> wakeups;
  };
  Slot& slot(std::uint64_t sequence) { return slots_[sequence & (slots_.size() - 1)]; }
  void hold(const InstructionTimeline& timeline);
  template <typename Out>
  void release(Out& out) {
    Slot& first = slot(next_);
    out(static_cast<const InstructionTimeline&>(first.timeline));
    first.full = false;
    --held_;
    ++next_;
  }

  std::vector<Slot> slots_ =
      std::vector<Slot>(256);  ///< a power of two; grows with the instructions in flight
  std::uint64_t next_ = 0;     ///< the sequence to pass on next
  std::size_t held_ = 0;
};

}  // namespace psim::pipeline::dump
