// SPDX-License-Identifier: Apache-2.0
#include "pipeline/timeline_activity.h"

#include "pipeline/activity_counter.h"
#include "pipeline/pe_activity.h"

namespace psim::pipeline {

TimelineActivity activity_of(const InstructionTimeline& timeline) {
  const isa::StaticInstruction& si = *timeline.instruction;
  TimelineActivity result{si.latency, {}};
  InstructionActivity& work = result.work;
  const RegisterCounts registers = register_counts(si);
  // Its station and execution are the PEs' own: PeActivity.
  const bool in_pes = si.unit == isa::Unit::Simd;
  PeWork pes(work.pes, si, timeline.pes, timeline.sbm);
  work.left = 1;
  for (std::size_t i = 0; i < timeline.stages.size(); ++i) {
    const StageEvent& event = timeline.stages[i];
    const std::uint64_t next = i + 1 < timeline.stages.size() ? timeline.stages[i + 1].cycle : timeline.end;
    if (event.stage < Stage::IB) continue;  // of its block
    const bool elsewhere = event.stage == Stage::C || event.stage == Stage::W1 ||
                           (event.stage == Stage::X && in_pes) || (event.stage == Stage::Bs && timeline.sbm);
    if (!elsewhere)
      work.moves[static_cast<std::size_t>(event.stage)] +=
          event.stage == Stage::X && si.unit != isa::Unit::Address ? next - event.cycle : 1;
    switch (event.stage) {
      case Stage::D:
        work.station_writes += si.unit != isa::Unit::None && !in_pes;
        work.map_lookups += registers.sources + registers.destinations;
        work.map_updates += registers.destinations;
        pes.entered();
        break;
      case Stage::P:
        work.broadcasts += registers.destinations != 0;
        break;
      case Stage::B:
        work.integer_reads += registers.integer_sources;
        work.fp_reads += registers.fp_sources;
        break;
      case Stage::C:
        pes.sent();
        break;
      case Stage::X:
        work.operations += !in_pes;
        if (in_pes) pes.executed(next - event.cycle);
        break;
      case Stage::Bs:
        pes.read();
        break;
      case Stage::U:
        work.integer_results += registers.integer_destinations;
        work.fp_results += registers.fp_destinations;
        pes.finished();
        break;
      case Stage::W1:
        pes.noticed();
        break;
      case Stage::W:
        work.integer_retired += registers.integer_destinations;
        work.fp_retired += registers.fp_destinations;
        pes.retired();
        break;
      default:
        break;
    }
  }
  return result;
}

}  // namespace psim::pipeline
