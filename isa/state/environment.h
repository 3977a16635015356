// SPDX-License-Identifier: Apache-2.0
// The executor's interface to the world around the core: system calls, faults, time. guest implements it.
#pragma once

#include <cstdint>

#include "isa/state/cpu_state.h"

namespace psim::isa {

enum class FaultKind : std::uint8_t {
  IllegalInstruction,
  PrivilegedInstruction,
  Misaligned,
  NotMapped,
  NotPermitted,
  NotExecutable,
  DivisionByZero,
  FpIeee,  ///< an IEEE exception that %fsr.tem enables; cexc names it
  FpUnimplemented,
  TagOverflow,
  UnknownAsi,
  WindowMemory,  ///< a spill or fill met unmapped memory
  // Of the SIMD extension (docs/isa.md).
  NoPes,         ///< an instruction of the extension on a core without PEs
  PeDivide,      ///< FDIV or FSQRT in SIMD state
  PeDivergence,  ///< the enabled PEs disagree about an fcc (detail); pes: the PEs that differ from the lowest
  PeInteger,     ///< the enabled PEs disagree about a value for an integer register: `address` is the lowest
                 ///< PE's, `other` that of the lowest PE that differs (pes)
  PeStore,       ///< a store of PE registers outside the windows
  PeAccess,      ///< an access to SBM (offset in address) beyond its end, or of an unsupported kind
  PeOperand,     ///< a wrong operand, in address: number of a PE, value of %simdstack
  PeState,       ///< an instruction of SIMD state in scalar state
  TransferRace,  ///< SBM at `address` is part of an outstanding transfer with tag `detail`
  Descriptor,    ///< of a block transfer: detail names the problem, address is the wrong value
};

struct Fault {
  FaultKind kind = FaultKind::IllegalInstruction;
  std::uint64_t pc = 0;
  std::uint64_t address = 0;  ///< of the access, or the target of control, where the kind has one
  std::uint32_t word = 0;     ///< the instruction
  std::uint8_t asi = 0;       ///< for UnknownAsi
  std::uint32_t pes = 0;      ///< mask of the PEs concerned, if any
  std::uint32_t detail = 0;   ///< see the kinds
  std::uint64_t other = 0;    ///< see PeInteger
};

class Environment {
 public:
  virtual ~Environment() = default;
  /// Handles `ta number` in user mode (number 0–127). state.pc/npc are already past the trap instruction; the
  /// handler may redirect them. Returns true to continue, false if the process has ended.
  virtual bool software_trap(CpuState& state, unsigned number) = 0;
  /// Handles a precise exception; state.pc is the faulting instruction, which had no effect. Returns true if
  /// state was redirected to a guest handler, false if the process has ended.
  virtual bool fault(CpuState& state, const Fault& fault) = 0;
  /// Handles a deadline set through Executor::set_deadline (timers in simulated time). Returns as
  /// software_trap.
  virtual bool deadline(CpuState& state) = 0;
  /// Returns %tick and %stick: core cycles since the start. Functional runs count one cycle per instruction.
  virtual std::uint64_t tick(const CpuState& state) = 0;
};

}  // namespace psim::isa
