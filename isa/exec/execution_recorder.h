// SPDX-License-Identifier: Apache-2.0
// Records an executor's actions at the speed of blocks. Blocks built while it listens report only events that
// do not follow from the code: the outcome of each conditional branch, and effective addresses and jump
// targets that their sites did not predict. Single steps are reported as whole records.
#pragma once

#include <cstdint>

#include "isa/exec/address_site.h"
#include "isa/state/cpu_state.h"
#include "isa/state/instruction_source.h"

namespace psim::isa {

class ExecutionRecorder {
 public:
  virtual ~ExecutionRecorder() = default;

  /// Called before a block or a single step. False: only whole records of words for which alone() holds are
  /// needed, and blocks report nothing.
  virtual bool recording() const = 0;
  /// Returns true if no more is needed: run() then returns.
  virtual bool done() const = 0;
  /// Called for each word before it goes into a block. Returns true if the word must run as a single step, so
  /// that step() receives it.
  virtual bool alone(std::uint32_t word) = 0;
  /// Returns the site that blocks with the instruction at `pc` use; its address does not change.
  virtual AddressSite& site(std::uint64_t pc) = 0;

  /// Called before a block or a single step at state.pc. `redirected`: a trap or a signal led there.
  virtual void begin(const CpuState& state, bool redirected) = 0;
  /// Outcomes of conditional branches go to *outcomes, one per byte, in their order; set by begin().
  std::uint8_t* outcomes = nullptr;
  /// Blocks are left when this number of instructions has retired; set by begin().
  std::uint64_t limit = 0;
  /// The last surprising address, or a later one that a following site predicted; kept by the recorder.
  std::uint64_t recent = 0;
  /// A surprise in a block: an address or jump target that was not predicted. Blocks store them here
  /// themselves, update the site and keep `recent`, since code that follows pointers is surprised every few
  /// instructions.
  struct Surprise {
    std::uint64_t difference;   ///< from what the site expected
    std::uint64_t instruction;  ///< instructions retired before it
  };
  Surprise *surprises = nullptr, *surprises_end = nullptr;  ///< the next entry, and the end of the buffer
  /// Takes in all surprises and empties the buffer.
  virtual void take_surprises() = 0;
  /// The predictions of following sites; kept by the recorder.
  Followers* followers = nullptr;
  /// The state before the last surprise, or before the last correct prediction of a following site.
  struct Undo {
    AddressSite* site = nullptr;
    std::uint64_t instruction = 0;  ///< as in Surprise
    std::uint64_t recent = 0;
    std::uint64_t follower = 0;  ///< of `recent`, if the site followed
    bool surprised = false;
    AddressGuess guess;  ///< after a correct prediction: only AddressGuess::failed
  } undo;
  /// Reports an access that goes to SBM with another base than the last of its site, or no longer to SBM.
  /// Called before its address is reported.
  virtual void space(std::uint64_t instruction, AddressSite& site, std::uint64_t sbm_base) = 0;
  /// Takes back the reports about the access of `instruction`, which did not happen.
  virtual void take_back(std::uint64_t instruction, AddressSite& site) = 0;
  /// Called when the block has been left; `state` is exact.
  virtual void left(const CpuState& state) = 0;
  /// Receives a single step; of a window trap, only the first of its records.
  virtual void step(const InstructionRecord& record) = 0;
};

}  // namespace psim::isa
