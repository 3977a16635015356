// SPDX-License-Identifier: Apache-2.0
#include "pipeline/rename_map.h"

#include "pipeline/memo/timing_state.h"

namespace psim::pipeline {

void RenameMap::timing_state(TimingState& state) {
  state.value(free_.packed);
  if (!state.writes()) writer_.fill(0);
}

void RenameMap::redefine(Sequence end) {
  for (Sequence s = window_.head; s < end; ++s)
    if (const isa::InstructionRecord& record = window_[s].record; record.kind == isa::RecordKind::Instruction)
      define(record, entries_of(record.window), s);
}

}  // namespace psim::pipeline
