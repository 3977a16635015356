// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memo/core_memo.h"

#include <algorithm>

#include "pipeline/core.h"
#include "pipeline/memo/timing_state.h"

namespace psim::pipeline {

CoreMemo::CoreMemo(Core& core, StretchTable* table)
    : core_(core),
      own_table_(table == nullptr ? std::make_unique<StretchTable>() : nullptr),
      table_(table == nullptr ? *own_table_ : *table),
      recorder_(core, tape_, table_),
      replay_(core) {}

CoreMemo::~CoreMemo() = default;

bool CoreMemo::can_store(const Core& core) {
  return core.wake_up_.one_word() && core.window_.capacity() <= kMostWindow &&
         core.data_cache_.config().prefetch != Prefetch::Stream;
}

/// Makes the parts write on the tape, or no longer.
void CoreMemo::attach(bool on) {
  OutcomeTape* const tape = on ? &tape_ : nullptr;
  core_.tape_ = tape;
  core_.instruction_cache_.set_tape(tape, true);
  core_.data_cache_.set_tape(tape, false);
  core_.fetch_.set_tape(tape);
  core_.operands_.set_tape(tape);
  attached_ = on;
}

/// Looks for the next boundary after a pause.
void CoreMemo::wait() {
  if (core_.now_ < try_at_) return;
  if (core_.recorder_ != nullptr || core_.commit_.profiled()) {  // these see each cycle
    try_at_ = kNever;
    return;
  }
  attach(true);
  judged_ = core_.commit_.stats().instructions, judged_repeated_ = replay_.repeated();
  judge_at_ = judged_ + kTrial;
}

/// Returns true if stretches may begin and end in the present state.
bool CoreMemo::eligible() const {
  const Core& c = core_;
  if (!c.transfers_.idle() || c.fetch_.ended() || c.fetch_.parked() || c.call_at_ != kNever) return false;
  // Others are notified when these commit.
  for (Sequence s = c.window_.head; s < c.window_.fetched; ++s) {
    const isa::InstructionRecord& record = c.window_[s].record;
    const isa::LatencyClass latency = record.instruction->latency;
    if (record.region_marker || latency == isa::LatencyClass::BlockTransfer ||
        latency == isa::LatencyClass::TransferSync)
      return false;
  }
  bool held = true;  // by the ring, throughout a stretch
  c.operands_.committed_accesses([&](Sequence s, std::uint64_t, std::uint64_t) {
    held &= s + StretchReplay::kRing / 2 > c.window_.head;
  });
  return held;
}

/// Returns the present state of the core; valid until the next call.
std::span<const std::uint8_t> CoreMemo::present_state() {
  if (state_.empty()) state_.resize(std::size_t{1} << 15 | core_.window_.capacity() * 256);
  TimingState state(state_.data(), core_.now_, core_.window_.head);
  core_.timing_state(state);
  return {state_.data(), state.end()};
}

/// Returns true if the core is where it was when the next stretch did not fit.
bool CoreMemo::at_rest() const { return core_.now_ == rests_at_; }

/// Ends the stretch that is being recorded, repeats others as long as they happen, and begins to record.
/// Returns false if the next stretch would end after `last`.
bool CoreMemo::at_boundary(std::uint64_t last) {
  tape_.turned_back = false;
  rests_at_ = kNever;
  if (tape_.feeds()) return true;
  if (!eligible()) {
    recorder_.drop();
    pauses();
    return true;
  }
  if (tape_.recording() && !recorder_.long_enough()) return true;
  if (!tape_.recording() && last - core_.now_ < StretchRecorder::kLeastCycles) {  // no stretch fits
    rests_at_ = core_.now_;
    return false;
  }
  table_.bound();
  StoredState* state = &table_.at(present_state());
  if (tape_.recording()) recorder_.finish(*state);
  bool left_out = false;
  if (state->first != nullptr) {
    attach(false);
    replay_.enter();
    bool moved = false;
    while (const Stretch* const stretch = replay_.repeat(*state, last)) {
      state = stretch->end;
      moved = true;
    }
    attach(true);
    if (moved) replay_.leave(*state);
    left_out = replay_.left_out();
    if (replay_.has_calls()) replay_.feed(tape_);
  }
  if (pauses()) return true;
  if (!left_out) {
    if (core_.call_at_ == kNever) recorder_.begin(*state);
  } else if (!tape_.feeds()) {  // it is not recorded again
    rests_at_ = core_.now_;
    return false;
  }
  return true;
}

/// Decides whether remembering is worth its cost, and if not, leaves the core alone for a while.
bool CoreMemo::pauses() {
  if (tape_.feeds()) return false;
  const std::uint64_t instructions = core_.commit_.stats().instructions;
  if (instructions < judge_at_) return false;
  const std::uint64_t all = instructions - judged_, repeated = replay_.repeated() - judged_repeated_;
  const bool good = repeated * 100 > all * kWorthwhilePercent;
  pause_ = good ? kLeastPause : std::min(pause_ * 2, kMostPause);
  judged_ = instructions, judged_repeated_ = replay_.repeated();
  judge_at_ = instructions + kTrial;
  if (good) return false;
  try_at_ = core_.now_ + pause_;
  attach(false);
  return true;
}

}  // namespace psim::pipeline
