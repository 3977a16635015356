// SPDX-License-Identifier: Apache-2.0
// Finds the innermost loop in which a unit runs, and the counts of its whole iterations.
//
// A loop is known by its head, the target of a taken branch to a lower address. An iteration lies between two
// such branches to one head without a branch to another head in between.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

#include "isa/state/instruction_source.h"
#include "pipeline/commit_unit.h"

namespace psim::pipeline {

class LoopFinder {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Loop {
    std::uint64_t head = 0;          ///< address
    std::uint64_t instructions = 0;  ///< of whole iterations
    Totals first, last;              ///< at the ends of the first and the last branch to the head
    std::uint64_t first_misses = 0, last_misses = 0;  ///< of the first data cache, likewise
  };

  void clear() { pending_.clear(), used_ = 0, head_ = kNone; }
  /// Returns true for a taken branch back to the head of a loop.
  static bool closes_loop(const isa::InstructionRecord& record) {
    return record.taken && record.target <= record.pc &&
           (record.instruction->branch == isa::BranchKind::Conditional ||
            record.instruction->branch == isa::BranchKind::Always);
  }
  /// Follows the record of instruction `number`, which has not committed yet.
  void follow(const isa::InstructionRecord& record, std::uint64_t number) {
    if (closes_loop(record)) pending_.push_back({record.target, number});
  }
  /// Returns the number of the next branch to commit; kNone: there is none.
  std::uint64_t next() const { return pending_.empty() ? kNone : pending_.front().number; }
  /// Counts the branches that have committed up to the instruction `now.instructions`.
  void committed(const Totals& now, std::uint64_t l1d_misses = 0) {
    for (; next() <= now.instructions; pending_.pop_front()) count(pending_.front().head, now, l1d_misses);
  }
  /// Returns the outermost loop, by address, of which whole iterations, with the loops inside, have
  /// `instructions`; null: none has.
  const Loop* nest(std::uint64_t instructions) const {
    const Loop* outermost = nullptr;
    for (std::size_t n = 0; n < used_; ++n) {
      const Loop& loop = loops_[n];
      if (loop.last.instructions - loop.first.instructions >= instructions &&
          (outermost == nullptr || loop.head < outermost->head))
        outermost = &loop;
    }
    return outermost;
  }
  /// Returns the loop with the most instructions; null if there is no loop.
  const Loop* most() const {
    const auto end = loops_.begin() + static_cast<std::ptrdiff_t>(used_);
    const auto most = std::max_element(
        loops_.begin(), end, [](const Loop& a, const Loop& b) { return a.instructions < b.instructions; });
    return most == end ? nullptr : &*most;
  }

 private:
  struct Branch {
    std::uint64_t head, number;
  };

  void count(std::uint64_t head, const Totals& now, std::uint64_t l1d_misses) {
    const auto end = loops_.begin() + static_cast<std::ptrdiff_t>(used_);
    const auto loop =
        std::find_if(loops_.begin(), end, [head](const Loop& known) { return known.head == head; });
    if (loop == loops_.end()) {
      head_ = kNone;
      return;
    }
    if (loop == end) {
      *loop = {head, 0, now, now, l1d_misses, l1d_misses};
      ++used_;
    }
    if (head == head_) loop->instructions += now.instructions - loop->last.instructions;
    loop->last = now, loop->last_misses = l1d_misses;
    head_ = head;
  }

  std::deque<Branch> pending_;
  std::array<Loop, 8> loops_;
  std::size_t used_ = 0;
  std::uint64_t head_ = kNone;  // of the last branch
};

}  // namespace psim::pipeline
