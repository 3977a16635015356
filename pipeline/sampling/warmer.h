// SPDX-License-Identifier: Apache-2.0
// Keeps caches, TLBs and branch predictors of a core warm while its program runs functionally between windows
// of cycles (functional warming of SMARTS, Wunderlich et al., ISCA 2003).
//
// Accesses take effect in program order and without time, so some states differ from those of a run in all
// cycles. No wrong path fetches lines, and the prefetcher along the predicted path does nothing. Lines that
// are hit again and again do not renew their page in the micro-TLB. The detailed warm-up before each measured
// unit covers these differences.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "isa/state/execution_warmer.h"
#include "pipeline/sampling/burst_finder.h"
#include "pipeline/sampling/seen_numbers.h"
#include "pipeline/sampling/work.h"
#include "pipeline/wired_core.h"

namespace psim::pipeline {

class Warmer final : public isa::ExecutionWarmer {
 public:
  /// Receives region markers, with the state after them.
  using MarkerListener = std::function<void(std::uint32_t word, const isa::CpuState& state)>;

  Warmer(WiredCore& core, MarkerListener on_marker);

  /// Call before functional execution: the caches have changed meanwhile.
  void begin();
  /// Call after functional execution, up to an instruction: branches in cycles follow those before.
  void end(std::uint64_t instructions) { history_.set_turn(instructions); }
  /// Clears what was found, and with `find` pauses the execution at the next code that runs for the first
  /// time, and at the next loop whose code has never run functionally, before its first iteration ends.
  void find_new(bool find) { finds_ = find, paused_ = pauses_here = false, loop_ = 0; }
  /// Returns true if new code or a loop was found.
  bool paused() const { return paused_; }
  /// Returns the head of the loop that was found; 0: none.
  std::uint64_t loop() const { return loop_; }
  /// Pauses the execution when `bursts` finds that a burst is under way; null: never. `retired` counts the
  /// instructions of the program. Both outlive the use.
  void find_bursts(BurstFinder* bursts, const std::uint64_t* retired) {
    bursts_ = bursts, retired_ = retired;
    in_burst_ = pauses_after = false;
  }
  /// Returns true if a burst was found.
  bool in_burst() const { return in_burst_; }
  /// Notes an instruction that runs in cycles. Returns true if it is the first one of a line of code.
  bool first_run(const isa::InstructionRecord& record) {
    const bool first = note(record.pc);
    return (has_noted_slot(record.instruction->branch) && note(record.pc + 4)) || first;
  }
  /// Returns what instructions have done functionally so far, without misses and without the mispredictions
  /// that the history counts itself. Call it before kMostWork instructions have run since the last call.
  Work take_work();
  static constexpr std::uint64_t kMostWork = 1u << 20;
  /// Receives single steps until `instructions` have retired in all, region markers among them; null: none.
  using StepListener = std::function<void(const isa::InstructionRecord& record, const isa::CpuState& state)>;
  void listen(StepListener listener, std::uint64_t instructions) {
    on_step_ = std::move(listener);
    steps_until = instructions;
  }

  void access(std::uint64_t address, unsigned bytes, bool write) override;
  void fetch(std::uint64_t address) override;
  void built(std::uint64_t pc) override;
  std::uint32_t add_site(std::uint64_t pc, isa::BranchKind kind, std::uint64_t target) override;
  void branch(isa::BranchSite& site, bool taken, std::uint64_t retired) override;
  void jump(isa::BranchSite& site, std::uint64_t target, std::uint64_t retired) override;
  void step(const isa::InstructionRecord& record, const isa::CpuState& state) override;

 private:
  /// Returns true for branches whose delay slot is noted with them, whether it runs or not.
  static bool has_noted_slot(isa::BranchKind kind) {
    return kind == isa::BranchKind::Conditional || kind == isa::BranchKind::Always;
  }
  void access_line(std::uint64_t address, bool write);
  void jump(isa::HistoryEntry* entry, std::uint64_t pc, isa::BranchKind kind, std::uint64_t target,
            std::uint64_t retired);
  void read_below(std::uint64_t address);
  void write_below(const TagArray::Victim& victim, unsigned shift);
  void forget(std::uint64_t address);
  /// Notes that the line of `pc` runs. Returns true the first time.
  bool note(std::uint64_t pc) { return lines_.insert(pc >> code.shift); }

  L1Cache& instructions_;
  L1Cache& data_cache_;
  L2Cache& l2_;
  BranchHistory& history_;
  MarkerListener on_marker_;
  StepListener on_step_;
  bool finds_ = false, paused_ = false;
  BurstFinder* bursts_ = nullptr;
  const std::uint64_t* retired_ = nullptr;
  bool in_burst_ = false;
  std::uint64_t loop_ = 0;
  Work work_;
  SeenNumbers lines_;       // of code that has run, in cycles or functionally
  SeenNumbers executed_;    // addresses of branches; those of windows are not among them
  isa::HistoryEntry none_;  // of sites whose branch the history does not hold
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // of sites, by pc
};

}  // namespace psim::pipeline
