// SPDX-License-Identifier: Apache-2.0
// Between a running program and one of its cores: observes the program's stores to devices, and finds the
// first of its loads that sees a flag that a device has written. It also carries out pauses: wr %pause lets
// the core sleep for that number of cycles, or until a device signals an event. An event before the pause
// ends it at once, once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "cosim/register_port.h"
#include "guest/process.h"
#include "isa/state/instruction_source.h"
#include "pipeline/observer.h"

namespace psim::cosim {

/// Flags (8 bytes) that the interface has written and no load has seen yet: the program of `operation` sees
/// one with its first load from then on, on any core.
struct WatchedFlag {
  std::uint64_t address, operation;
};
using FlagWatch = std::vector<WatchedFlag>;

class NodeSource final : public isa::InstructionSource, public pipeline::CoreObserver {
 public:
  /// Receives commits of stores to `doorbell`, and loads that see a flag. `period`: a cycle, ps.
  struct Listener {
    std::function<void(std::uint64_t time)> doorbell_committed;
    std::function<void(std::uint64_t operation, std::uint64_t time)> flag_seen;
    std::function<void()> ended;  ///< the core has executed its last instruction
  };
  /// `program` is the source of `core` of `process`. All arguments but the last three outlive this.
  NodeSource(isa::InstructionSource& program, isa::Process& process, std::uint32_t core, RegisterPort& device,
             FlagWatch& flags, std::uint64_t doorbell, std::uint64_t period, Listener listener);

  /// Ends the present or the next pause. Returns true if the program is in one: its core must be woken.
  bool signal();
  /// Ends a pause at `cycle`, when another thread of the core is ready.
  void end_pause(std::uint64_t cycle) { pause_end_ = std::min(pause_end_, cycle); }
  /// Returns true while the program is in a pause.
  bool pausing() const { return pausing_; }

  // InstructionSource
  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override;
  const isa::StaticInstruction* text(std::uint64_t pc, bool simd) override { return program_.text(pc, simd); }
  isa::BlockTransfer transfer(const isa::InstructionRecord& record) const override {
    return program_.transfer(record);
  }
  // CoreObserver
  void on_leave(const pipeline::InstructionTimeline& timeline) override;

 private:
  struct Seen {
    std::uint64_t record;  ///< number of the load among all records
    std::uint64_t operation;
  };

  void begin_pause(const isa::StaticInstruction& instruction, std::uint64_t cycle);

  isa::InstructionSource& program_;
  isa::Process& process_;
  const std::uint32_t core_;
  RegisterPort& device_;
  FlagWatch& flags_;
  const std::uint64_t doorbell_, period_;
  Listener listener_;
  bool pausing_ = false, signalled_ = false;
  std::uint64_t pause_end_ = 0;  ///< cycle
  std::uint64_t records_ = 0;
  std::deque<Seen> seen_;
};

}  // namespace psim::cosim
