// SPDX-License-Identifier: Apache-2.0
// A run for tests: random but valid timelines, with wrong paths, cancels, cache accesses, long misses and
// wake-ups, announced in the order in which they leave.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "pipeline/observer.h"

namespace psim::pipeline::dump {

struct SyntheticInstruction {
  InstructionTimeline timeline{};
  std::vector<StageEvent> stages;
  std::vector<StallSpan> stalls;
  std::vector<Wakeup> wakeups;
};

class SyntheticRun {
 public:
  explicit SyntheticRun(std::size_t instructions, std::uint32_t seed = 1, std::uint64_t start_cycle = 0)
      : random_(seed), fetch_cycle_(start_cycle), commit_cycle_(start_cycle) {
    load_.load = true;
    load_.unit = isa::Unit::Address;
    add_.unit = isa::Unit::Int;
    while (instructions_.size() < instructions) make(false);
    for (SyntheticInstruction& made : instructions_) {
      made.timeline.stages = made.stages;
      made.timeline.stalls = made.stalls;
      made.timeline.wakeups = made.wakeups;
      leaving_.push_back(&made);
    }
    std::stable_sort(leaving_.begin(), leaving_.end(),
                     [](const auto* a, const auto* b) { return a->timeline.end < b->timeline.end; });
  }

  /// Returns the instructions by sequence.
  const std::deque<SyntheticInstruction>& instructions() const { return instructions_; }
  void announce_to(CoreObserver& observer) const {
    for (const SyntheticInstruction* left : leaving_) observer.on_leave(left->timeline);
  }
  /// Returns "add" or "load", for the instructions of this run.
  static std::string disassemble(const isa::StaticInstruction& instruction, std::uint64_t) {
    return instruction.load ? "ldx [%o0 + 8], %o1" : "add %o1, 1, %o1";
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  void make(bool wrong_path, std::uint64_t flush_cycle = 0) {
    if (below(4) == 0) ++fetch_cycle_;
    const std::uint64_t sequence = instructions_.size();
    constexpr std::uint64_t kInFlight = 112;  // instruction buffer and commit stack
    if (sequence >= kInFlight)
      fetch_cycle_ = std::max(fetch_cycle_, instructions_[sequence - kInFlight].timeline.end);
    if (wrong_path && fetch_cycle_ >= flush_cycle) return;
    SyntheticInstruction& made = instructions_.emplace_back();
    const bool load = below(4) == 0;
    made.timeline.sequence = sequence;
    made.timeline.pc = 0x100000 + 4 * below(5000);
    made.timeline.instruction = load ? &load_ : &add_;
    made.timeline.address = load ? 0x80000000 + 8 * below(1000) : 0;
    std::uint64_t cycle = fetch_cycle_;
    const auto stage = [&](Stage stage, std::uint64_t cycles = 1) {
      made.stages.push_back({cycle, stage});
      cycle += cycles;
    };
    for (const Stage front : {Stage::IA, Stage::IT, Stage::IM, Stage::IB, Stage::IR, Stage::E}) stage(front);
    const std::uint64_t wait = below(3) == 0 ? below(6) : 0;
    stage(Stage::D, 1 + wait);
    if (wait != 0) made.stalls.push_back({cycle - wait, cycle, StallCause::Operand});
    if (sequence > 0 && below(2) == 0)
      made.wakeups.push_back({sequence - 1 - below(std::min<std::uint64_t>(sequence, 8)), cycle});
    for (const Stage execute : {Stage::P, Stage::B, Stage::X}) stage(execute);
    if (below(20) == 0) {
      made.stalls.push_back({cycle - 1, cycle, StallCause::Cancelled});
      for (const Stage execute : {Stage::P, Stage::B, Stage::X}) stage(execute);
    }
    if (load) {
      for (const Stage access : {Stage::Ps, Stage::Ts, Stage::Ms, Stage::Bs}) stage(access);
      const std::uint64_t miss = below(50) == 0 ? below(20000) : 0;
      stage(Stage::Rs, 1 + miss);
      if (miss != 0) made.stalls.push_back({cycle - miss, cycle, StallCause::L2Miss});
    }
    stage(Stage::U);
    const bool branch = !wrong_path && below(30) == 0;
    const std::uint64_t resolved = cycle;
    if (wrong_path) {
      while (!made.stages.empty() && made.stages.back().cycle >= flush_cycle) made.stages.pop_back();
      std::erase_if(made.stalls, [&](const StallSpan& stall) { return stall.begin >= flush_cycle; });
      for (StallSpan& stall : made.stalls) stall.end = std::min(stall.end, flush_cycle);
      std::erase_if(made.wakeups, [&](const Wakeup& wakeup) { return wakeup.cycle >= flush_cycle; });
      cycle = std::min(cycle, flush_cycle);
      made.timeline.flushed = true;
    } else {
      if (cycle < commit_cycle_) {
        made.stalls.push_back({cycle, commit_cycle_, StallCause::CommitWidth});
        cycle = commit_cycle_;
      }
      commit_cycle_ = cycle;
      stage(Stage::W);
      made.timeline.retired = retired_++;
    }
    made.timeline.end = cycle;
    if (branch) {
      for (std::uint64_t i = below(40); i != 0; --i) make(true, resolved);
      fetch_cycle_ = std::max(fetch_cycle_, resolved);
    }
  }

  std::mt19937 random_;
  std::uint64_t fetch_cycle_, commit_cycle_, retired_ = 0;
  isa::StaticInstruction load_, add_;
  std::deque<SyntheticInstruction> instructions_;
  std::vector<const SyntheticInstruction*> leaving_;
};

/// A file of this test alone, removed at its end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& directory, const std::string& name)
      : path_(directory + "/" + name) {}
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace psim::pipeline::dump
