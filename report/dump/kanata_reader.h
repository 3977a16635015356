// SPDX-License-Identifier: Apache-2.0
// Reads Kanata 0004 by its grammar, from psim or from any other tool (arbitrary lanes and stage names):
//
//   file := "Kanata" TAB "0004" NL line*
//   line := "C=" TAB cycle | "C" TAB delta | "I" TAB id TAB simulator_id TAB thread
//         | "L" TAB id TAB (0|1|2) TAB text | "S" TAB id TAB lane TAB stage | "E" TAB id TAB lane TAB stage
//         | "R" TAB id TAB retire_id TAB (0|1) | "W" TAB consumer TAB producer TAB type
//
// A stage without an E line ends with the next one of its lane, or with its instruction.
#pragma once

#include "report/dump/dumped_instruction.h"
#include "report/dump/line_reader.h"

namespace psim::pipeline::dump {

/// Reads all lines and passes each instruction to `sink` once it has ended, in order of id. Throws UserError,
/// "file:line: …", at the first line that violates the grammar.
void read_kanata(LineReader& lines, const ReadOptions& options, StageNames& names, DumpSink& sink);

}  // namespace psim::pipeline::dump
