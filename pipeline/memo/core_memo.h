// SPDX-License-Identifier: Apache-2.0
// Fast-forwarding of a core by remembered pipeline states (Schnarr, Larus: FastSim, ASPLOS 1998). The result
// is exactly that of the core alone.
//
// At a branch back that commits, the timing state of the core is written in canonical form and looked up. A
// stretch is what followed such a state until the next one: the calls to the parts outside (OutcomeTape) with
// their answers, and the effects: cycles, and what was added to each count. When a state comes back, its
// stretches are tried: their calls are made again, in the same order and cycles, on the source of
// instructions, the caches and the branch history themselves. As long as these answer as before, the core
// would do the same, so its stages need not be stepped; at the end of the stretch its effects are added. At
// the first other answer the state is put back into the core, which is fed with the answers so far, and
// records a new stretch from there.
//
//   CoreMemo         finds the states, and decides what is done
//   StretchTable     states and stretches, which cores may share
//   StretchRecorder  records a stretch while the core steps
//   StretchReplay    repeats stretches
//   OutcomeTape, TimingState, CoreCounts    calls, states and counts of a core
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/cycle_repeater.h"
#include "pipeline/memo/outcome_tape.h"
#include "pipeline/memo/stretch_recorder.h"
#include "pipeline/memo/stretch_replay.h"
#include "pipeline/memo/stretch_table.h"

namespace psim::pipeline {

class Core;

class CoreMemo final : public CycleRepeater {
 public:
  static constexpr std::size_t kMostWindow = 1024;  ///< instructions in flight

  /// `table`: shared with other cores, and outlives this; null: its own.
  CoreMemo(Core& core, StretchTable* table);
  ~CoreMemo() override;
  /// Returns true if the states of `core` can be stored.
  static bool can_store(const Core& core);
  std::uint64_t repeated() const override { return replay_.repeated(); }
  bool before_cycle(const Turn& turn) override {
    if (attached_) {
      if (tape_.recording()) recorder_.note_occupancy();
      return !tape_.turned_back || at_boundary(turn);
    }
    if (rests_in_ != nullptr) return go_on(turn);
    wait();
    return true;
  }

 private:
  void attach(bool on);
  void wait();
  bool at_boundary(const Turn& turn);
  bool go_on(const Turn& turn);
  bool repeat(StoredState& state, bool moved, const Turn& turn);
  bool pauses();
  std::span<const std::uint8_t> present_state();
  bool eligible() const;

  // After kTrial instructions it is decided whether enough of them were repeated.
  static constexpr std::uint64_t kTrial = 2048, kWorthwhilePercent = 60;
  static constexpr std::uint64_t kLeastPause = 1024, kMostPause = std::uint64_t{1} << 19;  // cycles

  Core& core_;
  OutcomeTape tape_;
  const std::unique_ptr<StretchTable> own_table_;
  StretchTable& table_;
  StretchRecorder recorder_;
  StretchReplay replay_;
  bool attached_ = false;
  std::uint64_t try_at_ = 1000;        // the cycle from which boundaries are looked for
  std::uint64_t pause_ = kLeastPause;  // cycles without
  std::uint64_t judged_ = 0, judged_repeated_ = 0,
                judge_at_ = 0;  // instructions, of the last decision and next
  // The state in which the core rests until its next turn, as the next stretch did not fit; null: it does
  // not.
  StoredState* rests_in_ = nullptr;
  std::shared_ptr<StretchTable::Entries> held_;  // which holds rests_in_
  std::vector<std::uint8_t> state_;              // scratch
};

}  // namespace psim::pipeline
