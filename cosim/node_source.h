// SPDX-License-Identifier: Apache-2.0
// Between a running program and its core: observes the program's stores to devices, and finds the first of
// its loads that sees a flag that a device has written. It also carries out pauses: wr %pause lets the core
// sleep for that number of cycles, or until a device signals an event. An event before the pause ends it at
// once, once.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "cosim/register_port.h"
#include "isa/memory/guest_memory.h"
#include "isa/state/cpu_state.h"
#include "isa/state/instruction_source.h"
#include "pipeline/observer.h"

namespace psim::cosim {

class NodeSource final : public isa::InstructionSource, public pipeline::CoreObserver {
 public:
  /// Receives commits of stores to `doorbell`, and loads that see a flag. `period`: a cycle, ps.
  struct Listener {
    std::function<void(std::uint64_t time)> doorbell_committed;
    std::function<void(std::uint64_t operation, std::uint64_t time)> flag_seen;
    std::function<void()> ended;  ///< the program has executed its last instruction
  };
  NodeSource(isa::InstructionSource& program, const isa::CpuState& state, const isa::GuestMemory& memory,
             RegisterPort& device, std::uint64_t doorbell, std::uint64_t period, Listener listener);

  /// Call when the flag at `address` (8 bytes) has just been written: the program of `operation` sees it with
  /// its first load from now on.
  void watch(std::uint64_t address, std::uint64_t operation) { watched_.push_back({address, operation}); }

  /// Ends the present or the next pause. Returns true if the program is in one: its core must be woken.
  bool signal();
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
  struct Watched {
    std::uint64_t address, operation;
  };
  struct Seen {
    std::uint64_t record;  ///< number of the load among all records
    std::uint64_t operation;
  };

  void begin_pause(const isa::StaticInstruction& instruction, std::uint64_t cycle);

  isa::InstructionSource& program_;
  const isa::CpuState& state_;
  const isa::GuestMemory& memory_;
  RegisterPort& device_;
  const std::uint64_t doorbell_, period_;
  Listener listener_;
  bool pausing_ = false, signalled_ = false;
  std::uint64_t pause_end_ = 0;  ///< cycle
  std::uint64_t records_ = 0;
  std::vector<Watched> watched_;
  std::deque<Seen> seen_;
};

}  // namespace psim::cosim
