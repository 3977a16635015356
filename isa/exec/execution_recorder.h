// SPDX-License-Identifier: Apache-2.0
// Who writes down what an executor does, at the speed of blocks. Blocks made while it listens tell only what
// cannot be known from the code: the outcome of each conditional branch, and effective addresses and jump
// targets that their sites did not expect. Whatever is done by single steps comes as whole records.
#pragma once

#include <cstdint>

#include "isa/exec/address_site.h"
#include "isa/exec/cpu_state.h"
#include "isa/instruction_source.h"

namespace psim::isa {

class ExecutionRecorder {
 public:
  virtual ~ExecutionRecorder() = default;

  /// Asked before a block or a single step. False: only whole records of words for which alone() holds are
  /// wanted, and blocks tell nothing.
  virtual bool recording() const = 0;
  /// Nothing more is wanted: run() is to return.
  virtual bool done() const = 0;
  /// Asked of each word before it goes into a block: is it to be done by a single step, so that step() hears
  /// of it?
  virtual bool alone(std::uint32_t word) = 0;
  /// What blocks that hold the instruction at `pc` ask; stays where it is.
  virtual AddressSite& site(std::uint64_t pc) = 0;

  /// A block or a single step is about to begin at state.pc. `redirected`: a trap or a signal led there.
  virtual void begin(const CpuState& state, bool redirected) = 0;
  /// Outcomes of conditional branches go to *outcomes, one a byte, in their order; set by begin().
  std::uint8_t* outcomes = nullptr;
  /// Blocks are to be left when this many instructions have retired; set by begin().
  std::uint64_t limit = 0;
  /// The last surprising address, or one that a following site met; kept by who records.
  std::uint64_t recent = 0;
  /// A surprise in a block, of an address or of a jump's target. Blocks put them here themselves, tell the
  /// site and keep `recent`: who follows pointers is surprised every few instructions.
  struct Surprise {
    std::uint64_t difference;   ///< from what the site expected
    std::uint64_t instruction;  ///< how many had retired before it
  };
  Surprise *surprises = nullptr, *surprises_end = nullptr;  ///< the next, and where there is no more room
  /// Takes them all in: there is room again.
  virtual void take_surprises() = 0;
  /// What sites that follow go by; kept by who records.
  Followers* followers = nullptr;
  /// The last surprise, or the last that a following site met: what was before.
  struct Undo {
    AddressSite* site = nullptr;
    std::uint64_t instruction = 0;  ///< as Surprise has it
    std::uint64_t recent = 0;
    std::uint64_t follower = 0;  ///< of `recent`, if the site followed
    bool surprised = false;
    AddressGuess guess;  ///< of one that met: only AddressGuess::failed
  } undo;
  /// The same of an access that goes to SBM with another base than the last of its site, or no more; told
  /// before its address.
  virtual void space(std::uint64_t instruction, AddressSite& site, std::uint64_t sbm_base) = 0;
  /// The access of `instruction` did not happen: what it told, or did not tell, is taken back.
  virtual void take_back(std::uint64_t instruction, AddressSite& site) = 0;
  /// The block has been left; `state` is exact.
  virtual void left(const CpuState& state) = 0;
  /// A single step; of a window trap, the first of its records alone.
  virtual void step(const InstructionRecord& record) = 0;
};

}  // namespace psim::isa
