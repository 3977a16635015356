// SPDX-License-Identifier: Apache-2.0
#include "pipeline/timeline_recorder.h"

#include <algorithm>

#include "pipeline/pe_activity.h"

namespace psim::pipeline {

TimelineRecorder::TimelineRecorder(InFlightRing& window, const std::vector<CoreObserver*>& observers,
                                   std::uint64_t fetch_latency)
    : window_(window), observers_(observers), fetch_latency_(fetch_latency), lives_(window.capacity()) {}

void TimelineRecorder::decode_stall(StallCause cause, std::uint64_t begin, std::uint64_t end) {
  if (cause == StallCause::None) return;
  if (!decode_stalls_.empty() && decode_stalls_.back().end == begin && decode_stalls_.back().cause == cause) {
    decode_stalls_.back().end = end;
    return;
  }
  if (decode_stalls_.size() > 1024) {  // drop those that ended before the oldest instruction was fetched
    const std::uint64_t oldest = window_[window_.head].fetched;
    std::erase_if(decode_stalls_, [oldest](const StallSpan& s) { return s.end <= oldest; });
  }
  decode_stalls_.push_back({begin, end, cause});
}

void TimelineRecorder::load_waits(Sequence load, Progress why, std::uint64_t now) {
  Life& life = of(load);
  if (!life.waits.empty() && life.waits.back().end == kNever) life.waits.back().end = now;
  life.waits.push_back({now, kNever, why});
}

void TimelineRecorder::load_goes_on(Sequence load, std::uint64_t now) {
  Life& life = of(load);
  if (!life.waits.empty()) life.waits.back().end = now;
}

/// Records a stage. A stage of several cycles appears in each of them, because its latches move in each.
void TimelineRecorder::stage(std::uint64_t cycle, Stage stage, std::uint64_t end, std::uint32_t depth) {
  for (std::uint32_t n = 0; n < depth && cycle < end; ++n, ++cycle) stages_.push_back({cycle, stage});
}

void TimelineRecorder::stall(std::uint64_t begin, std::uint64_t end, StallCause cause) {
  if (begin < end) stalls_.push_back({begin, end, cause});
}

void TimelineRecorder::execution(const InFlight& e, const Life& life, std::uint64_t end) {
  const Stages& stages = window_.stages;
  std::uint64_t waiting_since = e.decoded + stages.depth.d;
  for (const Dispatch& d : life.dispatches) {
    const bool cancelled = d.cancelled != kNever;
    // Before P it waited for operands until they were announced, then for pipes.
    const std::uint64_t ready = std::clamp(d.operands, waiting_since, d.at);
    stall(waiting_since, cancelled ? d.at : ready, StallCause::Operand);
    if (!cancelled) stall(ready, d.at, StallCause::PipeBusy);
    const std::uint64_t stop = std::min(end, d.cancelled);
    stage(d.at, Stage::P, stop);
    stage(d.at + 1, Stage::B, stop, stages.depth.b);
    if (cancelled) {
      // It may start again in the cycle in which it was cancelled.
      const bool last = &d == &life.dispatches.back();
      waiting_since = std::min(d.cancelled + 1, last ? end : (&d + 1)->at);
      stall(d.cancelled, std::min(end, waiting_since), StallCause::Cancelled);
      continue;
    }
    const std::uint64_t x = d.at + to_execute(e.station, stages);
    if (e.station == Station::Rsx) stage(x - stages.depth.c, Stage::C, stop, stages.depth.c);
    stage(x, Stage::X, stop);
    if (e.station != Station::Rsa) continue;
    if (e.record.sbm) {
      sbm_access(e, life, end);
      continue;
    }
    stage(x + 1, Stage::Ps, stop);
    stage(x + 2, Stage::Ts, stop);
    stage(x + 3, Stage::Ms, stop);
    // Bs: when the data are usable, with Rs before U.
    std::uint64_t data = d.at + stages.tag + 1;
    if (e.load && e.done != kNever)
      data = std::max(
          data, e.done - (stages.depth.u - 1) - stages.after_data - (e.in_pes() ? stages.to_scalar : 0));
    for (const Wait& w : life.waits) {
      const StallCause cause = w.why == Progress::Blocked ? StallCause::StoreForward
                               : e.level == Level::Memory ? StallCause::L2Miss
                                                          : StallCause::L1Miss;
      stall(w.begin, std::min(end, w.end), cause);
      data = w.end;
    }
    stage(data, Stage::Bs, stop);
    if (data == kNever) continue;
    stage(data + 1, Stage::Rs, stop, stages.depth.rs);
    if (e.in_pes()) stage(data + 1 + stages.depth.rs, Stage::C, stop, stages.depth.c);
  }
  if (life.dispatches.empty() || life.dispatches.back().cancelled != kNever)
    stall(waiting_since, end, StallCause::Operand);
}

/// Records U, and W1 of an instruction that ends in the PEs. For an integer load from SBM the datum comes by
/// W1 before U.
void TimelineRecorder::ending(const InFlight& e, std::uint64_t end) {
  const StageDepths& depth = window_.stages.depth;
  const bool pes = e.in_pes(), loaded = e.record.sbm && e.load && !pes;
  const std::uint64_t u = e.done + 1 - depth.u - (pes ? depth.w1 : 0);
  stage(u, Stage::U, end, depth.u);
  if (pes || loaded) stage(pes ? u + depth.u : u - depth.w1, Stage::W1, end, depth.w1);
  if (e.record.instruction->latency == isa::LatencyClass::TransferSync)
    stall(e.decoded + depth.d, std::min(end, e.done), StallCause::Transfer);
}

/// Records C and the cycles in SBM, shown as Bs, of the final access, or of a store.
void TimelineRecorder::sbm_access(const InFlight& e, const Life& life, std::uint64_t end) {
  for (const Wait& w : life.waits) stall(w.begin, std::min(end, w.end), StallCause::StoreForward);
  const Stages& stages = window_.stages;
  const std::uint64_t c =
      life.waits.empty() ? e.dispatched + stages.sbm_access - stages.depth.c : life.waits.back().end;
  stage(c, Stage::C, end, stages.depth.c);
  if (e.load && e.done != kNever) stage(c + stages.depth.c, Stage::Bs, std::min(end, e.done - 1));
}

void TimelineRecorder::leave(Sequence sequence, std::uint64_t now, bool flushed) {
  const InFlight& e = window_[sequence];
  Life& life = of(sequence);
  stages_.clear();
  stalls_.clear();
  const std::uint64_t end = flushed ? now : now + 1;
  // An operand announced for a later cycle does not wake a flushed instruction.
  if (flushed) std::erase_if(life.wakeups, [end](const Wakeup& w) { return w.cycle >= end; });
  const bool decoded = sequence < window_.decoded;
  const StageDepths& depth = window_.stages.depth;
  // decodable is the cycle of the first possible D; IB, IR, E come before it.
  const std::uint64_t block = e.decodable - window_.stages.to_decode;
  stage(e.fetched, Stage::IA, end);
  stage(e.fetched + 1, Stage::IT, std::min(end, block));
  stage(e.fetched + kPredict, Stage::IM, std::min(end, block));
  stall(e.fetched + fetch_latency_ - 1, std::min(end, block), StallCause::InstructionCache);
  stage(block, Stage::IB, end, depth.ib);
  stage(block + depth.ib, Stage::IR, end, depth.ir);
  const std::uint64_t d = decoded ? e.decoded : end;
  stage((decoded ? e.decoded : e.decodable) - depth.e, Stage::E, end, depth.e);
  // The spans are disjoint and in order of time.
  auto span = std::partition_point(decode_stalls_.begin(), decode_stalls_.end(),
                                   [&e](const StallSpan& s) { return s.end <= e.decodable; });
  for (; span != decode_stalls_.end() && span->begin < d; ++span)
    stall(std::max(span->begin, e.decodable), std::min({span->end, d, end}), span->cause);
  if (decoded) {
    stage(e.decoded, Stage::D, end, depth.d);
    if (e.station != Station::None) execution(e, life, end);
    if (e.done != kNever) {
      ending(e, end);
      if (!flushed)
        stall(e.done + 1, now,
              e.record.instruction->latency == isa::LatencyClass::BlockTransfer
                  ? StallCause::TransferQueueFull
                  : StallCause::CommitWidth);
    }
    if (!flushed) stage(now, Stage::W, end);
  }
  // Only the repeated P, B, X of a cancelled instruction are out of order, so insertion moves little.
  for (auto at = stages_.begin(); at != stages_.end(); ++at)
    std::rotate(std::upper_bound(stages_.begin(), at, at->cycle,
                                 [](std::uint64_t cycle, const StageEvent& e) { return cycle < e.cycle; }),
                at, at + 1);
  const InstructionTimeline timeline{
      life.identity, retired_,     e.record.pc, e.record.address, e.record.instruction, stages_,
      stalls_,       life.wakeups, end,         flushed,          pes_of(e.record),     e.record.sbm != 0};
  if (!flushed) ++retired_;
  for (CoreObserver* observer : observers_) observer->on_leave(timeline);
}

}  // namespace psim::pipeline
