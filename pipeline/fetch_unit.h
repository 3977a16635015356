// SPDX-License-Identifier: Apache-2.0
// Instruction fetch, IA to IR (JPS1-V p. 31): one aligned block per cycle into the instruction buffer, along
// the predicted path.
//
// On the right path the instructions are the records of the source. If the prediction disagrees with a
// record, fetch continues along the predicted path through the text image, with wrong-path instructions,
// until the branch resolves. A predicted-taken branch costs `taken_bubble` fetch cycles, during which a delay
// slot in the next block is still fetched. Fetch stops while the instruction buffer has no room for a whole
// block, for an instruction cache or TLB miss, and before instructions that may run only when oldest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/statistics/statistic.h"
#include "isa/state/instruction_source.h"
#include "isa/state/return_stack.h"
#include "pipeline/branch_history.h"
#include "pipeline/config.h"
#include "pipeline/in_flight.h"
#include "pipeline/instruction_prefetcher.h"
#include "pipeline/memory/l1_cache.h"
#include "pipeline/observer.h"

namespace psim::pipeline {

class ActivityCounter;
class OutcomeTape;
class TimelineRecorder;

/// Branches, counted as they commit.
struct BranchStats : statistics::Group {
  Counter branches{*this, "branches", "branches", "branches committed"};
  /// By isa::BranchKind, from Conditional on.
  CounterArray<5> kinds{*this,
                        "branches",
                        {{{"conditional", "conditional branches"},
                          {"always", "direct branches that are always taken, other than calls"},
                          {"calls", "calls"},
                          {"returns", "returns"},
                          {"indirect", "other jumps to an address in a register"}}}};
  Counter taken{*this, "taken", "branches", "branches taken"};
  Counter unknown{*this, "unknown", "branches", "branches that the branch history did not hold when fetched"};
  Counter mispredictions{*this, "mispredictions", "branches",
                         "branches whose direction, target or delay slot was predicted wrong"};
  CounterArray<5> mispredicted{
      *this,
      "branches",
      {{{"conditional_mispredictions", "mispredicted conditional branches"},
        {"always_mispredictions", "mispredicted direct branches that are always taken"},
        {"call_mispredictions", "mispredicted calls"},
        {"return_mispredictions", "mispredicted returns"},
        {"indirect_mispredictions", "mispredicted other jumps to an address in a register"}}}};
  Counter wrong_path_instructions{*this, "wrong_path_instructions", "instructions",
                                  "instructions fetched after mispredicted branches and flushed"};
  Ratio misprediction_rate{
      *this,     "misprediction_rate", "mispredictions/branch", "mispredictions per branch", {mispredictions},
      {branches}};
  Ratio mpki{*this,
             "mpki",
             "mispredictions/1000 instructions",
             "mispredictions per 1000 instructions",
             {mispredictions},
             {Run::Instructions},
             1000};

  /// Counts a branch at its W.
  void count(const InFlight& e) {
    const std::size_t kind = static_cast<std::size_t>(e.record.instruction->branch) - 1;
    ++branches;
    ++kinds[kind];
    taken += e.record.taken;
    unknown += !e.predicted_hit;
    if (!e.mispredicted) return;
    ++mispredictions;
    ++mispredicted[kind];
  }
};

class TimingState;

class FetchUnit {
 public:
  FetchUnit(const CoreConfig& config, InFlightRing& window, isa::InstructionSource& source, L1Cache& cache);

  void set_recorder(TimelineRecorder* recorder) { recorder_ = recorder; }
  void set_activity(ActivityCounter* activity) { activity_ = activity; }

  /// Steps IA by one cycle. Returns false if nothing happened and nothing will before next_event() or an
  /// outside change.
  [[gnu::hot]] bool step(std::uint64_t now);
  /// Receives the line of a fetch that missed.
  void line_arrived(const Completion& completion, std::uint64_t now);

  /// Sets the cycle at whose start the mispredicted branch `branch` will have resolved; kNever cancels it.
  void resolve_at(Sequence branch, std::uint64_t cycle);
  /// Returns true at the start of the cycle in which a misprediction becomes known. Then redirect() must be
  /// called.
  bool redirect_due(std::uint64_t now) const { return now >= resolve_at_; }
  /// Leaves the wrong path. Returns the first wrong-path instruction; it and all up to flush_end() are
  /// removed.
  Sequence redirect(std::uint64_t now);
  Sequence flush_end() const { return flush_end_; }

  /// Records the W of a right-path branch.
  void committed(const InFlight& branch) {
    const isa::InstructionRecord& record = branch.record;
    history_.update(record.pc, record.instruction->branch, record.taken, record.target);
    if (record.kind == isa::RecordKind::Instruction) branch_stats_.count(branch);
  }
  /// Returns true once all records have been fetched.
  bool ended() const { return ended_; }
  /// Returns the cause of an empty instruction buffer.
  CpiPart blame() const { return ended_ && window_.in_instruction_buffer() == 0 ? CpiPart::Drain : blame_; }
  StallCause stall() const;
  /// Records that an instruction reached D: a later empty buffer has another cause.
  void delivered() { blame_ = CpiPart::FrontEnd; }
  /// Returns the first cycle after `now` in which fetch continues without an outside event.
  std::uint64_t next_event(std::uint64_t now) const {
    return std::min(resume_ > now ? resume_ : kNever, resolve_at_);
  }
  void set_tape(OutcomeTape* tape) {
    tape_ = tape;
    history_.set_tape(tape);
  }
  /// Returns the number of records that are pulled and not fetched.
  std::uint32_t pulled() const { return pulled_; }
  std::uint64_t accesses() const { return access_; }
  void set_accesses(std::uint64_t accesses) { access_ = accesses; }
  isa::InstructionSource& source() const { return source_; }
  void timing_state(TimingState& state);
  const BranchStats& branch_stats() const { return branch_stats_; }
  /// Return the predictors, for functional execution between windows of cycles.
  BranchHistory& history() { return history_; }
  const BranchHistory& history() const { return history_; }
  isa::ReturnStack& return_stack() { return returns_; }
  /// Returns true while the source has no thread to run.
  bool parked() const { return parked_; }
  /// Makes a parked core fetch from cycle `from` on.
  void unpark(std::uint64_t from) {
    if (parked_) resume_ = std::min(resume_, from);
  }
  /// Returns true if nothing is fetched in cycle `now`: the source is idle until later, or has ended.
  bool rests(std::uint64_t now) const { return now < resume_; }
  /// Records that an instruction was pulled from the source by another part.
  void passed_by() { parked_ = false; }
  std::string describe() const;

 private:
  enum class AfterSlot : std::uint8_t { Nothing, Taken, WrongPath };
  enum class Waiting : std::uint8_t { Nothing, Line, Empty };
  enum class Trap : std::uint8_t { None, Entering, Inside, Leaving };
  struct Prediction {
    bool hit, taken, slot;  // slot: its delay slot is executed
    std::uint64_t next;     // the address at which control continues after branch and slot
  };

  bool fetch(std::uint64_t now);
  [[gnu::always_inline]] std::uint32_t texts(std::uint64_t pc, std::span<const isa::StaticInstruction*> out);
  bool prefetch(std::uint64_t now);
  [[gnu::hot]] bool peek(std::uint64_t now);
  [[gnu::hot]] bool block_ready(std::uint64_t pc, std::uint64_t now);
  [[gnu::hot]] bool pull_straight(std::uint64_t pc, std::uint32_t count, std::uint64_t now);
  [[gnu::hot]] bool right_path(std::uint64_t now);
  bool fetch_handler(std::uint64_t now);
  [[gnu::hot]] bool wrong_path(std::uint64_t now);
  bool trap_step(std::uint64_t now);
  [[gnu::hot]] bool branch(Sequence sequence, std::uint64_t now);
  [[gnu::hot]] Prediction predict(std::uint64_t pc, const isa::StaticInstruction& si);
  [[gnu::hot]] void start(InFlight& entry, bool wrong_path);
  void enter_wrong_path(std::uint64_t pc);

  const FetchConfig config_;
  const std::uint32_t taken_bubble_, redirect_cycles_;
  const std::uint64_t block_mask_;
  const std::uint64_t trap_entry_, trap_leave_;
  InFlightRing& window_;
  isa::InstructionSource& source_;
  L1Cache& cache_;
  BranchHistory history_;
  isa::ReturnStack returns_;
  InstructionPrefetcher prefetcher_;

  std::uint64_t resume_ = 0;  // first cycle of the next IA
  Waiting waiting_ = Waiting::Nothing;
  Trap trap_ = Trap::None;
  std::uint32_t pulled_ = 0;  // records in window_, from `fetched` on, that are not fetched yet
  std::vector<isa::InstructionRecord> across_;  // of a block across the end of the ring
  bool ended_ = false;
  bool parked_ = false;
  CpiPart blame_ = CpiPart::FrontEnd;

  std::uint64_t access_ = 0;           // token of the latest instruction cache access
  std::uint64_t block_ = kNever;       // its block,
  std::uint64_t block_at_ = 0;         // the cycle of its IA,
  std::uint64_t usable_ = 0;           // and when its instructions leave IB
  bool refused_ = false;               // it could not start and is retried
  std::uint64_t translated_ = kNever;  // first cycle with the translation for which it was refused
  bool accessed_ = false;              // fetch has taken IA in this cycle
  bool line_ready_ = false;            // it missed and its line has arrived; no further access is needed

  AfterSlot after_slot_ = AfterSlot::Nothing;
  std::uint64_t after_slot_resume_ = 0;
  std::uint64_t after_slot_pc_ = 0;  // of the wrong path

  bool on_wrong_path_ = false;
  std::uint64_t wrong_pc_ = 0, wrong_next_ = 0;
  bool wrong_simd_ = false;
  std::uint8_t wrong_pes_ = 0;
  std::uint8_t wrong_window_ = 0;
  Sequence wrong_first_ = 0, flush_end_ = 0;
  Sequence mispredicted_ = 0;  // branch in flight whose prediction was wrong; 0: none
  std::uint64_t resolve_at_ = kNever;
  isa::ReturnStack::Mark returns_mark_;

  BranchStats branch_stats_;
  OutcomeTape* tape_ = nullptr;
  TimelineRecorder* recorder_ = nullptr;
  ActivityCounter* activity_ = nullptr;
};

}  // namespace psim::pipeline
