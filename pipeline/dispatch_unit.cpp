// SPDX-License-Identifier: Apache-2.0
#include "pipeline/dispatch_unit.h"

#include <bit>

#include "pipeline/activity_counter.h"
#include "pipeline/timeline_recorder.h"

namespace psim::pipeline {

bool DispatchUnit::select(std::uint64_t now) {
  bool active = false;
  for (unsigned stations = wake_up_.ready_stations(); stations; stations &= stations - 1) {
    const auto station = static_cast<Station>(std::countr_zero(stations));
    unsigned left = pipes_.width(station);
    wake_up_.for_each_ready(station, [&](Sequence s) {
      InFlight& e = window_[s];
      if (e.load && e.store && !e.wrong_path && (s != window_.head || operands_->committed_stores()))
        return true;
      active = true;
      if (!pipes_.may_start(station, e.record.instruction->latency, now)) {
        wake_up_.postpone(s, pipes_.busy_until(station));
        return true;
      }
      start(e, s, now);
      return --left != 0;
    });
  }
  return active;
}

inline void DispatchUnit::start(InFlight& e, Sequence sequence, std::uint64_t now) {
  const Stages& stages = window_.stages;
  const isa::LatencyClass latency = e.record.instruction->latency;
  wake_up_.dispatched(e.station, sequence);
  pipes_.start(e.station, latency, now);
  ++issued_;
  e.progress = Progress::Dispatched;
  e.dispatched = now;
  if (recorder_) recorder_->dispatched(sequence, now);
  if (e.station == Station::Rsa) {
    if (e.load) wake_up_.announce(e, sequence, now + operands_->load_use(e.record));
    if (e.store && !e.load) e.settle_store(stages);
    operands_->dispatched(sequence, now);
    return;
  }
  const std::uint32_t cycles = pipes_.cycles(latency);
  if (e.station == Station::Rsx) {
    const isa::StaticInstruction& si = *e.record.instruction;
    const bool for_pes = si.destinations == 0 || si.destination[0].first >= isa::reg::kSimdFp;
    e.done = stages.end_of_u(now + stages.simd_execute + cycles) + stages.depth.w1;
    wake_up_.announce(e, sequence, now + cycles + (for_pes ? 0 : stages.to_scalar));
    return;
  }
  const std::uint64_t executed =
      now + stages.execute + cycles + (e.reads_pe_condition() ? stages.to_scalar : 0);
  e.done = stages.end_of_u(executed);
  wake_up_.announce(e, sequence, now + cycles);
  if (e.mispredicted) fetch_.resolve_at(sequence, executed);
}

void DispatchUnit::cancel_dispatch(Sequence sequence, std::uint64_t now) {
  InFlight& e = window_[sequence];
  ++stats_.cancelled;
  pipes_.cancel(e.station, e.record.instruction->latency, e.dispatched);
  if (e.mispredicted) fetch_.resolve_at(sequence, kNever);
  if (recorder_) recorder_->cancelled(sequence, now);
  if (activity_) activity_->cancelled(e, now);
  e.dispatched = kNever;
}

}  // namespace psim::pipeline
