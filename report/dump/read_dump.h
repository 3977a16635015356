// SPDX-License-Identifier: Apache-2.0
// Reads a stage dump of either format, and checks a dump by psim's own rules.
#pragma once

#include <cstdint>
#include <string>

#include "report/dump/dumped_instruction.h"
#include "report/dump/line_reader.h"

namespace psim::pipeline::dump {

enum class DumpFormat { Kanata, O3PipeView };

/// Recognises the format by the first line and reads the whole dump. Throws UserError, "file:line: …".
DumpFormat read_dump(const std::string& path, const ReadOptions& options, StageNames& names, DumpSink& sink);

struct CheckSummary {
  std::uint64_t instructions = 0, committed = 0, flushed = 0;
  std::uint64_t stages = 0, stalls = 0, wakeups = 0;
  std::uint64_t begin = 0, end = 0;  ///< cycles [begin, end)
};

/// Reads a Kanata file strictly and checks each instruction by the guarantees of psim's core. Stages are
/// known, in pipeline order and without a gap from the first cycle to the last. They go back only to P after
/// a cancel, to Ps for another cache access, from X or Rs to C out to the PEs, or from W1 to U with a result
/// of the PEs. W is the last stage of a committed instruction and absent from a flushed one. Stall causes are
/// known, wake-ups come from earlier instructions, ids and retirement are in order. Throws UserError,
/// "file:line: …", at the first breach.
CheckSummary check_kanata(LineReader& lines);

}  // namespace psim::pipeline::dump
