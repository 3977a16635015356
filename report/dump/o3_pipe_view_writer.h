// SPDX-License-Identifier: Apache-2.0
// gem5's O3PipeView text: seven lines per instruction, read by gem5's o3-pipeview.py and by Konata.
//
//   fetch    first cycle of IA           dispatch  cycle after D, for what enters a reservation station
//   decode   first cycle of E            issue     last P (a cancelled instruction has more)
//   rename   first cycle of D            complete  end of the last X or Rs
//   retire   first cycle of W; 0 if flushed        store  the same, for a store
//
// A tick of 0 means "never", except for fetch. 1000 ticks are one cycle.
#pragma once

#include "report/dump/buffered_file.h"
#include "report/dump/text_cache.h"
#include "report/dump/timeline_sink.h"

namespace psim::pipeline::dump {

class O3PipeViewWriter final : public TimelineSink {
 public:
  /// Opens the file. Throws UserError if `path` cannot be created.
  O3PipeViewWriter(std::string path, Disassembler disassembler);
  void add(const InstructionTimeline& timeline) override;
  void finish() override;

 private:
  BufferedFile file_;
  TextCache texts_;
};

}  // namespace psim::pipeline::dump
