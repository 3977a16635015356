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
  std::uint64_t in_c = 0, in_w1 = 0;
  std::uint32_t met = 0;  // a bit for each stage
  static_assert(kStages <= 32);
  for (std::size_t i = 0; i < timeline.stages.size(); ++i) {
    const StageEvent& event = timeline.stages[i];
    const std::uint64_t next = i + 1 < timeline.stages.size() ? timeline.stages[i + 1].cycle : timeline.end;
    if (event.stage < Stage::IB) continue;  // of its block
    const bool elsewhere = event.stage == Stage::C || event.stage == Stage::W1 ||
                           (event.stage == Stage::X && in_pes) || (event.stage == Stage::Bs && timeline.sbm);
    if (!elsewhere)
      work.moves[static_cast<std::size_t>(event.stage)] +=
          event.stage == Stage::X && si.unit != isa::Unit::Address ? next - event.cycle : 1;
    // A stage of several cycles appears in each of them: only its latches move again. P begins another start.
    const std::uint32_t bit = 1u << static_cast<unsigned>(event.stage);
    if (event.stage == Stage::P) met &= ~(bit | 1u << static_cast<unsigned>(Stage::B));
    const bool goes_on = (met & bit) != 0;
    met |= bit;
    in_c += event.stage == Stage::C;
    in_w1 += event.stage == Stage::W1;
    if (goes_on) continue;
    switch (event.stage) {
      case Stage::IR:
        ++work.buffered;
        break;
      case Stage::D:
        ++work.entered;
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
      case Stage::W:
        work.integer_retired += registers.integer_destinations;
        work.fp_retired += registers.fp_destinations;
        pes.retired();
        break;
      default:
        break;
    }
  }
  pes.sent(in_c);
  pes.noticed(in_w1);
  return result;
}

}  // namespace psim::pipeline
