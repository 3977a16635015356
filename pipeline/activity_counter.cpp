// SPDX-License-Identifier: Apache-2.0
#include "pipeline/activity_counter.h"

#include <bit>

#include "pipeline/pe_activity.h"

namespace psim::pipeline {

namespace {
constexpr std::size_t at(Stage stage) { return static_cast<std::size_t>(stage); }

/// Returns the cycles before `now` of a stage of `depth` cycles that began in `cycle`.
std::uint64_t passed(std::uint64_t cycle, std::uint32_t depth, std::uint64_t now) {
  return cycle < now ? std::min<std::uint64_t>(depth, now - cycle) : 0;
}
}  // namespace

RegisterCounts register_counts(const isa::StaticInstruction& si) {
  RegisterCounts counts;
  const auto add = [](isa::RegisterRange range, std::uint8_t& integer, std::uint8_t& fp) {
    if (range.first < isa::reg::kFp)
      integer += range.count;
    else if (range.first < isa::reg::kCcr)
      fp += (range.count + 1) / 2;
  };
  for (unsigned i = 0; i < si.sources; ++i) add(si.source[i], counts.integer_sources, counts.fp_sources);
  for (unsigned i = 0; i < si.destinations; ++i)
    add(si.destination[i], counts.integer_destinations, counts.fp_destinations);
  counts.sources = si.sources;
  counts.destinations = si.destinations;
  return counts;
}

ActivityCounter::ActivityCounter(const LatencyTable& latency, const Stages& stages)
    : latency_(latency), stages_(stages) {}

std::uint64_t ActivityCounter::execution_cycles(const InFlight& e) const {
  return e.station == Station::Rsa ? 1
                                   : latency_[static_cast<std::size_t>(e.record.instruction->latency)].cycles;
}

void ActivityCounter::add_operands(InstructionActivity& work, const InFlight& e, bool started, bool read,
                                   bool produced, bool retired) {
  const RegisterCounts r = register_counts(*e.record.instruction);
  work.map_lookups += r.sources + r.destinations;
  work.map_updates += r.destinations;
  if (read) {
    work.integer_reads += r.integer_sources;
    work.fp_reads += r.fp_sources;
  }
  if (started) work.broadcasts += r.destinations != 0;
  if (produced) {
    work.integer_results += r.integer_destinations;
    work.fp_results += r.fp_destinations;
  }
  if (retired) {
    work.integer_retired += r.integer_destinations;
    work.fp_retired += r.fp_destinations;
  }
}

/// Adds the steps that an instruction completed in the PEs before cycle `now`; kNever: it has committed.
void ActivityCounter::add_pe_work(PeActivity& to, const InFlight& e, std::uint64_t now) const {
  PeWork work(to, *e.record.instruction, pes_of(e.record), e.record.sbm);
  const StageDepths& depth = stages_.depth;
  const bool committed = now == kNever;
  work.entered();
  if (e.station == Station::Rsx) {
    const std::uint64_t x = e.dispatched == kNever ? kNever : e.dispatched + stages_.simd_execute;
    work.sent(passed(x - depth.c, depth.c, now));
    if (x < now) work.executed(std::min(now - x, execution_cycles(e)));
  } else if (committed) {
    work.sent(depth.c);
  } else if (e.dispatched != kNever) {  // it was assumed to hit
    work.sent(passed(e.dispatched + stages_.access_done, depth.c, now));
  }
  if (e.done == kNever) return;
  const bool pes = e.in_pes();
  const std::uint64_t u = e.done + 1 - depth.u - (pes ? depth.w1 : 0);
  if (u < now) work.finished();
  if (pes || e.load) work.noticed(passed(pes ? u + depth.u : u - depth.w1, depth.w1, now));
  if (committed) work.read(), work.retired();
}

void ActivityCounter::transfer(const isa::BlockTransfer& t) {
  ++counts.transfers.begun;
  counts.transfers.bytes += std::uint64_t{t.row_bytes} * t.rows * static_cast<unsigned>(std::popcount(t.pes));
}

void ActivityCounter::committed(const InFlight& e) {
  InstructionActivity& work = counts.committed[static_cast<std::size_t>(e.record.instruction->latency)];
  ++work.left;
  const StageDepths& depth = stages_.depth;
  work.moves[at(Stage::IB)] += depth.ib;
  work.moves[at(Stage::IR)] += depth.ir;
  work.moves[at(Stage::E)] += depth.e;
  work.moves[at(Stage::D)] += depth.d;
  work.moves[at(Stage::U)] += depth.u;
  ++work.moves[at(Stage::W)];
  ++work.buffered;
  ++work.entered;
  const bool executed = e.station != Station::None;
  if (executed) {
    ++work.moves[at(Stage::P)];
    work.moves[at(Stage::B)] += depth.b;
    if (e.station != Station::Rsx) {  // otherwise its station and pipes are those of the PEs
      ++work.station_writes;
      ++work.operations;
      work.moves[at(Stage::X)] += execution_cycles(e);
    }
    if (e.station == Station::Rsa && !e.record.sbm) {
      for (const Stage stage : {Stage::Ps, Stage::Ts, Stage::Ms, Stage::Bs}) ++work.moves[at(stage)];
      work.moves[at(Stage::Rs)] += depth.rs;
    }
  }
  add_operands(work, e, executed, executed, true, true);
  if (e.in_pes() || e.record.sbm) add_pe_work(work.pes, e, kNever);
  const isa::BranchKind branch = e.record.instruction->branch;
  if (branch == isa::BranchKind::None || e.record.kind != isa::RecordKind::Instruction) return;
  ++counts.history_updates;
  counts.return_stack += branch == isa::BranchKind::Call || branch == isa::BranchKind::Return;
}

void ActivityCounter::flushed(const InFlight& e, bool decoded, std::uint64_t now) {
  InstructionActivity& work = counts.flushed[static_cast<std::size_t>(e.record.instruction->latency)];
  ++work.left;
  const StageDepths& depth = stages_.depth;
  const auto move = [&](Stage stage, std::uint64_t cycle, std::uint32_t cycles = 1) {
    work.moves[at(stage)] += passed(cycle, cycles, now);
  };
  const std::uint64_t block = e.decodable - stages_.to_decode;  // IB
  move(Stage::IB, block, depth.ib);
  move(Stage::IR, block + depth.ib, depth.ir);
  move(Stage::E, (decoded ? e.decoded : e.decodable) - depth.e, depth.e);
  work.buffered += block + depth.ib < now;
  if (!decoded) return;
  ++work.entered;
  move(Stage::D, e.decoded, depth.d);
  bool started = false, read = false;
  if (e.station != Station::None) {
    const bool executes_here = e.station != Station::Rsx;
    work.station_writes += executes_here;
    if (e.dispatched != kNever) {
      const std::uint64_t p = e.dispatched, x = p + stages_.execute;
      started = true;
      ++work.moves[at(Stage::P)];
      move(Stage::B, p + 1, depth.b);
      read = p + 1 < now;
      if (executes_here && x < now) {
        ++work.operations;
        work.moves[at(Stage::X)] += std::min(now - x, execution_cycles(e));
      }
      if (e.station == Station::Rsa) {  // it was assumed to hit
        std::uint64_t cycle = x;
        for (const Stage stage : {Stage::Ps, Stage::Ts, Stage::Ms, Stage::Bs}) move(stage, ++cycle);
        move(Stage::Rs, ++cycle, depth.rs);
      }
    }
  }
  const std::uint64_t u = e.done == kNever ? kNever : e.done + 1 - depth.u - (e.in_pes() ? depth.w1 : 0);
  const bool produced = u < now;
  move(Stage::U, u, depth.u);
  if (e.in_pes()) add_pe_work(work.pes, e, now);
  add_operands(work, e, started, read, produced, false);
}

void ActivityCounter::cancelled(const InFlight& e, std::uint64_t now) {
  InstructionActivity& work = counts.committed[static_cast<std::size_t>(e.record.instruction->latency)];
  const std::uint64_t b = e.dispatched + 1;
  const RegisterCounts r = register_counts(*e.record.instruction);
  ++work.moves[at(Stage::P)];
  work.broadcasts += r.destinations != 0;
  if (b >= now) return;
  work.moves[at(Stage::B)] += passed(b, stages_.depth.b, now);
  work.integer_reads += r.integer_sources;
  work.fp_reads += r.fp_sources;
}

}  // namespace psim::pipeline
