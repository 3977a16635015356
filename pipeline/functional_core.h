// SPDX-License-Identifier: Apache-2.0
// Functional execution in place of a core's pipeline: each instruction of the source executes in order, in a
// cycle of its own time, and takes a stated number of cycles, whatever it is. Caches, predictors and queues
// stay empty. Registers of devices, marks of regions, pauses and the end of the program work as with the
// pipeline, which only parks the core while its source is idle.
//
// It is for nodes that serve others which are simulated in detail: they need the program's messages, and not
// its time.
#pragma once

#include <array>
#include <cstdint>

#include "isa/state/instruction_source.h"
#include "pipeline/cycle_repeater.h"

namespace psim::pipeline {

class Core;

class FunctionalCore final : public CycleRepeater {
 public:
  static constexpr std::uint64_t kCycle = 65'536;  ///< one cycle per instruction
  /// The pace of the shortest and of the longest instruction.
  static constexpr std::uint64_t kLeastPace = kCycle / 64, kMostPace = kCycle * 4096;

  /// `pace`: cycles per instruction, times kCycle. It may change during the run, and outlives this.
  FunctionalCore(Core& core, const std::uint64_t& pace) : core_(core), pace_(pace) {}
  bool before_cycle(const Turn& turn) override;
  std::uint64_t repeated() const override { return 0; }

 private:
  enum class Step : std::uint8_t { Executed, Stored, None };
  [[gnu::hot]] Step execute(std::uint64_t last);
  std::uint32_t due_by(std::uint64_t last) const;
  void expect(const isa::InstructionRecord& last);
  void pass(std::uint64_t to);

  static constexpr std::uint32_t kMost = 32;            // instructions of one step
  static constexpr std::uint64_t kBlockBytes = 4 << 7;  // that a step does not leave

  Core& core_;
  const std::uint64_t& pace_;
  std::uint64_t next_ = 0;                             // the cycle of the next instruction,
  std::uint64_t fraction_ = 0;                         // and its time in this cycle, of kCycle
  std::uint64_t pc_ = isa::InstructionSource::kAnyPc;  // of the next instruction, if it goes straight on,
  std::uint64_t slot_target_ = 0;                      // and after it, if it is a delay slot; 0: it is none
  std::array<isa::InstructionRecord, kMost> records_;
};

}  // namespace psim::pipeline
