// SPDX-License-Identifier: Apache-2.0
// Functional execution: pre-decoded basic blocks with threaded dispatch, and single steps that leave records.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "isa/exec/execution_recorder.h"
#include "isa/memory/guest_memory.h"
#include "isa/state/cpu_state.h"
#include "isa/state/environment.h"
#include "isa/state/handler.h"
#include "isa/state/instruction_source.h"
#include "isa/state/simd_config.h"
#include "isa/state/write_monitor.h"

namespace psim::isa {

struct SimdState;       // isa/state/simd_state.h
class ExecutionWarmer;  // isa/state/execution_warmer.h
class AnalysedWords;    // isa/table/analysed_words.h

class Executor final : public GuestMemory::CodeObserver {
 public:
  /// `words`: analysed instructions that it shares with others; null: its own.
  Executor(GuestMemory& memory, Environment& environment, FmaRounding fma, const SimdConfig& simd = {},
           std::shared_ptr<AnalysedWords> words = nullptr);
  ~Executor() override;

  CpuState& state();
  const CpuState& state() const;
  WriteMonitor& monitor();
  SimdState& simd();

  // Strands: the threads of the program have a state each, and execute one at a time.
  /// Adds a strand whose state is a copy of the current one's, in scalar state, with SBMs and PE registers of
  /// its own. Returns its number: that of the first strand is 0, and those of released strands come again.
  std::size_t add_strand();
  /// Releases a strand whose thread has ended. The current one may be released; select() another before the
  /// next run() or step().
  void release_strand(std::size_t strand) { free_strands_.push_back(strand); }
  /// Makes a strand the current one, to which all functions apply. No instruction is under way.
  void select(std::size_t strand) { impl_ = strands_[strand].get(); }
  /// Makes run() translate blocks of scalar state to host code when they have run this number of times, if
  /// the host allows it; 0: never. Results do not depend on it.
  void set_translation(std::uint16_t runs);
  static constexpr std::uint16_t kTranslatedRuns = 500;
  /// Makes step() and step_straight() treat atomics as timed instructions. Call it before the first step.
  void order_atomics();
  /// Makes step_straight() stop before accesses to [first, first + bytes), registers of a device. Call it
  /// before the first step.
  void set_device(std::uint64_t first, std::uint64_t bytes);

  /// Runs until the process ends or `instructions` more have retired (checked at block ends, so it may pass
  /// the limit by one block). Returns false when the process has ended.
  bool run(std::uint64_t instructions);
  /// Makes run() return true as soon as the instruction under way is done: call it from the environment, in
  /// a trap.
  void stop();

  /// Executes exactly one instruction (a spill or fill trap first yields its 16 records) and describes it.
  /// Returns WaitUntilOldest, with nothing executed, if the instruction is timed and `allow_timed` is false.
  Pull step(InstructionRecord& record, bool allow_timed);

  /// Does the same for up to `count` instructions at `pc`, `pc` + 4, … in one block of `block_bytes`:
  /// straight on, or one control transfer at the end. Returns their number. Stops before timed instructions,
  /// region markers, window traps, accesses to set_device() and whatever else needs step().
  std::uint32_t step_straight(std::uint64_t pc, std::uint64_t block_bytes, std::uint32_t count,
                              RecordSlots out);

  /// Does the same for instructions whose records are `expected` but for their addresses, also over control
  /// transfers. Stops before any other.
  std::uint32_t follow(std::span<const InstructionRecord> expected, RecordSlots out);

  /// Returns the decoded word at `pc` for scalar or SIMD state; null if no executable memory is mapped there.
  /// Stays valid until its page changes.
  const StaticInstruction* text(std::uint64_t pc, bool simd = false);
  /// Does the same for the words from `pc` on, up to one that is not decoded yet. Returns their number, 0 if
  /// there is none at `pc`.
  [[gnu::hot]] std::uint32_t texts(std::uint64_t pc, bool simd, std::span<const StaticInstruction*> out);
  /// Returns the descriptor of an sbmget or sbmput of a strand; kept for its next 1024 transfers.
  BlockTransfer transfer(const InstructionRecord& record, std::size_t strand = 0) const;

  /// Receives the decoded ranges before they are used; null: no listener.
  class DecodeListener {
   public:
    virtual ~DecodeListener() = default;
    virtual void code_decoded(std::uint64_t address, std::uint64_t bytes) = 0;
  };
  void set_decode_listener(DecodeListener* listener);

  /// Sets the recorder of run(); null: none. With a recorder, limits of run() are exact, and run() also
  /// returns when the recorder is done.
  void set_recorder(ExecutionRecorder* recorder);

  /// Returns the next instruction if it is a block transfer or waits for one; else null.
  const StaticInstruction* next_transfer();
  /// Returns true if the program has begun block transfers for which it has not waited.
  bool transfers_outstanding() const;
  /// Returns true if the last run() returned before a block transfer, for its warmer.
  bool paused() const;
  /// Sets the warmer of run(), which receives no single steps of step(); null: none. Not with a recorder.
  void set_warmer(ExecutionWarmer* warmer);

  /// Requests a call of environment.deadline() at the first block end at or after this count of retired
  /// instructions.
  void set_deadline(std::uint64_t instructions);

  /// Writes every live register window to its stack save area (flushw; the kernel does so before signals).
  /// Returns false if a save area is not writable.
  bool flush_windows();
  /// Call after state was replaced (signal return, setcontext): all windows but the current one are on the
  /// stack.
  void forget_windows();
  /// Return the complete %fsr, with the flags that host arithmetic has accumulated, and replace it.
  std::uint64_t read_fsr();
  void write_fsr(std::uint64_t value);

  void code_changed(std::uint64_t address, std::uint64_t bytes) override;
  /// Makes run() call environment.deadline() at the end of the running block.
  void page_lost() override;

 private:
  struct Impl;
  struct Shared;
  std::unique_ptr<Shared> shared_;
  std::vector<std::unique_ptr<Impl>> strands_;
  std::vector<std::size_t> free_strands_;
  Impl* impl_;  ///< the current strand
};

}  // namespace psim::isa
