// SPDX-License-Identifier: Apache-2.0
// For tests: small programs, their records and traces of them in memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "guest/trace/program_recorder.h"
#include "isa/instruction_source.h"

namespace psim::isa::trace::testing {

/// Loops, memory, calls deep enough for window traps, a region, code that changes itself, an annulled slot.
extern const std::string_view kBusyProgram;
/// SIMD state, SBM, transfers in both directions.
extern const std::string_view kSimdProgram;
/// Code that both states share, with accesses to SBM by window and by ASI and to memory, branches on an fcc,
/// fewer PEs; ends in an exception that takes back an address.
extern const std::string_view kBothStatesProgram;

/// Goes six times around a circle of pointers in an order of its own; the last time one of them leads
/// elsewhere, and its access faults.
extern const std::string_view kPointerProgram;

/// A record with everything that a pointer would hide.
std::string to_text(const InstructionRecord& record);
/// The records of `assembly` stepped one by one, as functional execution does them.
std::vector<std::string> stepped(std::string_view assembly);
/// …as the pipeline would pull them, with signs where the source waited.
std::vector<std::string> pulled(InstructionSource& source);

/// A trace of `assembly`, recorded while blocks ran it.
std::string recorded(std::string_view assembly, Window window = {});
/// A trace of `assembly`, recorded while it was pulled.
std::string recorded_live(std::string_view assembly);
/// The records of a trace.
std::vector<std::string> replayed(const std::string& trace);

}  // namespace psim::isa::trace::testing
