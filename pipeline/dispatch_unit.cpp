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
  ExecutionPipes::Widths left = pipes_.widths();
  const Sequence head = window_.head;
  if constexpr (kOne) {
    WakeUp::Word gone = 0;
    for (WakeUp::Word ready = wake_up_.ready(head); ready; ready &= ready - 1) {
      const Sequence s = head + static_cast<Sequence>(std::countr_zero(ready));
      if (try_start<kOne>(s, left, now)) gone |= ready & -ready;
    }
    if (gone == 0) return false;
    wake_up_.remove_ready(head, gone);
    return true;
  } else {
    bool active = false;
    for (Sequence s = head; (s = wake_up_.next_ready(s)) != kNever; ++s) {
      if (!try_start<kOne>(s, left, now)) continue;
      active = true;
      wake_up_.remove_ready(s);
    }
    return active;
  }
}

/// Returns true if the atomic may not start yet.
bool DispatchUnit::waits(const InFlight& e, Sequence s) const {
  return !e.wrong_path && (s != window_.head || operands_->committed_stores());
}

/// Starts a ready instruction if its station may start one more, `left` of them, and the instruction need not
/// wait. Returns true if it has started or is postponed.
template <bool kOne>
inline bool DispatchUnit::try_start(Sequence s, ExecutionPipes::Widths& left, std::uint64_t now) {
  const Station station = wake_up_.station<kOne>(s);
  std::uint8_t& of_station = left[static_cast<std::size_t>(station)];
  if (of_station == 0) return false;
  InFlight& e = window_[s];
  if (e.load && e.store && waits(e, s)) return false;
  const isa::LatencyClass latency = e.record.instruction->latency;
  if (!pipes_.start(station, latency, now)) [[unlikely]] {
    wake_up_.postpone(s, pipes_.busy_until(station));
    return true;
  }
  --of_station;
  ++issued_;
  start<kOne>(e, s, station, latency, now);
  return true;
}

template <bool kOne>
inline void DispatchUnit::start(InFlight& e, Sequence sequence, Station station, isa::LatencyClass latency,
                                std::uint64_t now) {
  const Stages& stages = window_.stages;
  e.progress = Progress::Dispatched;
  e.dispatched = now;
  if (recorder_) recorder_->dispatched(sequence, now, wake_up_.operands(sequence));
  std::uint64_t result = now + pipes_.cycles(latency);
  if (station == Station::Rsa) {
    operands_->dispatched(sequence, now);
    if (!e.load) return e.store ? e.settle_store(stages) : void();
    result = now + operands_->load_use(e.record);
  } else if (station == Station::Rsx) {
    const isa::StaticInstruction& si = *e.record.instruction;
    const bool for_pes = si.destinations == 0 || si.destination[0].first >= isa::reg::kSimdFp;
    e.done = stages.end_of_u(result + stages.simd_execute) + stages.depth.w1;
    if (!for_pes) result += stages.to_scalar;
  } else {
    const std::uint64_t executed = result + stages.execute + (e.reads_pe_condition() ? stages.to_scalar : 0);
    e.done = stages.end_of_u(executed);
    if (e.mispredicted) fetch_.resolve_at(sequence, executed);
  }
  wake_up_.announce<kOne>(e, sequence, result);
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
