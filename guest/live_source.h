// SPDX-License-Identifier: Apache-2.0
// Instruction records from a running program, for the pipeline. The program's clock is the pipeline's cycle.
#pragma once

#include <algorithm>
#include <deque>
#include <span>

#include "guest/process.h"
#include "isa/state/instruction_source.h"
#include "isa/state/region_marker.h"

namespace psim::isa {

class LiveSource final : public InstructionSource {
 public:
  /// The source of `core`. `process` must be made with ProcessOptions::timed; it outlives the source.
  explicit LiveSource(Process& process, std::uint32_t core = 0)
      : process_(process),
        threaded_(process.threaded()),
        core_(core),
        strand_(process.threads.current().strand) {
    refresh_due();
  }

  [[gnu::hot]] Pull next(std::uint64_t cycle, bool oldest, InstructionRecord& out) override;
  [[gnu::hot]] std::uint32_t next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                                           std::uint32_t count, RecordSlots out) override;
  [[gnu::hot]] std::uint32_t follow(std::uint64_t cycle, std::span<const InstructionRecord> expected,
                                    RecordSlots out) override;
  const StaticInstruction* text(std::uint64_t pc, bool simd = false) override {
    return process_.executor.text(pc, simd);
  }
  std::uint32_t texts(std::uint64_t pc, bool simd, std::span<const StaticInstruction*> out) override {
    return process_.executor.texts(pc, simd, out);
  }
  BlockTransfer transfer(const InstructionRecord& record) const override {
    return process_.executor.transfer(record, strand_);
  }
  bool has_threads() const override { return threaded_; }

  /// Executes functionally until at least `instructions` have retired in all, at `pace` / 65536 cycles per
  /// instruction. The program's clock stays ahead of the pipeline's cycles by the time that this takes.
  void skip(std::uint64_t instructions, std::uint64_t pace);
  /// Call if the pipeline has idled for `cycles` of the time that skip() took.
  void passed(std::uint64_t cycles) { lead_ -= std::min(lead_, cycles); }
  /// Returns true if the last record is not a branch whose delay slot is still to come.
  bool between_instructions() const {
    const CpuState& state = process_.executor.state();
    return state.npc == state.pc + 4;
  }

  /// Marks calls of the MPI library, too, as regions are marked.
  void mark_calls() { calls_ = true; }
  /// Returns and removes the marker of the oldest record with region_marker set. Markers commit in the order
  /// in which they were pulled, so each commit takes the first one.
  RegionMarker take_region();
  /// Returns the marker of the last record, if that has region_marker set and the marker was not yet taken.
  const RegionMarker& last_region() const { return regions_.back(); }
  /// Records delivered so far.
  std::uint64_t records() const { return records_; }

 private:
  /// Makes the thread that the core runs the current one. Returns Record if it may go on.
  Pull enter_thread(std::uint64_t cycle, bool oldest, InstructionRecord& out);
  void refresh_due() { due_ = process_.timers.next_core_cycle(); }

  Process& process_;
  bool threaded_;
  const std::uint32_t core_;
  std::size_t strand_;  ///< of the thread whose instructions are in the core
  std::deque<RegionMarker> regions_;
  bool calls_ = false;
  std::uint64_t due_ = 0;  ///< cycle at which a timer of the program is due
  std::uint64_t records_ = 0;
  std::uint64_t cycle_ = 0;  ///< of the pipeline, at the last record
  std::uint64_t lead_ = 0;   ///< of the program's clock over the pipeline's cycles
};

}  // namespace psim::isa
