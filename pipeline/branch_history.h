// SPDX-License-Identifier: Apache-2.0
// BRHIS: the branch history table (JPS1-V pp. 6, 31: 16K entries, 4-way).
//
// An entry holds the kind and target of a branch and a saturating counter. A branch enters the table when it
// commits taken; a branch outside the table is predicted not taken. Replacement is least recently used. The
// algorithm of the real table is not published: docs/decisions/0011.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/zeroed_array.h"
#include "isa/state/execution_warmer.h"
#include "isa/table/static_instruction.h"
#include "pipeline/branch_answer.h"
#include "pipeline/config.h"
#include "pipeline/memory/state_words.h"

namespace psim::pipeline {

class OutcomeTape;

class BranchHistory {
 public:
  explicit BranchHistory(const BranchConfig& config);

  using Answer = BranchAnswer;
  /// Searches the table. The search starts with IT; its answer is known in IM.
  [[gnu::hot]] Answer search(std::uint64_t pc) const;
  /// Returns the address of the first branch in [pc, end) that is predicted taken, with its `answer`; `end`
  /// if none.
  [[gnu::hot]] std::uint64_t first_taken(std::uint64_t pc, std::uint64_t end, Answer& answer) const;
  /// Records a branch at its W, in program order.
  [[gnu::hot]] void update(std::uint64_t pc, isa::BranchKind kind, bool taken, std::uint64_t target);

  // For functional execution, which updates entries in place (isa::ExecutionWarmer).
  /// Returns the entry of the branch, or null. It stays at its address.
  isa::HistoryEntry* entry(std::uint64_t pc);
  /// Numbers the next update by that of its instruction, of which `retired` came before. In cycles the
  /// numbers of updates grow more slowly than those of instructions.
  void set_turn(std::uint64_t retired) { turn_ = retired; }
  const std::uint64_t& entered() const { return entered_; }
  std::uint8_t counter_max() const { return counter_max_; }
  /// Returns the branches recorded by update() whose direction or target the table, just before, predicted
  /// wrong. Targets of returns do not count, which the return stack predicts.
  std::uint64_t mispredicted() const { return mispredicted_; }
  void warm_state(StateWords& words);
  /// Makes `tape` record the answers; null: no longer.
  void set_tape(OutcomeTape* tape) { tape_ = tape; }

 private:
  using Entry = isa::HistoryEntry;
  Entry* set_of(std::uint64_t pc) { return &entries_[(pc >> 2 & set_mask_) * ways_]; }
  const Entry* set_of(std::uint64_t pc) const { return &entries_[(pc >> 2 & set_mask_) * ways_]; }

  [[gnu::hot]] Answer look_up(std::uint64_t pc) const;
  [[gnu::hot]] std::uint64_t look_for_taken(std::uint64_t pc, std::uint64_t end, Answer& answer) const;

  static constexpr std::size_t kGroups = 4096;  // of 16 instructions
  static std::size_t group_of(std::uint64_t pc) { return pc >> 6 & (kGroups - 1); }

  OutcomeTape* tape_ = nullptr;
  std::uint64_t set_mask_;
  std::uint32_t ways_;
  std::uint8_t counter_max_;
  std::uint64_t turn_ = 0;
  std::uint64_t entered_ = 0;  // branches that have entered
  std::uint64_t mispredicted_ = 0;
  ZeroedArray<Entry> entries_;
  std::vector<std::uint16_t> groups_;  // for each group, a bit per instruction that ever had an entry
};

}  // namespace psim::pipeline
