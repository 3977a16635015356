// SPDX-License-Identifier: Apache-2.0
#include "pipeline/dispatch_unit.h"

#include <bit>

#include "pipeline/activity_counter.h"
#include "pipeline/timeline_recorder.h"

namespace psim::pipeline {

bool DispatchUnit::select(std::uint64_t now) {
  return wake_up_.one_word() ? select_rows<true>(now) : select_rows<false>(now);
}

template <bool kOne>
bool DispatchUnit::select_rows(std::uint64_t now) {
  bool active = false;
  for (unsigned stations = wake_up_.ready_stations(); stations; stations &= stations - 1) {
    const auto station = static_cast<Station>(std::countr_zero(stations));
    unsigned left = pipes_.width(station);
    const Sequence head = window_.head;
    if constexpr (kOne) {
      WakeUp::Word gone = 0;
      for (WakeUp::Word ready = wake_up_.ready(station, head); ready && left; ready &= ready - 1) {
        const Sequence s = head + static_cast<Sequence>(std::countr_zero(ready));
        InFlight& e = window_[s];
        if (e.load && e.store && waits(e, s)) continue;
        gone |= ready & -ready;
        left -= start_or_postpone<kOne>(e, s, station, now);
      }
      if (!gone) continue;
      active = true;
      wake_up_.remove_ready(station, head, gone);
    } else {
      for (Sequence s = head; left && (s = wake_up_.next_ready(station, s)) != kNever; ++s) {
        InFlight& e = window_[s];
        if (e.load && e.store && waits(e, s)) continue;
        active = true;
        wake_up_.remove_ready(station, s);
        left -= start_or_postpone<kOne>(e, s, station, now);
      }
    }
  }
  return active;
}

/// Returns true if the atomic may not start yet.
bool DispatchUnit::waits(const InFlight& e, Sequence s) const {
  return !e.wrong_path && (s != window_.head || operands_->committed_stores());
}

/// Starts an instruction that is ready no longer, or postpones it. Returns whether it has started.
template <bool kOne>
inline bool DispatchUnit::start_or_postpone(InFlight& e, Sequence s, Station station, std::uint64_t now) {
  const isa::LatencyClass latency = e.record.instruction->latency;
  if (!pipes_.may_start(station, latency, now)) {
    wake_up_.postpone(e, s, pipes_.busy_until(station));
    return false;
  }
  start<kOne>(e, s, station, latency, now);
  return true;
}

template <bool kOne>
inline void DispatchUnit::start(InFlight& e, Sequence sequence, Station station, isa::LatencyClass latency,
                                std::uint64_t now) {
  const Stages& stages = window_.stages;
  pipes_.start(station, latency, now);
  ++issued_;
  e.progress = Progress::Dispatched;
  e.dispatched = now;
  if (recorder_) recorder_->dispatched(sequence, now);
  if (station == Station::Rsa) {
    if (e.load) wake_up_.announce<kOne>(e, sequence, now + operands_->load_use(e.record));
    if (e.store && !e.load) e.settle_store(stages);
    operands_->dispatched(sequence, now);
    return;
  }
  const std::uint32_t cycles = pipes_.cycles(latency);
  if (station == Station::Rsx) {
    const isa::StaticInstruction& si = *e.record.instruction;
    const bool for_pes = si.destinations == 0 || si.destination[0].first >= isa::reg::kSimdFp;
    e.done = stages.end_of_u(now + stages.simd_execute + cycles) + stages.depth.w1;
    wake_up_.announce<kOne>(e, sequence, now + cycles + (for_pes ? 0 : stages.to_scalar));
    return;
  }
  const std::uint64_t executed =
      now + stages.execute + cycles + (e.reads_pe_condition() ? stages.to_scalar : 0);
  e.done = stages.end_of_u(executed);
  wake_up_.announce<kOne>(e, sequence, now + cycles);
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
