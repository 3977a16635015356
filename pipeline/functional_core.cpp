// SPDX-License-Identifier: Apache-2.0
#include "pipeline/functional_core.h"

#include <algorithm>
#include <span>

#include "pipeline/core.h"

namespace psim::pipeline {

bool FunctionalCore::before_cycle(const Turn& turn) {
  Core& c = core_;
  // The fetch unit rests while the source is idle and after its end.
  if (c.fetch_.rests(c.now_) || c.fetch_.pulled() != 0 || !c.drained()) return true;
  next_ = std::max(next_, c.now_);
  for (;;) {
    if (c.now_ < next_) pass(turn.last == kNever ? next_ : std::min(next_, turn.last + 1));
    if (c.now_ > turn.last) return false;
    switch (execute(turn.last)) {
      case Step::Executed:
        break;
      case Step::Stored:
        return false;  // an answer may arrive earlier
      case Step::None:
        return true;
    }
  }
}

/// Returns the number of instructions that may execute in cycles up to `last`, at most kMost.
inline std::uint32_t FunctionalCore::due_by(std::uint64_t last) const {
  const std::uint64_t cycles = last - core_.now_;
  if (cycles >= kMost * kMostPace / kCycle) return kMost;
  const std::uint64_t time = (cycles + 1) * kCycle - fraction_;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(kMost, (time + pace_ - 1) / pace_));
}

/// Executes instructions in the present cycle, up to those that are due by `last`: nothing outside changes
/// before. Returns None, with nothing executed, if the source has none.
FunctionalCore::Step FunctionalCore::execute(std::uint64_t last) {
  Core& c = core_;
  isa::InstructionSource& source = c.fetch_.source();
  Step step = Step::Executed;
  const std::uint32_t most = slot_target_ == 0 ? due_by(last) : 1;
  std::uint32_t count =
      source.next_straight(c.now_, pc_, kBlockBytes, most, {records_.data(), sizeof records_[0]});
  isa::InstructionRecord& record = records_[0];
  if (count == 0) {
    if (source.next(c.now_, true, record) != isa::Pull::Record) return Step::None;
    count = 1;
    if (record.instruction->store && c.operands_.leads_to_device(record.address)) {
      c.operands_.store_to_device(record.address, record.instruction->access_bytes, c.now_);
      step = Step::Stored;
    }
  }
  c.fetch_.passed_by();
  const std::uint64_t instructions = c.commit_.count({records_.data(), count}, c.now_);
  if (record.region_marker) c.on_marker(c.window_.head, c.now_);
  if (c.commit_.stats().instructions >= c.call_at_) [[unlikely]] {
    c.call_at_ = kNever;
    c.commit_listener_->on_committed();
  }
  expect(records_[count - 1]);
  fraction_ += instructions * pace_;
  next_ = c.now_ + fraction_ / kCycle;
  fraction_ %= kCycle;
  return step;
}

/// Finds the address of the next instruction after `last`.
inline void FunctionalCore::expect(const isa::InstructionRecord& last) {
  const bool branch = last.instruction->branch != isa::BranchKind::None;
  const bool slot = branch && !last.annulled_slot && !last.instruction->no_delay_slot;
  pc_ = slot_target_ != 0 ? slot_target_ : branch && !slot ? last.target : last.pc + 4;
  slot_target_ = slot ? last.target : 0;
}

/// Lets the cycles up to `to` pass.
void FunctionalCore::pass(std::uint64_t to) {
  Core& c = core_;
  while (c.now_ < to) {
    const std::uint64_t next = std::min(to, c.next_stop_);
    c.commit_.pass(next - c.now_);
    c.decode_.count_idle(next - c.now_);
    c.dispatch_.count_idle(next - c.now_);
    c.now_ = next;
    if (next == c.next_stop_) c.at_stop();
  }
}

}  // namespace psim::pipeline
