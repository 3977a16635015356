// SPDX-License-Identifier: Apache-2.0
// Completion, stage W (JPS1-V p. 33): in order, up to `commit_width` instructions per cycle from the commit
// stack, each at least a cycle after its U. Rename registers and fetch ports are released, stores go on to
// L1, block transfers to their engine, and branches update the branch history. Here every cycle is charged to
// a part of the CPI stack.
#pragma once

#include <cstdint>
#include <span>

#include "base/statistics/statistic.h"
#include "pipeline/cpi_account.h"
#include "pipeline/decode_unit.h"
#include "pipeline/fetch_unit.h"
#include "pipeline/load_store_unit.h"
#include "pipeline/profile.h"
#include "pipeline/region_listener.h"
#include "pipeline/rename_map.h"
#include "pipeline/simd/simd_stats.h"

namespace psim::pipeline {

class ActivityCounter;

struct CommitStats : statistics::Group {
  explicit CommitStats(const WindowConfig& config)
      : per_cycle(*this, "per_cycle", "instructions",
                  "instructions, those of spill and fill traps included, committed in a cycle",
                  config.commit_width) {}
  Counter instructions{*this, "instructions", "instructions",
                       "instructions of the program committed; spill and fill traps are not among them"};
  Counter trap_instructions{*this, "trap_instructions", "instructions",
                            "instructions of spill and fill traps committed"};
  Counter flops{*this, "flops", "flops", "floating-point operations of the instructions committed"};
  Distribution per_cycle;
};

class TimingState;

class CommitUnit {
 public:
  /// Receives region markers, in W.
  class MarkerListener {
   public:
    virtual void on_marker(Sequence sequence, std::uint64_t now) = 0;

   protected:
    ~MarkerListener() = default;
  };

  CommitUnit(const WindowConfig& config, InFlightRing& window, RenameMap& rename, LoadStoreUnit& operands,
             TransferUnit& transfers, FetchUnit& fetch, const DecodeUnit& decode,
             isa::InstructionSource& source, MarkerListener& listener)
      : width_(config.commit_width),
        window_(window),
        rename_(rename),
        operands_(operands),
        transfers_(transfers),
        fetch_(fetch),
        decode_(decode),
        source_(source),
        listener_(listener),
        stats_(config) {}
  void set_recorder(TimelineRecorder* recorder) { recorder_ = recorder, observed_ = true; }
  void set_activity(ActivityCounter* activity) { activity_ = activity, observed_ = true; }
  void set_profile(Profile* profile) { profile_ = profile; }

  /// Steps W by one cycle. Returns the number of instructions committed.
  [[gnu::hot]] std::uint32_t step(std::uint64_t now);
  /// Charges `cycles` cycles, from `now` on, in which nothing changes.
  [[gnu::hot]] void charge_idle(std::uint64_t now, std::uint64_t cycles);
  /// Counts instructions that have executed in cycle `now` without the pipeline. Returns the number of those
  /// of the program.
  std::uint64_t count(std::span<const isa::InstructionRecord> executed, std::uint64_t now);
  /// Charges cycles in which instructions execute without the pipeline.
  void pass(std::uint64_t cycles) {
    stats_.per_cycle.add_bounded(0, cycles);
    cpi_.charge(CpiPart::Base, cycles);
  }
  /// Returns the first cycle after `now` in which the oldest instruction may commit, or is in W1, if that is
  /// known.
  std::uint64_t next_event(std::uint64_t now) const {
    if (window_.head == window_.decoded) return kNever;
    const InFlight& oldest = window_[window_.head];
    if (oldest.done == kNever) return kNever;
    if (oldest.done < now) return kNever;  // a block transfer that waits for the engine or a store
    const std::uint64_t w1 = oldest.done + 1 - window_.stages.depth.w1;  // charged apart
    if (oldest.in_pes() && w1 > now) return w1;
    return std::max(oldest.done, now) + 1;
  }
  std::uint64_t last_commit() const { return last_commit_; }
  const CommitStats& stats() const { return stats_; }
  void timing_state(TimingState& state);
  bool profiled() const { return profile_ != nullptr; }
  CpiAccount::Stack& cpi_words() { return cpi_.words(); }
  const SimdStats& simd_stats() const { return simd_stats_; }
  const CpiAccount& cpi() const { return cpi_; }
  /// Returns the cycles without a thread to run, which are in no part of the CPI stack.
  std::uint64_t idle_cycles() const { return idle_; }

 private:
  void count(const isa::InstructionRecord& record) {
    if (record.kind != isa::RecordKind::Instruction) {
      ++stats_.trap_instructions;
      return;
    }
    ++stats_.instructions;
    stats_.flops += record.instruction->flops * (record.instruction->simd ? record.pes : 1u);
  }
  void notify(Sequence sequence, std::uint64_t now);
  bool begin_transfer(const InFlight& oldest, std::uint64_t now);
  CpiPart blame_front_end() const;
  [[gnu::hot]] CpiPart blame_oldest(const InFlight& oldest, std::uint64_t now) const;
  bool refilling(const InFlight& oldest, std::uint64_t now) const {
    return oldest.starved && now < oldest.decoded + window_.stages.filled;
  }

  const std::uint32_t width_;
  InFlightRing& window_;
  RenameMap& rename_;
  LoadStoreUnit& operands_;
  TransferUnit& transfers_;
  FetchUnit& fetch_;
  const DecodeUnit& decode_;
  isa::InstructionSource& source_;
  MarkerListener& listener_;
  CpiAccount cpi_;
  std::uint64_t idle_ = 0;
  CommitStats stats_;
  SimdStats simd_stats_;
  std::uint64_t last_commit_ = 0;
  bool observed_ = false;  // by one of these
  TimelineRecorder* recorder_ = nullptr;
  ActivityCounter* activity_ = nullptr;
  Profile* profile_ = nullptr;
};

}  // namespace psim::pipeline
