// SPDX-License-Identifier: Apache-2.0
// For tests: small programs, their records, and traces of them in memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "guest/trace/program_recorder.h"
#include "isa/state/instruction_source.h"

namespace psim::isa::trace::testing {

/// Has loops, memory accesses, calls deep enough for window traps, a region, self-modifying code and an
/// annulled slot.
extern const std::string_view kBusyProgram;
/// Has SIMD state, SBM, and transfers in both directions.
extern const std::string_view kSimdProgram;
/// Runs code in both states, with accesses to SBM by window and by ASI and to memory, branches on an fcc and
/// fewer PEs. It ends in an exception that restores an address.
extern const std::string_view kBothStatesProgram;

/// Follows a circle of pointers six times in a fixed irregular order. In the last round one pointer leads
/// elsewhere, and its access faults.
extern const std::string_view kPointerProgram;

/// Prints a record, with everything that a pointer would hide.
std::string to_text(const InstructionRecord& record);
/// Returns the records of `assembly` stepped one by one, as functional execution does it.
std::vector<std::string> stepped(std::string_view assembly);
/// Returns the records as the pipeline pulls them, with marks where the source waited.
std::vector<std::string> pulled(InstructionSource& source);

/// Returns a trace of `assembly`, recorded while blocks ran it.
std::string recorded(std::string_view assembly, Window window = {});
/// Returns a trace of `assembly`, recorded while it was pulled.
std::string recorded_live(std::string_view assembly);
/// Returns the records of a trace.
std::vector<std::string> replayed(const std::string& trace);

}  // namespace psim::isa::trace::testing
