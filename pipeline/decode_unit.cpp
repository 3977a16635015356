// SPDX-License-Identifier: Apache-2.0
#include "pipeline/decode_unit.h"

#include <fmt/format.h>

#include "pipeline/activity_counter.h"
#include "pipeline/timeline_recorder.h"

#include "pipeline/memo/timing_state.h"

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
  const Sequence first = window_.decoded;
  const Sequence end = wake_up_.one_word() ? decode<true>(now) : decode<false>(now);
  const auto decoded = static_cast<std::uint32_t>(end - first);
  stats_.per_cycle.add_bounded(decoded);
  stats_.count(stall_, 1);
  starved_ = stall_ == StallCause::None && decoded < width_;
  if (recorder_) recorder_->decode_stall(stall_, now, now + 1);
  if (decoded == 0) return false;
  window_.decoded = end;
  fetch_.delivered();
  if (activity_) ++activity_->counts.decode_groups;
  return true;
}

/// Decodes the instructions of this cycle. Returns the first that it does not decode, and sets stall_ to what
/// stopped it.
template <bool kOne>
inline Sequence DecodeUnit::decode(std::uint64_t now) {
  const Sequence head = window_.head;
  const Sequence most = std::min(window_.fetched, window_.decoded + width_);
  const Sequence end = std::min(most, head + commit_stack_);
  Sequence s = window_.decoded;
  for (; s < end; ++s) {
    InFlight& e = window_[s];
    if (e.decodable > now) break;
    stall_ = admit(e, s, head);
    if (stall_ != StallCause::None) return s;
    rename<kOne>(e, s, now);
  }
  stall_ =
      s == end && s < most && window_[s].decodable <= now ? StallCause::ReorderBufferFull : StallCause::None;
  return s;
}

/// Takes the resources of an instruction, if all are there. Returns what is short.
inline StallCause DecodeUnit::admit(InFlight& e, Sequence sequence, Sequence head) {
  const isa::StaticInstruction& si = *e.record.instruction;
  if (serial_ >= head) return StallCause::Serialise;
  const bool alone = si.serial || si.timed || si.latency == isa::LatencyClass::TransferSync;
  if (alone || e.record.kind != isa::RecordKind::Instruction) [[unlikely]]
    return admit_special(e, sequence, head);
  return take(e, sequence, head, si.results, pipes_.choose(si.unit));
}

/// Admits a load or store of a window trap, or an instruction that enters an empty commit stack.
StallCause DecodeUnit::admit_special(InFlight& e, Sequence sequence, Sequence head) {
  const isa::StaticInstruction& si = *e.record.instruction;
  if (e.record.kind != isa::RecordKind::Instruction) return take(e, sequence, head, {}, Station::Rsa);
  if (head != sequence || !operands_.stores_drained()) return StallCause::Serialise;
  const bool sync = si.latency == isa::LatencyClass::TransferSync;
  const StallCause stall = take(e, sequence, head, si.results, sync ? Station::None : pipes_.choose(si.unit));
  if (stall == StallCause::None) serial_ = sequence;
  return stall;
}

/// Takes all resources that the instruction needs, or none. Returns what is short.
inline StallCause DecodeUnit::take(InFlight& e, Sequence sequence, Sequence head, isa::PerKind registers,
                                   Station station) {
  if (!rename_.has(registers)) return StallCause::RenameFull;
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
  pipes_.take(station);
  rename_.take(e, registers);
  e.starved = head == sequence;
  if (e.starved) e.blame = fetch_.blame();
  return StallCause::None;
}

/// Finds the producers of the instruction, records its results, and enters it into its station.
template <bool kOne>
inline void DecodeUnit::rename(InFlight& e, Sequence s, std::uint64_t now) {
  e.decoded = now;
  e.progress = Progress::Waiting;
  e.dispatched = e.done = kNever;
  WakeUp::Operands operands;
  if (e.record.kind == isa::RecordKind::Instruction) {
    const isa::RegisterNames& names = e.record.instruction->names;
    const RenameMap::Entries& entries = RenameMap::entries_of(e.record.window);
    operands = depend<kOne>(s, names, entries, false, now);
    if (e.store) [[unlikely]] {
      const WakeUp::Operands datum = depend<kOne>(s, names, entries, true, now);
      e.datum = datum.announced;
      e.datum_waiting = static_cast<std::uint8_t>(datum.waiting);
    }
    rename_.define(e.record, entries, s);
  } else {
    e.datum = e.datum_waiting = 0;
  }
  if (e.station != Station::None)
    wake_up_.enter<kOne>(s, e.station, operands, now + window_.stages.depth.d);
  else
    complete(e, s, now);
}

/// Returns the state of the operands of an instruction, or of the datum of a store.
template <bool kOne>
inline WakeUp::Operands DecodeUnit::depend(Sequence sequence, const isa::RegisterNames& names,
                                           const RenameMap::Entries& entries, bool datum, std::uint64_t now) {
  WakeUp::Operands operands;
  const unsigned begin = datum ? names.address_sources : 0;
  const unsigned end = datum ? names.sources : names.address_sources;
  const Sequence head = window_.head;
  for (unsigned i = begin; i < end; ++i) {
    const std::uint8_t name = names.source[i];
    const Sequence* const writers = rename_.writers(entries, name);
    if (writers[0] >= head) wake_up_.depend_on<kOne>(operands, sequence, writers[0], now, datum);
    if (name >= isa::reg::kPairs && writers[1] >= head)
      wake_up_.depend_on<kOne>(operands, sequence, writers[1], now, datum);
  }
  return operands;
}

/// Completes an instruction that needs no station.
void DecodeUnit::complete(InFlight& e, Sequence sequence, std::uint64_t now) {
  pipes_.give_back(e.station, kNever, now);
  e.progress = Progress::Finished;
  const isa::LatencyClass latency = e.record.instruction->latency;
  if (latency == isa::LatencyClass::TransferSync) {
    wake_up_.complete(sequence, kNever);
    transfers_.await(sequence, e.record.target);
    return;
  }
  const std::uint64_t result = now + window_.stages.depth.d - 1 + pipes_.cycles(latency);
  wake_up_.complete(sequence, result);
  e.done = window_.stages.end_of_u(result);
}

void DecodeUnit::flush(Sequence first, std::uint64_t now) {
  operands_.flush(first);
  if (wake_up_.one_word())
    wake_up_.flush<true>(first);
  else
    wake_up_.flush<false>(first);
  for (Sequence s = first; s < window_.decoded; ++s) {
    const InFlight& e = window_[s];
    rename_.flush(e);
    if (e.station != Station::None) pipes_.give_back(e.station, e.dispatched, now);
    if (e.holds_fetch_port()) operands_.release_fetch_port();
  }
  rename_.redefine(first);
  if (serial_ >= first) serial_ = 0;
  window_.decoded = std::min(window_.decoded, first);
}

void DecodeUnit::timing_state(TimingState& state) {
  state.in_flight(serial_);
  state.value(stall_), state.value(starved_);
}

std::string DecodeUnit::describe() const {
  return fmt::format(
      "decode: {} of {} commit stack entries used; free rename registers: integer {}, fp {}, simd {}; {}",
      window_.in_commit_stack(), commit_stack_, rename_.integer_free(), rename_.fp_free(),
      rename_.simd_free(),
      stall_ == StallCause::None ? "not stalled" : fmt::format("stalled by {}", name(stall_)));
}

}  // namespace psim::pipeline
