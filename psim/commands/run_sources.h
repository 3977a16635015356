// SPDX-License-Identifier: Apache-2.0
// Sources of instructions that stand before the source of a run: one ends it, one reports its progress and
// gives partial results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/progress.h"
#include "isa/state/instruction_source.h"
#include "psim/net/interruption.h"
#include "psim/partial_results.h"

namespace psim::commands {

/// Ends the run after a given number of instructions.
class LimitedSource final : public isa::SourceBefore {
 public:
  /// `left`, the instructions that may still be delivered, may be shared by several sources.
  LimitedSource(isa::InstructionSource& source, std::uint64_t& left) : SourceBefore(source), left_(left) {}
  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override {
    if (left_ == 0) return isa::Pull::End;
    const isa::Pull pull = source_.next(cycle, oldest, out);
    if (pull == isa::Pull::Record && out.kind == isa::RecordKind::Instruction) --left_;
    return pull;
  }
  std::uint32_t next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                              std::uint32_t count, isa::RecordSlots out) override {
    count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, left_));
    const std::uint32_t delivered =
        count == 0 ? 0 : source_.next_straight(cycle, pc, block_bytes, count, out);
    left_ -= delivered;
    return delivered;
  }
  std::uint32_t follow(std::uint64_t cycle, std::span<const isa::InstructionRecord> expected,
                       isa::RecordSlots out) override {
    const std::uint32_t delivered =
        source_.follow(cycle, expected.first(std::min<std::uint64_t>(expected.size(), left_)), out);
    left_ -= delivered;
    return delivered;
  }
  bool reached() const { return left_ == 0; }

 private:
  std::uint64_t& left_;
};

/// Reports the progress of a run, and is a safe point for partial results: in a copy, it has ended, as it has
/// after a signal if an Interruption exists.
class ProgressSource final : public isa::SourceBefore {
 public:
  ProgressSource(isa::InstructionSource& source, Progress& progress, PartialResults& partials,
                 InstructionEnd end)
      : SourceBefore(source), progress_(progress), partials_(partials), end_(end) {}
  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override {
    if (ended_ || partials_.in_copy()) return isa::Pull::End;
    const isa::Pull pull = source_.next(cycle, oldest, out);
    if (pull == isa::Pull::Record) count(1, cycle);
    return pull;
  }
  std::uint32_t next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                              std::uint32_t most, isa::RecordSlots out) override {
    if (ended_ || partials_.in_copy()) return 0;
    const std::uint32_t delivered = source_.next_straight(cycle, pc, block_bytes, most, out);
    count(delivered, cycle);
    return delivered;
  }
  std::uint32_t follow(std::uint64_t cycle, std::span<const isa::InstructionRecord> expected,
                       isa::RecordSlots out) override {
    if (ended_ || partials_.in_copy()) return 0;
    const std::uint32_t delivered = source_.follow(cycle, expected, out);
    count(delivered, cycle);
    return delivered;
  }

 private:
  void count(std::uint32_t records, std::uint64_t cycle) {
    constexpr std::uint64_t kStep = 1 << 16;
    const std::uint64_t before = records_;
    records_ += records;
    if (records_ / kStep == before / kStep) return;
    progress_.update([&](double elapsed) { return instructions_line(elapsed, records_, cycle, end_); });
    partials_.wanted();  // the records that were just delivered still run
    ended_ = Interruption::signal() != 0;
  }

  Progress& progress_;
  PartialResults& partials_;
  InstructionEnd end_;
  std::uint64_t records_ = 0;
  bool ended_ = false;
};

}  // namespace psim::commands
