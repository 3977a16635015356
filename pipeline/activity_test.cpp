// SPDX-License-Identifier: Apache-2.0
// Counts agree with the timelines of the same run, which are recorded independently, and with the statistics
// of the units.
#include "pipeline/activity.h"
#include "base/sanitized.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "pipeline/testing/bench.h"

namespace psim::pipeline {
namespace {
using namespace testing;
using isa::BranchKind;
using isa::LatencyClass;
using isa::Unit;

// Chains, loads that miss, stores that forward, branches that go wrong.
Program mixed_program(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Program program;
  for (unsigned b = 0; b < 200; ++b) {
    const std::uint64_t here = program.pc();
    for (unsigned i = 0, n = 1 + pick(14); i < n; ++i) {
      const std::uint64_t address = 0x800000 + 8 * pick(1u << (4 + pick(12)));
      switch (pick(8)) {
        case 0:
        case 1:
          program.load(pick(2) ? r(1 + pick(8)) : d(2 * pick(8)), 1 + pick(8), address);
          break;
        case 2:
          program.store(pick(2) ? r(1 + pick(8)) : d(2 * pick(8)), 1 + pick(8), address);
          break;
        case 3:
          program.op(Unit::Fp, LatencyClass::FpMultiplyAdd, {d(2 * pick(8)), d(2 * pick(8)), d(2 * pick(8))},
                     {d(2 * pick(8))});
          break;
        case 4:
          if (pick(6) == 0)
            program.op(Unit::Fp, LatencyClass::FpDivideDouble, {d(2 * pick(8)), d(0)}, {d(2 * pick(8))});
          if (pick(8) == 0) program.swap(1 + pick(8), 1 + pick(8), address);
          if (pick(20) == 0) program.window_trap(isa::RecordKind::SpillStore, 0x700000);
          if (pick(20) == 0) program.window_trap(isa::RecordKind::FillLoad, 0x700000);
          break;
        default:
          program.add(1 + pick(8), 1 + pick(8), 1 + pick(8));
      }
    }
    const bool taken = pick(2), annul = pick(2);
    const std::uint64_t branch = program.pc();
    program.branch(BranchKind::Conditional, taken, here + 512, {r(1 + pick(8))}, annul);
    if (taken || !annul) program.add(3, 3, 3);
    program.at(here + 512);
    program.other_text(branch + 8, 60);
  }
  return program;
}

// Chains in the PEs, SBM loads and stores, broadcasts from memory that miss, sums and moves to the scalar
// part, branches that go wrong over more of it.
Program simd_program(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto any = [&] { return pe(2 * pick(8)); };
  Program program;
  for (unsigned b = 0; b < 200; ++b) {
    const std::uint64_t here = program.pc();
    for (unsigned i = 0, n = 1 + pick(14); i < n; ++i) {
      const std::uint64_t memory = 0x800000 + 8 * pick(1u << (4 + pick(12)));
      const std::uint64_t sbm = 0xF000'0000 + 8 * pick(1u << (1 + pick(12)));
      switch (pick(10)) {
        case 0:
          program.in_simd_state(program.load(any(), 1 + pick(8), memory), false);
          break;
        case 1:
        case 2:
          program.in_simd_state(program.load(pick(4) ? any() : r(1 + pick(8)), 1 + pick(8), sbm), true);
          break;
        case 3:
          program.in_simd_state(program.store(pick(4) ? any() : r(1 + pick(8)), 1 + pick(8), sbm), true);
          break;
        case 4:
          program.simd(LatencyClass::PeSum, {any()}, {pick(2) ? any() : d(2 * pick(8))});
          break;
        case 5:
          program.simd(LatencyClass::PeMove, {r(1 + pick(8)), d(2 * pick(8))}, {any()});
          break;
        case 6:
          program.load(pick(2) ? r(1 + pick(8)) : d(2 * pick(8)), 1 + pick(8), memory);
          break;
        case 7:
          program.add(1 + pick(8), 1 + pick(8), 1 + pick(8));
          break;
        default:
          program.simd(LatencyClass::FpMultiplyAdd, {any(), any(), any()}, {any()});
      }
    }
    const std::uint64_t branch = program.pc();
    isa::InstructionRecord& record =
        program.record(program.branch(BranchKind::Conditional, pick(2), here + 512, {r(1 + pick(8))}));
    record.simd = 1, record.pes = 16;
    program.add(3, 3, 3);
    program.at(here + 512);
    program.other_simd_text(branch + 8, 60);
  }
  return program;
}

std::array<std::uint64_t, kStages> moves_of(const std::vector<Seen>& instructions) {
  std::array<std::uint64_t, kStages> moves{};
  for (const Seen& seen : instructions)
    for (std::size_t i = 0; i < seen.stages.size(); ++i) {
      const StageEvent& event = seen.stages[i];
      const std::uint64_t next = i + 1 < seen.stages.size() ? seen.stages[i + 1].cycle : seen.end;
      if (event.stage >= Stage::IB)
        moves[static_cast<std::size_t>(event.stage)] += event.stage == Stage::X ? next - event.cycle : 1;
    }
  return moves;
}

std::array<std::uint64_t, kStages> moves_of(
    const std::array<InstructionActivity, isa::kLatencyClasses>& classes) {
  std::array<std::uint64_t, kStages> moves{};
  for (const InstructionActivity& work : classes)
    for (std::size_t s = 0; s < kStages; ++s) moves[s] += work.moves[s];
  return moves;
}

class AnyActivity : public ::testing::TestWithParam<unsigned> {
 protected:
  /// Even seeds with warm caches, those above 8 in SIMD state; the second 16 with stages of random depths.
  unsigned seed_ = (GetParam() - 1) % 16 + 1;
  Program program_ = seed_ > 8 ? simd_program(seed_) : mixed_program(seed_);
  BenchConfig config_;

  AnyActivity() {
    if (GetParam() > 16) config_.core.stages = some_depths(GetParam());
    if (GetParam() % 4 > 1) {
      config_.instruction_cache.prefetch = Prefetch::Path;
      config_.data_cache.prefetch = Prefetch::Stream;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Activity, AnyActivity, ::testing::Range(1u, kSanitized ? 9u : 33u));

/// Moves through C, W1 and the X of the PEs, which are counted apart.
std::array<std::uint64_t, kStages> without_pes(const std::vector<Seen>& instructions) {
  std::array<std::uint64_t, kStages> moves{};
  for (const Seen& seen : instructions)
    for (std::size_t s = 0; s < kStages; ++s) moves[s] += seen.activity.work.moves[s];
  return moves;
}

TEST_P(AnyActivity, MovesThroughEachStageEqualTheTimelines) {
  config_.warm_data = config_.warm_instructions = seed_ % 2 == 0;
  Bench bench(program_, config_);
  bench.core->count_activity();
  bench.run();
  const Activity activity = bench.core->activity();
  const auto committed = moves_of(activity.committed), flushed = moves_of(activity.flushed);
  const bool simd = seed_ > 8;
  const auto seen_committed = simd ? without_pes(bench.committed) : moves_of(bench.committed);
  const auto seen_flushed = simd ? without_pes(bench.flushed) : moves_of(bench.flushed);
  ASSERT_FALSE(bench.flushed.empty());
  for (std::size_t s = 0; s < kStages; ++s) {
    EXPECT_EQ(committed[s] + flushed[s], seen_committed[s] + seen_flushed[s]) << kStageNames[s];
    if (kStageNames[s] != "P" && kStageNames[s] != "B") {  // cancelled starts count with the committed
      EXPECT_EQ(flushed[s], seen_flushed[s]) << kStageNames[s];
    }
  }
  EXPECT_EQ(activity.cycles, bench.totals().cycles);
}

PeActivity of_pes(const std::array<InstructionActivity, isa::kLatencyClasses>& classes) {
  Activity sum;
  for (const InstructionActivity& work : classes) {
    Activity one;
    one.committed[0].pes = work.pes;
    sum += one;
  }
  return sum.committed[0].pes;
}

// C and W1 of the timelines, and X cycles × 16 PEs, whether committed or flushed in the middle.
TEST_P(AnyActivity, WorkInThePesGoesAsFarAsTheTimelineOfEachInstruction) {
  config_.warm_data = config_.warm_instructions = seed_ % 2 == 0;
  Bench bench(program_, config_);
  bench.core->count_activity();
  bench.run();
  const Activity activity = bench.core->activity();
  const std::pair<PeActivity, const std::vector<Seen>*> both[] = {
      {of_pes(activity.committed), &bench.committed}, {of_pes(activity.flushed), &bench.flushed}};
  for (const auto& [counted, instructions] : both) {
    std::uint64_t c = 0, w1 = 0, x = 0, begun = 0;
    for (const Seen& seen : *instructions)
      for (std::size_t i = 0; i < seen.stages.size(); ++i) {
        const StageEvent& event = seen.stages[i];
        const std::uint64_t next = i + 1 < seen.stages.size() ? seen.stages[i + 1].cycle : seen.end;
        c += event.stage == Stage::C;
        w1 += event.stage == Stage::W1;
        if (event.stage == Stage::X && seen.simd) x += (next - event.cycle) * seen.pes, begun += seen.pes;
      }
    EXPECT_EQ(counted.broadcasts, c);
    EXPECT_EQ(counted.notices, w1);
    EXPECT_EQ(counted.operations, begun);
    EXPECT_GE(counted.cycles, x);
    EXPECT_EQ(x > 0, seed_ > 8);
  }
}

TEST_P(AnyActivity, TheActivityOfEachClassIsTheSumOverItsTimelines) {
  config_.warm_data = seed_ % 2 == 0;
  Bench bench(program_, config_);
  bench.core->count_activity();
  bench.run();
  Activity counted = bench.core->activity(), seen;
  for (const std::vector<Seen>* instructions : {&bench.committed, &bench.flushed})
    for (const Seen& instruction : *instructions) {
      Activity one;
      one.committed[static_cast<std::size_t>(instruction.activity.latency)] = instruction.activity.work;
      seen += one;
    }
  for (std::size_t c = 0; c < isa::kLatencyClasses; ++c) {
    Activity flushed;
    flushed.committed[c] = counted.flushed[c];
    counted += flushed;
    std::array<std::uint64_t, sizeof(InstructionActivity) / sizeof(std::uint64_t)> here, there;
    std::memcpy(&here, &counted.committed[c], sizeof here);
    std::memcpy(&there, &seen.committed[c], sizeof there);
    EXPECT_EQ(here, there) << isa::name(static_cast<LatencyClass>(c));
  }
}

TEST_P(AnyActivity, AccessesToTheDataCacheEqualItsCounters) {
  config_.warm_data = false;
  Bench bench(program_, config_);
  bench.core->count_activity();
  bench.run();
  const Activity activity = bench.core->activity();
  std::uint64_t accesses = 0, wrong_path_loads = 0;
  for (std::size_t c = 0; c < isa::kLatencyClasses; ++c)
    accesses += activity.data_reads[c] + activity.data_writes[c];
  for (const Seen& seen : bench.flushed)
    for (const StageEvent& event : seen.stages) wrong_path_loads += event.stage == Stage::X && seen.load;
  const L1Stats& stats = bench.data_cache.stats();
  EXPECT_EQ(accesses - wrong_path_loads, stats.hits + stats.misses + stats.merges);
  EXPECT_EQ(activity.data_cache.prefetches, stats.prefetch_lookups);
  EXPECT_EQ(activity.data_cache.fills, stats.requests);
  EXPECT_EQ(activity.prefetch_steps > 0, config_.instruction_cache.prefetch == Prefetch::Path);
  EXPECT_GE(activity.prefetch_steps, activity.instruction_cache.prefetches);
}

TEST(Activity, CountsNothingUnlessRequested) {
  Program program = mixed_program(3);
  Bench bench(program);
  bench.run();
  const Activity activity = bench.core->activity();
  EXPECT_EQ(moves_of(activity.committed), moves_of(Activity{}.committed));
  EXPECT_EQ(activity.fetch_blocks, 0U);
  EXPECT_EQ(bench.core->activity_counter(), nullptr);
}

TEST(Activity, OfAMultiplyAddIsItsReadsAndWrites) {
  Program program;
  program.op(Unit::Fp, LatencyClass::FpMultiplyAdd, {d(2), d(4), d(6)}, {d(8)});
  Bench bench(program);
  bench.core->count_activity();
  bench.run();
  const Activity activity = bench.core->activity();
  const InstructionActivity& work = activity.committed[static_cast<std::size_t>(LatencyClass::FpMultiplyAdd)];
  EXPECT_EQ(work.left, 1U);
  EXPECT_EQ(work.operations, 1U);
  EXPECT_EQ(work.moves[static_cast<std::size_t>(Stage::X)],
            CoreConfig{}.latency[static_cast<std::size_t>(LatencyClass::FpMultiplyAdd)].cycles);
  EXPECT_EQ(work.map_lookups, 4U);
  EXPECT_EQ(work.fp_reads, 3U);
  EXPECT_EQ(work.fp_results, 1U);
  EXPECT_EQ(work.fp_retired, 1U);
  EXPECT_EQ(work.integer_reads + work.integer_results, 0U);
  EXPECT_EQ(work.station_writes, 1U);
  EXPECT_EQ(work.broadcasts, 1U);
}

// In order: fmaddd of three SFPRs; fxmaddd, by which the odd PE of each pair takes an operand, and fxcmaddd,
// by which both do; a sum over 16; a load and a store of SBM; a load that goes to all; fputd to one PE.
TEST(Activity, OfOperationsInThePesIsTheSumOverThePes) {
  Program program;
  const auto cross = [&](std::uint8_t takers) {
    program.make_cross(program.simd(LatencyClass::FpMultiplyAdd, {pe(0), pe(2), pe(4)}, {pe(4)}), takers);
  };
  program.simd(LatencyClass::FpMultiplyAdd, {pe(0), pe(2), pe(4)}, {pe(4)});
  cross(1), cross(1), cross(2);
  program.simd(LatencyClass::PeSum, {pe(4)}, {d(2)});
  program.in_simd_state(program.load(pe(6), 1, 0xF000'0000), true);
  program.in_simd_state(program.store(pe(6), 1, 0xF000'0008), true);
  program.in_simd_state(program.load(pe(8), 1, 0x800000), false);
  program.simd(LatencyClass::PeMove, {r(1), d(2), pe(8)}, {pe(8)});
  Bench bench(program);
  bench.core->count_activity();
  bench.run();
  const Activity activity = bench.core->activity();
  const auto of = [&](LatencyClass latency) {
    return activity.committed[static_cast<std::size_t>(latency)].pes;
  };
  const PeActivity fma = of(LatencyClass::FpMultiplyAdd), sum = of(LatencyClass::PeSum),
                   load = of(LatencyClass::Load), store = of(LatencyClass::Store),
                   move = of(LatencyClass::PeMove);
  const auto cycles = [](LatencyClass latency) {
    return default_latencies()[static_cast<std::size_t>(latency)].cycles;
  };
  EXPECT_EQ(fma.broadcasts, 4U);
  EXPECT_EQ(fma.notices, 4U);
  EXPECT_EQ(fma.operations, 4 * 16U);
  EXPECT_EQ(fma.cycles, 4 * 16 * cycles(LatencyClass::FpMultiplyAdd));
  EXPECT_EQ(fma.register_reads, 4 * 3 * 16U);
  EXPECT_EQ(fma.register_writes, 4 * 16U);
  EXPECT_EQ(fma.cross_operands, 8 + 8 + 16U);
  EXPECT_EQ(fma.moves, 0U);
  EXPECT_EQ(sum.operations, 16U);
  EXPECT_EQ(sum.cycles, 16 * cycles(LatencyClass::PeSum));
  EXPECT_EQ(sum.cross_operands, 15U);
  EXPECT_EQ(sum.moves, 1U);
  EXPECT_EQ(sum.register_writes, 0U);
  EXPECT_EQ(load.sbm_reads, 16U);
  EXPECT_EQ(load.register_writes, 2 * 16U);
  EXPECT_EQ(load.moves, 1U);  // the datum for all
  EXPECT_EQ(load.operations, 0U);
  EXPECT_EQ(load.begun, 2 * 16U);
  EXPECT_EQ(store.sbm_writes, 16U);
  EXPECT_EQ(store.register_reads, 16U);
  EXPECT_EQ(move.operations, 1U);
  EXPECT_EQ(move.register_writes, 1U);
  EXPECT_EQ(move.moves, 2U);
  // The accesses to SBM do not meet the data cache.
  EXPECT_EQ(activity.data_reads[static_cast<std::size_t>(LatencyClass::Load)], 1U);
  EXPECT_EQ(activity.data_writes[static_cast<std::size_t>(LatencyClass::Store)], 0U);
}

TEST(Activity, DifferencesAndSumsAreTakenOfEveryCount) {
  Activity a, b;
  a.cycles = 10, b.cycles = 4;
  a.transfers.bytes = 640, b.transfers.bytes = 64;
  a.flushed[2].moves[5] = 7;
  a -= b;
  EXPECT_EQ(a.cycles, 6U);
  EXPECT_EQ(a.transfers.bytes, 576U);
  a += b;
  EXPECT_EQ(a.transfers.bytes, 640U);
  EXPECT_EQ(a.flushed[2].moves[5], 7U);
}

}  // namespace
}  // namespace psim::pipeline
