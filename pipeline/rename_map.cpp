// SPDX-License-Identifier: Apache-2.0
#include "pipeline/rename_map.h"

namespace psim::pipeline {

void RenameMap::rebuild(Sequence end) {
  writer_.fill(0);
  for (Sequence s = window_.head; s < end; ++s)
    if (window_[s].record.kind == isa::RecordKind::Instruction) define(window_[s].record, s);
}

}  // namespace psim::pipeline
