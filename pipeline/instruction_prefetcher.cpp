// SPDX-License-Identifier: Apache-2.0
#include "pipeline/instruction_prefetcher.h"

#include <algorithm>
#include <bit>

#include "pipeline/memo/timing_state.h"

namespace psim::pipeline {

InstructionPrefetcher::InstructionPrefetcher(const BranchHistory& history, const isa::ReturnStack& returns,
                                             L1Cache& cache, std::uint32_t block_bytes)
    : enabled_(cache.config().prefetch == Prefetch::Path),
      line_bytes_(cache.config().line_bytes),
      line_shift_(static_cast<std::uint32_t>(std::countr_zero(std::max(line_bytes_, block_bytes)))),
      history_(history),
      fetch_returns_(returns),
      cache_(cache),
      ahead_(cache.config().prefetch_lines),
      returns_(returns) {}

void InstructionPrefetcher::moved(std::uint64_t pc) {
  line_ = pc >> line_shift_;
  waits_ = false;
  if (used_ != 0 && ahead_[first_] == line_) {
    first_ = first_ + 1 == ahead_.size() ? 0 : first_ + 1;
    --used_;
    return;
  }
  used_ = 0;
  last_line_ = line_;
  next_ = pc;
  target_ = 0;
  part_ = 0;
  steps_ = 0;
  returns_ = fetch_returns_;
}

void InstructionPrefetcher::leave() {
  line_ = kNone;
  used_ = 0;
  steps_ = kRest;
}

bool InstructionPrefetcher::step(std::uint64_t now) {
  if (used_ == ahead_.size() || steps_ == kRest || waits_) return false;
  const std::uint64_t line = next_ >> line_shift_;
  if (line == last_line_) {
    ++steps_;
  } else {
    const std::uint64_t address = (line << line_shift_) + std::uint64_t{part_} * line_bytes_;
    const PrefetchAnswer answer = cache_.prefetch(address, AccessKind::Fetch, now);
    waits_ = answer == PrefetchAnswer::NoTranslation;
    if (waits_ || answer == PrefetchAnswer::NoRegister) return false;
    if (std::uint64_t{++part_} * line_bytes_ < std::uint64_t{1} << line_shift_) return true;
    part_ = 0;
    last_line_ = line;
    ahead_[(first_ + used_++) % ahead_.size()] = line;
    steps_ = 0;
  }
  advance();
  return true;
}

/// Finds the target of the next branch in this line that is predicted taken, or the start of the next line.
void InstructionPrefetcher::advance() {
  if (target_ != 0) {
    next_ = target_;
    target_ = 0;
    return;
  }
  const std::uint64_t end = ((next_ >> line_shift_) + 1) << line_shift_;
  BranchHistory::Answer taken;
  const std::uint64_t branch = history_.first_taken(next_, end, taken);
  next_ = end;
  if (branch == end) return;
  std::uint64_t target = taken.target;
  if (taken.kind == isa::BranchKind::Return) target = returns_.pop();
  if (taken.kind == isa::BranchKind::Call) returns_.push(branch + 8);
  if (branch + 4 == end)
    target_ = target;  // the delay slot is in the next line
  else
    next_ = target;
}

void InstructionPrefetcher::timing_state(TimingState& state) {
  if (!enabled_) return;
  state.near(last_line_, 0);
  state.near(line_, last_line_);
  std::uint32_t used = used_;
  state.value(used);
  if (!state.writes()) first_ = 0, used_ = used;
  for (std::uint32_t n = 0; n < used_; ++n) state.near(ahead_[(first_ + n) % ahead_.size()], last_line_);
  state.near(next_, last_line_ << line_shift_);
  state.near(target_, 0);
  state.value(part_), state.value(waits_), state.value(steps_);
  if (steps_ != kRest || used_ != 0) returns_.timing_state(state);
}

}  // namespace psim::pipeline
