// SPDX-License-Identifier: Apache-2.0
#include "pipeline/decode_unit.h"

#include <fmt/format.h>

#include "pipeline/activity_counter.h"
#include "pipeline/timeline_recorder.h"

namespace psim::pipeline {

namespace {
// Sets the operand access of an instruction, or of a store or load of a window trap.
void set_access(InFlight& e) {
  const isa::StaticInstruction& si = *e.record.instruction;
  if (e.record.kind == isa::RecordKind::Instruction) {
    e.load = si.load, e.store = si.store, e.bytes = si.access_bytes;
  } else {
    e.store = e.record.kind == isa::RecordKind::SpillStore, e.load = !e.store, e.bytes = 8;
  }
}
}  // namespace

bool DecodeUnit::step(std::uint64_t now) {
  return wake_up_.one_word() ? step_rows<true>(now) : step_rows<false>(now);
}

template <bool kOne>
bool DecodeUnit::step_rows(std::uint64_t now) {
  std::uint32_t decoded = 0;
  StallCause stall = StallCause::None;
  for (; decoded < width_ && window_.decoded != window_.fetched; ++decoded) {
    InFlight& e = window_[window_.decoded];
    if (e.decodable > now) break;
    stall = admit<kOne>(e, window_.decoded, now);
    if (stall != StallCause::None) break;
    ++window_.decoded;
  }
  stall_ = stall;
  stats_.per_cycle.add_bounded(decoded);
  stats_.count(stall, 1);
  starved_ = stall == StallCause::None && decoded < width_;
  if (recorder_) recorder_->decode_stall(stall, now, now + 1);
  if (decoded) fetch_.delivered();
  if (activity_ && decoded) ++activity_->counts.decode_groups;
  return decoded != 0;
}

/// Finds the producers of the sources, and records the results. Not inlined, for lack of registers.
template <bool kOne>
void DecodeUnit::rename(InFlight& e, Sequence sequence, std::uint64_t now) {
  const bool separate_datum = e.store && !e.load;
  rename_.for_each_producer(e.record, [&, &wake_up = wake_up_](Sequence producer, bool datum) {
    wake_up.depend<kOne>(e, sequence, producer, now, datum && separate_datum);
  });
  rename_.define(e.record, sequence);
}

template <bool kOne>
inline StallCause DecodeUnit::admit(InFlight& e, Sequence sequence, std::uint64_t now) {
  const isa::StaticInstruction& si = *e.record.instruction;
  const Sequence head = window_.head;
  const bool handler = e.record.kind != isa::RecordKind::Instruction;
  if (sequence - head >= commit_stack_) return StallCause::ReorderBufferFull;
  if (serial_ >= head) return StallCause::Serialise;
  const bool sync = si.latency == isa::LatencyClass::TransferSync && !handler;
  const bool serial = ((si.serial | si.timed) != 0 || sync) && !handler;
  if (serial) [[unlikely]]
    if (head != sequence || !operands_.stores_drained()) return StallCause::Serialise;
  const isa::PerKind need = handler ? isa::PerKind{} : si.results;
  if (!rename_.has(need)) return StallCause::RenameFull;
  const Station station = sync ? Station::None : pipes_.choose(handler ? isa::Unit::Address : si.unit);
  if (pipes_.full(station)) return StallCause::ReservationStationFull;
  e.station = station;
  if (station == Station::Rsa) {
    set_access(e);
    if (e.holds_fetch_port() && operands_.load_full()) return StallCause::LoadQueueFull;
    if (e.holds_store_port() && operands_.store_full()) return StallCause::StoreQueueFull;
    operands_.enter(sequence, e);
  } else {
    e.load = e.store = false, e.bytes = 0;
  }
  if (serial) serial_ = sequence;
  rename_.take(e, need);
  e.decoded = now;
  e.dispatched = e.result = e.done = kNever;
  e.operands = e.datum = 0;
  e.waiting = e.datum_waiting = 0;
  e.starved = head == sequence;
  if (e.starved) e.blame = fetch_.blame();
  wake_up_.clear<kOne>(sequence);
  if (!handler) rename<kOne>(e, sequence, now);
  if (station == Station::None) {  // complete at decode
    e.progress = Progress::Finished;
    if (sync) {
      transfers_.await(sequence, e.record.target);
    } else {
      e.result = now + window_.stages.depth.d - 1 + pipes_.cycles(si.latency);
      e.done = window_.stages.end_of_u(e.result);
    }
    return StallCause::None;
  }
  pipes_.take(station);
  wake_up_.enter<kOne>(e, sequence, now + window_.stages.depth.d);
  return StallCause::None;
}

void DecodeUnit::flush(Sequence first, std::uint64_t now) {
  operands_.flush(first, now);
  wake_up_.flush(first);
  for (Sequence s = first; s < window_.decoded; ++s) {
    const InFlight& e = window_[s];
    rename_.release(e);
    if (e.station != Station::None) pipes_.give_back(e.station, e.dispatched, now);
  }
  rename_.rebuild(first);
  if (serial_ >= first) serial_ = 0;
  window_.decoded = std::min(window_.decoded, first);
}

std::string DecodeUnit::describe() const {
  return fmt::format(
      "decode: {} of {} commit stack entries used; free rename registers: integer {}, fp {}, simd {}; {}",
      window_.in_commit_stack(), commit_stack_, rename_.integer_free(), rename_.fp_free(),
      rename_.simd_free(),
      stall_ == StallCause::None ? "not stalled" : fmt::format("stalled by {}", name(stall_)));
}

}  // namespace psim::pipeline
