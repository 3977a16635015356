// SPDX-License-Identifier: Apache-2.0
// Between a running program and one of its cores: observes the program's stores to devices, and finds the
// first of its loads that sees a flag that a device has written. It also carries out pauses: wr %pause lets
// the core sleep for that number of cycles, or until a device signals an event. An event before the pause
// ends it at once, once.
//
// wr %mwait lets the core sleep for at most that number of cycles while L1 holds the line that the last load
// with a monitor has read (isa/state/write_monitor.h). Writes by other cores and by DMA take the line away;
// so may other lines, and then the program looks again. The wait is over at once if the bytes have changed
// since the load, or if the line has left: no write is lost.
//
// Other instructions pass in straight runs, as under psim run. Memory changes while the program runs, so an
// instruction executes in the cycle in which it is fetched, and not before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "cosim/register_port.h"
#include "guest/process.h"
#include "isa/state/instruction_source.h"
#include "pipeline/core.h"

namespace psim::cosim {

/// Flags (8 bytes) that the interface has written and no load has seen yet: the program of `operation` sees
/// one with its first load from then on, on any core.
struct WatchedFlag {
  std::uint64_t address, operation;
};
using FlagWatch = std::vector<WatchedFlag>;

class NodeSource final : public isa::SourceBefore,
                         private pipeline::Core::CommitListener,
                         private pipeline::L1Cache::LossListener {
 public:
  /// Receives commits of stores to `doorbell`, and loads that see a flag. `period`: a cycle, ps.
  struct Listener {
    std::function<void(std::uint64_t time)> doorbell_committed;
    std::function<void(std::uint64_t operation, std::uint64_t time)> flag_seen;
    std::function<void()> ended;                             ///< the core has executed its last instruction
    std::function<void(std::uint64_t cycle)> wake;           ///< the core can fetch from `cycle` on
    std::function<void(std::uint64_t cycle)> called_kernel;  ///< the kernel may have written memory
  };
  /// `program` is the source of `core` of `process`, whose executor knows the window of `device`. All
  /// arguments but the last three outlive this.
  NodeSource(isa::InstructionSource& program, isa::Process& process, std::uint32_t core, RegisterPort& device,
             FlagWatch& flags, std::uint64_t doorbell, std::uint64_t period, Listener listener);

  /// Connects the core that runs the program, and its data cache, before the simulation starts. They outlive
  /// this.
  void connect(pipeline::Core& core, pipeline::L1Cache& cache) { pipeline_ = &core, cache_ = &cache; }
  /// Ends the present or the next pause. Returns true if the program is in one: its core must be woken.
  bool signal();
  /// Ends a pause or a wait for a write at `cycle`, when another thread of the core is ready.
  void end_pause(std::uint64_t cycle) { pause_end_ = std::min(pause_end_, cycle); }
  /// Ends a wait for a write at `cycle`, if the program is in one.
  void end_wait(std::uint64_t cycle) {
    if (rest_ == Rest::Mwait) on_loss(cycle);
  }

  // InstructionSource
  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override;
  [[gnu::hot]] std::uint32_t next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                                           std::uint32_t count, isa::RecordSlots out) override;

 private:
  /// An instruction under way whose commit the listener receives: a store to the doorbell, or a load that
  /// sees the flag of `operation`.
  struct Awaited {
    std::uint64_t number;  ///< of instructions committed with it
    std::optional<std::uint64_t> operation;
  };

  enum class Rest : std::uint8_t { None, Pause, Mwait };

  void await_commit(std::optional<std::uint64_t> operation);
  void on_committed() override;
  void begin_rest(Rest rest, const isa::StaticInstruction& instruction, std::uint64_t cycle);
  void on_loss(std::uint64_t cycle) override;

  isa::Process& process_;
  const std::uint32_t core_;
  RegisterPort& device_;
  FlagWatch& flags_;
  const std::uint64_t doorbell_, period_;
  Listener listener_;
  pipeline::L1Cache* cache_ = nullptr;
  Rest rest_ = Rest::None;
  bool signalled_ = false;       ///< of a pause
  std::uint64_t pause_end_ = 0;  ///< cycle
  pipeline::Core* pipeline_ = nullptr;
  std::uint64_t instructions_ = 0;  ///< of the program, delivered
  std::deque<Awaited> awaited_;
};

}  // namespace psim::cosim
