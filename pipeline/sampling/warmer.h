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
#include <unordered_set>
#include <vector>

#include "isa/state/execution_warmer.h"
#include "pipeline/wired_core.h"

namespace psim::pipeline {

class Warmer final : public isa::ExecutionWarmer {
 public:
  /// Receives region markers, with the state after them.
  using MarkerListener = std::function<void(std::uint32_t word, const isa::CpuState& state)>;

  Warmer(WiredCore& core, MarkerListener on_marker);

  /// Call before functional execution: the caches have changed meanwhile.
  void begin() { data.forget(), code.forget(); }
  /// Clears the loop that was found, and with `find` pauses the execution at the next loop whose code has
  /// never run functionally, before its first iteration ends.
  void find_loop(bool find) { finds_loop_ = find, pauses_here = false, loop_ = 0; }
  /// Returns the head of the loop that was found; 0: none.
  std::uint64_t loop() const { return loop_; }
  /// Receives single steps until `instructions` have retired in all, region markers among them; null: none.
  using StepListener = std::function<void(const isa::InstructionRecord& record, const isa::CpuState& state)>;
  void listen(StepListener listener, std::uint64_t instructions) {
    on_step_ = std::move(listener);
    steps_until = instructions;
  }

  void access(std::uint64_t address, unsigned bytes, bool write) override;
  void fetch(std::uint64_t address) override;
  std::uint32_t site(std::uint64_t pc, isa::BranchKind kind, std::uint64_t target) override;
  void branch(isa::BranchSite& site, bool taken) override;
  void jump(std::uint64_t pc, isa::BranchKind kind, std::uint64_t target) override;
  void step(const isa::InstructionRecord& record, const isa::CpuState& state) override;

 private:
  void access_line(std::uint64_t address, bool write);
  void read_below(std::uint64_t address);
  void write_below(const TagArray::Victim& victim, unsigned shift);
  void forget(std::uint64_t address);

  L1Cache& instructions_;
  L1Cache& data_cache_;
  L2Cache& l2_;
  BranchHistory& history_;
  ReturnStack& returns_;
  MarkerListener on_marker_;
  StepListener on_step_;
  bool finds_loop_ = false;
  std::uint64_t loop_ = 0;
  std::unordered_set<std::uint64_t> executed_;  // addresses of branches; those of windows are not among them
  isa::HistoryEntry none_;                      // of sites whose branch the history does not hold
  std::vector<isa::BranchSite> sites_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // of sites, by pc
};

}  // namespace psim::pipeline
