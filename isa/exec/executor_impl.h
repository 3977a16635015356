// SPDX-License-Identifier: Apache-2.0
// The executor's parts. Blocks (executor.cpp) are the fast path. The single-step path (single_step.cpp) is
// exact: it executes one instruction with pc and npc as in the manual, and handles everything that blocks
// cannot.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <span>

#include "isa/exec/block_cache.h"
#include "isa/exec/executor.h"
#include "isa/exec/step_cache.h"
#include "isa/state/code_lines.h"
#include "isa/state/context.h"

namespace psim::isa {

inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

/// Addresses of a device's registers.
struct DeviceRange {
  std::uint64_t first = 0, bytes = 0;
  bool holds(std::uint64_t address) const { return address - first < bytes; }
};

/// The data that all strands use. Decoded code is the same for all of them.
struct Executor::Shared {
  Shared(GuestMemory& memory, Environment& environment, FmaRounding fma, const SimdConfig& simd,
         std::shared_ptr<AnalysedWords> analysed);

  GuestMemory& memory;
  Environment& environment;
  const FmaRounding fma;
  const SimdConfig simd;
  const std::shared_ptr<AnalysedWords> words;
  // One cache per state, so that executing an instruction needs no test of the state.
  std::array<BlockCache, 2> block_caches;
  std::array<StepCache, 2> step_caches;
  CodeLines lines{};     ///< decoded by any strand
  DeviceRange device{};  ///< see set_device()
};

/// A strand.
struct Executor::Impl {
  explicit Impl(Shared& shared);

  /// Makes the strand new: its state is a copy of `state`, in scalar state. The count of retired instructions
  /// goes on.
  void begin(const CpuState& state);

  bool run(std::uint64_t instructions);
  [[gnu::hot]] Pull step(InstructionRecord& record, bool allow_timed);
  [[gnu::hot]] std::uint32_t step_straight(std::uint64_t pc, std::uint32_t count, RecordSlots out);
  [[gnu::hot]] std::uint32_t follow(std::span<const InstructionRecord> expected, RecordSlots out);

  Context c;
  GuestMemory& memory;
  Environment& environment;
  std::array<BlockCache, 2>& block_caches;
  std::array<StepCache, 2>& step_caches;
  CodeLines& lines;
  DeviceRange device;
  std::uint64_t deadline = kNever;
  bool ended = false;
  bool stop = false;  ///< see Executor::stop()
  Executor::DecodeListener* decode_listener = nullptr;
  ExecutionRecorder* recorder = nullptr;

  void set_recorder(ExecutionRecorder* new_recorder);
  void set_warmer(ExecutionWarmer* warmer);

  /// Makes the strand look up all targets of jumps again, since another one has dropped blocks.
  void forget_jumps() { generation_.fill(~std::uint64_t{0}); }

  /// Marks [pc, pc + bytes) as decoded.
  void mark(std::uint64_t pc, std::uint64_t bytes);
  BlockCache& blocks() { return block_caches[c.simd.on]; }
  StepCache& steps() { return step_caches[c.simd.on]; }
  const StaticInstruction* at_transfer();
  bool paused = false;  // run() returned before a transfer
  const StepEntry* fetch(std::uint64_t pc, bool simd);
  const StepEntry* fetch(std::uint64_t pc) { return fetch(pc, c.simd.on); }

 private:
  // executor.cpp
  void leave_block(const Action* first);
  void take_back(const Action* undone);
  void report_step(const InstructionRecord& record, bool retired);
  void warm_step(const InstructionRecord& record, bool retired);
  void rebuild_blocks();
  Block* block_at(std::uint64_t pc);
  bool check_deadline();
  void follow_generation();

  // single_step.cpp
  enum class Outcome : std::uint8_t { Retired, NotRetired };
  /// Executes one instruction at c.pc. NotRetired: a fault was delivered, or window traps came first.
  [[gnu::hot]] Outcome step_one(InstructionRecord& record);
  Outcome deliver(Fault fault);
  bool window_trap(const StepEntry& entry);
  void queue_window_records(RecordKind kind, std::uint64_t area, std::uint64_t frame_window);
  void decide(const StepEntry& entry, InstructionRecord& record);
  void transfer(const StepEntry& entry, const InstructionRecord& record);
  template <bool kFollows>
  [[gnu::always_inline]] std::uint32_t run_straight(std::uint32_t count, RecordSlots out,
                                                    const InstructionRecord* expected);
  bool decide_agreed(const StepEntry& entry);
  void note_sbm(InstructionRecord& record) const;
  /// Runs the one action of `entry` by its handler; returns false on trouble.
  bool perform(const StepEntry& entry);
  bool run_action(const StepEntry& entry);

  std::array<std::uint64_t, 2> generation_{};  // of the block caches, when the jump caches were valid
  std::deque<InstructionRecord> queued_;       // of window traps, before the instruction that raised them
  unsigned trap_records_ = 16;                 // records needed of each window trap
  bool redirected_ = false;                    // a trap or a signal led to c.pc
};

}  // namespace psim::isa
