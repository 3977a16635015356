// SPDX-License-Identifier: Apache-2.0
#include "pipeline/commit_unit.h"

#include "pipeline/activity_counter.h"
#include "pipeline/timeline_recorder.h"

#include "pipeline/memo/timing_state.h"

namespace psim::pipeline {

namespace {
/// Returns whether the instruction is in C or W1.
bool in_transit(const InFlight& e, const Stages& stages, std::uint64_t now) {
  if (e.dispatched == kNever) return false;
  const std::uint64_t out =
      e.dispatched + (e.station == Station::Rsa ? stages.sbm_access : stages.simd_execute);
  const bool in_c = now < out && now + stages.depth.c >= out;
  const bool in_w1 = e.done != kNever && now <= e.done && now + stages.depth.w1 > e.done;
  return in_c || in_w1;
}
}  // namespace

std::uint32_t CommitUnit::step(std::uint64_t now) {
  std::uint32_t committed = 0, special = 0;  // special: for Profile::committed()
  for (; committed < width_ && window_.head != window_.decoded; ++committed) {
    const Sequence sequence = window_.head;
    InFlight& e = window_[sequence];
    if (e.done >= now) break;
    if (e.record.instruction->latency == isa::LatencyClass::BlockTransfer && !begin_transfer(e, now)) break;
    if (e.level != Level::L1) {
      cpi_.settle(e.level == Level::Memory ? CpiPart::Memory : CpiPart::L2);
      special |= 1u << committed;
    }
    rename_.release(e);
    if (e.station == Station::Rsa) {
      operands_.commit(e);
      if (e.in_pes() || e.record.sbm) simd_stats_.count(e);
    } else if (e.station == Station::Rsx) {
      simd_stats_.count(e);
    }
    if (e.record.instruction->branch != isa::BranchKind::None) {
      fetch_.committed(e);
      special |= 1u << committed;
    }
    count(e.record);
    if (observed_ || e.record.region_marker) [[unlikely]]
      notify(sequence, now);
    ++window_.head;
  }
  if (committed) {
    last_commit_ = now;
    stats_.per_cycle.add_bounded(committed);
    if (activity_) ++activity_->counts.commit_groups;
    if (profile_) profile_->committed(window_, window_.head - committed, committed, special);
    cpi_.charge(CpiPart::Base, 1);
  } else {
    charge_idle(now, 1);
  }
  return committed;
}

std::uint64_t CommitUnit::count(std::span<const isa::InstructionRecord> executed, std::uint64_t now) {
  const std::uint64_t before = stats_.instructions;
  for (const isa::InstructionRecord& record : executed) count(record);
  last_commit_ = now;
  return stats_.instructions - before;
}

/// Notifies the observers of the commit.
void CommitUnit::notify(Sequence sequence, std::uint64_t now) {
  const InFlight& e = window_[sequence];
  if (activity_) activity_->committed(e);
  if (e.record.region_marker) listener_.on_marker(sequence, now);
  if (recorder_) recorder_->leave(sequence, now, false);
}

/// Begins the transfer. Returns false if it must wait: for room in the engine, or for older stores, which a
/// put may read.
bool CommitUnit::begin_transfer(const InFlight& oldest, std::uint64_t now) {
  if (oldest.record.kind != isa::RecordKind::Instruction) return true;
  if (transfers_.full() || operands_.committed_stores()) return false;
  const isa::BlockTransfer transfer = source_.transfer(oldest.record);
  transfers_.begin(transfer, now);
  if (activity_) activity_->transfer(transfer);
  return true;
}

void CommitUnit::charge_idle(std::uint64_t now, std::uint64_t cycles) {
  stats_.per_cycle.add_bounded(0, cycles);
  const InFlight* const oldest = window_.head == window_.decoded ? nullptr : &window_[window_.head];
  if (oldest != nullptr && oldest->progress == Progress::Missed) {
    cpi_.charge_miss(cycles);
    if (profile_) profile_->waited_for_line(cycles);
    return;
  }
  if (fetch_.parked() && oldest == nullptr) {
    idle_ += cycles;
    return;
  }
  const CpiPart part = oldest != nullptr ? blame_oldest(*oldest, now) : blame_front_end();
  cpi_.charge(part, cycles);
  if (profile_) profile_->waited(part, cycles, oldest == nullptr || refilling(*oldest, now));
}

/// Returns the part charged for a cycle in which the commit stack is empty.
CpiPart CommitUnit::blame_front_end() const {
  // Decode may be holding back an instruction that has arrived.
  switch (decode_.stall()) {
    case StallCause::StoreQueueFull:
      return CpiPart::StoreQueue;
    case StallCause::Serialise:
      return CpiPart::Serial;
    default:
      return fetch_.blame();
  }
}

CpiPart CommitUnit::blame_oldest(const InFlight& oldest, std::uint64_t now) const {
  const isa::StaticInstruction& si = *oldest.record.instruction;
  if (oldest.progress == Progress::Blocked) return CpiPart::L1;
  // An instruction that found the commit stack empty needs the cycles of D P B X U in any case.
  if (refilling(oldest, now)) return oldest.blame;
  if (oldest.level != Level::L1) return oldest.level == Level::Memory ? CpiPart::Memory : CpiPart::L2;
  if (si.latency == isa::LatencyClass::TransferSync) return CpiPart::Transfer;
  if (si.latency == isa::LatencyClass::BlockTransfer && oldest.done < now) return CpiPart::Transfer;
  if (si.serial || si.timed) return CpiPart::Serial;
  // The rest is latency inside the core. It counts only if more instructions were available to overlap it.
  if (decode_.starved()) return fetch_.blame();
  if (decode_.stall() == StallCause::StoreQueueFull) return CpiPart::StoreQueue;
  if (oldest.in_pes() && in_transit(oldest, window_.stages, now)) return CpiPart::PeTransit;
  if (oldest.station == Station::Rsa) return oldest.record.sbm ? CpiPart::Sbm : CpiPart::L1;
  if (oldest.station == Station::Rsbr) return CpiPart::Branch;
  switch (decode_.stall()) {
    case StallCause::ReservationStationFull:
      return CpiPart::ReservationStation;
    case StallCause::ReorderBufferFull:
    case StallCause::RenameFull:
      return CpiPart::ReorderBuffer;
    default:
      return si.unit == isa::Unit::Fp || si.unit == isa::Unit::Simd ? CpiPart::FpLatency
                                                                    : CpiPart::IntLatency;
  }
}

void CommitUnit::timing_state(TimingState& state) {
  state.cycle(last_commit_, 64);
  cpi_.timing_state(state);
}

}  // namespace psim::pipeline
