// SPDX-License-Identifier: Apache-2.0
// Reads gem5's O3PipeView text (o3_pipe_view_writer.h describes each line), from psim or from gem5.
#pragma once

#include "report/dump/dumped_instruction.h"
#include "report/dump/line_reader.h"

namespace psim::pipeline::dump {

/// Passes each instruction to `sink`, in the file's order, with the stages fetch … retire that it reached.
/// Throws UserError, "file:line: …", at the first line that is not O3PipeView.
void read_o3_pipe_view(LineReader& lines, const ReadOptions& options, StageNames& names, DumpSink& sink);

}  // namespace psim::pipeline::dump
