// SPDX-License-Identifier: Apache-2.0
// Faults of the guest: as signals, and in words.
#pragma once

#include <cstdint>
#include <string>

#include "guest/elf/debug_info.h"
#include "guest/signal_state.h"
#include "isa/exec/environment.h"
#include "isa/exec/executor.h"

namespace psim::isa {

struct FaultDescription {
  SignalInfo signal;
  std::string text;  ///< "load from unmapped address 0x0"
};

/// What Linux makes of the fault (arch/sparc/kernel/traps_64.c, unaligned_64.c; mm/fault_64.c).
FaultDescription describe_fault(const GuestMemory& memory, Executor& executor, const Fault& fault);

/// The same of a fault of the SIMD extension.
FaultDescription describe_simd_fault(Executor& executor, const Fault& fault);

/// ": `ldx [ %g1 ], %g2`" of the instruction at `pc`, or empty where none can be read.
std::string instruction_text(const GuestMemory& memory, std::uint64_t pc);

/// ", in main at a.c:12", or empty.
std::string describe_source(const SourceMap& sources, std::uint64_t pc);

/// One line ("psim:   called from 0x… in f at a.c:12\n") for each of the innermost frames above that of `pc`,
/// as far as names are known. Register windows must have been flushed.
std::string describe_callers(const SourceMap& sources, const GuestMemory& memory, const CpuState& state);

}  // namespace psim::isa
