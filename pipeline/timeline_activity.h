// SPDX-License-Identifier: Apache-2.0
// The activity of one instruction, from its timeline, equal to the count of ActivityCounter.
#pragma once

#include "pipeline/activity.h"

namespace psim::pipeline {

struct TimelineActivity {
  isa::LatencyClass latency;  ///< the class it is counted in
  InstructionActivity work;
};
TimelineActivity activity_of(const InstructionTimeline& timeline);

}  // namespace psim::pipeline
