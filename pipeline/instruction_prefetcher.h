// SPDX-License-Identifier: Apache-2.0
// Models: the prefetch of instructions into L1 along the predicted path. JPS1-V p. 31: fetch runs ahead until
// the instruction buffer is full, then prefetches into L1; p. 2: it predicts the path beyond several
// conditional branches by the branch history and prefetches on it. The distance is not stated:
// `prefetch_lines` (assumption).
//
// A walk goes through the lines of the predicted path, from the line that fetch reads. It takes IA in cycles
// in which fetch makes no access (the buffer is full, fetch waits for a line or a bubble). Each cycle is one
// step: a search of the branch history up to the next branch predicted taken, and the tags of one line, which
// is requested if it is absent. The walk is at most `prefetch_lines` lines ahead. It waits if no miss
// register is available or the micro-TLB does not hold the page. It restarts if fetch leaves its path.
//
// A delay slot is assumed to be executed. The walk's calls and returns use a copy of the return stack.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/state/return_stack.h"
#include "pipeline/branch_history.h"
#include "pipeline/memory/l1_cache.h"

namespace psim::pipeline {

class TimingState;

class InstructionPrefetcher {
 public:
  /// Creates the prefetcher. `block_bytes` is the size of one access of fetch.
  InstructionPrefetcher(const BranchHistory& history, const isa::ReturnStack& returns, L1Cache& cache,
                        std::uint32_t block_bytes);

  /// Records that fetch reads from `pc` on.
  void follow(std::uint64_t pc) {
    if (pc >> line_shift_ != line_ && enabled_) moved(pc);
  }
  /// Records that fetch has left the predicted path.
  void leave();
  /// Steps the walk in a cycle in which fetch makes no access. Returns false if nothing happened, nor will
  /// without an event.
  [[gnu::hot]] bool step(std::uint64_t now);

  void timing_state(TimingState& state);

 private:
  [[gnu::hot]] void moved(std::uint64_t pc);
  [[gnu::hot]] void advance();

  /// Number of steps without a new line after which the walk rests: it is in a loop within its line.
  static constexpr std::uint32_t kRest = 8;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  const bool enabled_;
  const std::uint32_t line_bytes_;
  const std::uint32_t line_shift_;  // of a line, or of a block of fetch if that is larger; "line" below
  const BranchHistory& history_;
  const isa::ReturnStack& fetch_returns_;
  L1Cache& cache_;

  std::uint64_t line_ = kNone;        // read by fetch
  std::vector<std::uint64_t> ahead_;  // a ring of the lines walked and not yet read
  std::uint32_t first_ = 0, used_ = 0;
  std::uint64_t last_line_ = 0;  // of the walk
  std::uint64_t next_ = 0;       // address from which the walk goes on
  std::uint64_t target_ = 0;     // where it continues after the delay slot at next_; 0: straight on
  std::uint32_t part_ = 0;       // of a line of several lines of the cache: the next to request
  bool waits_ = false;           // for a translation, until fetch moves on
  std::uint32_t steps_ = kRest;  // since the last new line
  isa::ReturnStack returns_;
};

}  // namespace psim::pipeline
