// SPDX-License-Identifier: Apache-2.0
// Faults of the guest, as signals and as text.
#pragma once

#include <cstdint>
#include <string>

#include "guest/call_stack.h"
#include "guest/elf/debug_info.h"
#include "guest/signal_state.h"
#include "isa/exec/executor.h"
#include "isa/state/environment.h"

namespace psim::isa {

struct FaultDescription {
  SignalInfo signal;
  std::string text;      ///< "load from unmapped address 0x0"
  std::string remedy;    ///< "wait for it with sbmsync", or empty
  bool of_simd = false;  ///< a fault of the SIMD extension
};

/// Returns the signal that Linux raises for the fault (arch/sparc/kernel/traps_64.c, unaligned_64.c;
/// mm/fault_64.c).
FaultDescription describe_fault(const GuestMemory& memory, Executor& executor, const Fault& fault);

/// Returns the signal that a fault of the SIMD extension raises.
FaultDescription describe_simd_fault(Executor& executor, const Fault& fault);

/// Returns ": `ldx [ %g1 ], %g2`" for the instruction at `pc`, or an empty string if it cannot be read.
std::string instruction_text(const GuestMemory& memory, std::uint64_t pc);

/// Returns ", in main at a.c:12", or an empty string.
std::string describe_source(const SourceMap& sources, std::uint64_t pc);

/// Returns one line ("psim:   called from 0x… in f at a.c:12
/// ") for each of the innermost calls of the site, while names are known.
std::string describe_calls(const SourceMap& sources, const CallSite& site);

/// Returns the same for the calls that led to the present position.
std::string describe_callers(const SourceMap& sources, const GuestMemory& memory, const CpuState& state);

}  // namespace psim::isa
