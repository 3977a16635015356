// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memo/core_memo.h"

#include <algorithm>
#include <utility>

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

/// Ends the stretch that is being recorded, repeats others as long as they happen, and begins to record.
/// Returns false if the next stretch is left to the next turn.
bool CoreMemo::at_boundary(const Turn& turn) {
  tape_.turned_back = false;
  if (tape_.feeds()) return true;
  if (!eligible()) {
    recorder_.drop();
    pauses();
    return true;
  }
  if (tape_.recording() && !recorder_.long_enough()) return true;
  if (!tape_.recording() && turn.last - core_.now_ < StretchRecorder::kLeastCycles) return true;  // none fits
  table_.bound();
  StoredState* const state = table_.at(present_state(), tape_.recording());
  if (tape_.recording()) recorder_.finish(*state);
  if (state != nullptr && state->first != nullptr) {
    held_ = table_.generation();
    attach(false);
    replay_.enter(tape_);
    return repeat(*state, false, turn);
  }
  if (!pauses() && state != nullptr) recorder_.begin(*state);
  return true;
}

/// Goes on after a rest, in a new turn.
bool CoreMemo::go_on(const Turn& turn) {
  StoredState& state = *std::exchange(rests_in_, nullptr);
  replay_.go_on();
  return repeat(state, true, turn);
}

/// Repeats stretches from `state` on. `moved`: the core is in an earlier state.
bool CoreMemo::repeat(StoredState& from, bool moved, const Turn& turn) {
  StoredState* state = &from;
  while (const Stretch* const stretch = replay_.repeat(*state, *held_, turn.last)) {
    state = stretch->end;
    moved = true;
  }
  const bool left_out = replay_.left_out();
  if (left_out && !replay_.has_calls() && turn.may_end_early && replay_.now() > turn.first) {
    if (moved) replay_.rest();
    rests_in_ = state;
    return false;
  }
  attach(true);
  if (moved) replay_.leave(*state);
  replay_.feed(tape_);
  // A stretch that was left out is not recorded again.
  const bool records = !pauses() && !left_out && core_.call_at_ == kNever && held_ == table_.generation();
  if (records) recorder_.begin(*state, replay_.fork());
  held_ = nullptr;
  return true;
}

/// Decides whether remembering is worth its cost, and if not, leaves the core alone for a while.
bool CoreMemo::pauses() {
  if (tape_.feeds() || tape_.delivers()) return false;
  const std::uint64_t instructions = core_.commit_.stats().instructions;
  if (instructions < judge_at_) return false;
  const std::uint64_t all = instructions - judged_, repeated = replay_.repeated() - judged_repeated_;
  const bool good = repeated * 100 > all * kWorthwhilePercent;
  pause_ = good ? std::max(pause_ / 4, kLeastPause) : std::min(pause_ * 4, kMostPause);
  judged_ = instructions, judged_repeated_ = replay_.repeated();
  judge_at_ = instructions + kTrial;
  if (good) return false;
  try_at_ = core_.now_ + pause_;
  attach(false);
  return true;
}

}  // namespace psim::pipeline
