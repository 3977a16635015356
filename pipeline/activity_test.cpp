// SPDX-License-Identifier: Apache-2.0
// Counts agree with the timelines of the same run, which are recorded another way, and with the statistics of
// the units.
#include "pipeline/activity.h"

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

class AnyActivity : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Activity, AnyActivity, ::testing::Range(1u, 9u));

TEST_P(AnyActivity, MovesThroughEachStageAreThoseOfTheTimelines) {
  Program program = mixed_program(GetParam());
  BenchConfig config;
  config.warm_data = config.warm_instructions = GetParam() % 2 == 0;
  Bench bench(program, config);
  bench.core->count_activity();
  bench.run();
  const Activity activity = bench.core->activity();
  const auto committed = moves_of(activity.committed), flushed = moves_of(activity.flushed);
  const auto seen_committed = moves_of(bench.committed), seen_flushed = moves_of(bench.flushed);
  ASSERT_FALSE(bench.flushed.empty());
  for (std::size_t s = 0; s < kStages; ++s) {
    EXPECT_EQ(committed[s] + flushed[s], seen_committed[s] + seen_flushed[s]) << kStageNames[s];
    if (kStageNames[s] != "P" && kStageNames[s] != "B") {  // cancelled starts count with the committed
      EXPECT_EQ(flushed[s], seen_flushed[s]) << kStageNames[s];
    }
  }
  EXPECT_EQ(activity.cycles, bench.totals().cycles);
}

TEST_P(AnyActivity, WhatEachClassDidIsTheSumOverItsTimelines) {
  Program program = mixed_program(GetParam());
  BenchConfig config;
  config.warm_data = GetParam() % 2 == 0;
  Bench bench(program, config);
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
    EXPECT_EQ(std::memcmp(&counted.committed[c], &seen.committed[c], sizeof(InstructionActivity)), 0)
        << isa::name(static_cast<LatencyClass>(c));
  }
}

TEST_P(AnyActivity, AccessesToTheDataCacheAreThoseItCounted) {
  Program program = mixed_program(GetParam());
  BenchConfig config;
  config.warm_data = false;
  Bench bench(program, config);
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
}

TEST(Activity, CountsNothingUnlessAsked) {
  Program program = mixed_program(3);
  Bench bench(program);
  bench.run();
  const Activity activity = bench.core->activity();
  EXPECT_EQ(moves_of(activity.committed), moves_of(Activity{}.committed));
  EXPECT_EQ(activity.fetch_blocks, 0U);
  EXPECT_EQ(bench.core->activity_counter(), nullptr);
}

TEST(Activity, OfAMultiplyAddIsWhatItReadsAndWrites) {
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

TEST(Activity, DifferencesAndSumsAreTakenOfEveryCount) {
  Activity a, b;
  a.cycles = 10, b.cycles = 4;
  a.simd.transfer_bytes = 640, b.simd.transfer_bytes = 64;
  a.flushed[2].moves[5] = 7;
  a -= b;
  EXPECT_EQ(a.cycles, 6U);
  EXPECT_EQ(a.simd.transfer_bytes, 576U);
  a += b;
  EXPECT_EQ(a.simd.transfer_bytes, 640U);
  EXPECT_EQ(a.flushed[2].moves[5], 7U);
}

}  // namespace
}  // namespace psim::pipeline
