// SPDX-License-Identifier: Apache-2.0
// Cycles of stages of several cycles, derived by hand. With all stages of one cycle the first block has IA 0,
// IB 3, D 6, P 7, X 9. A deeper stage delays the stages after it by its additional cycles, and only by those.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "pipeline/testing/bench.h"

namespace psim::pipeline {
namespace {
using namespace testing;
using isa::BranchKind;
using isa::LatencyClass;

std::uint64_t times(const Seen& seen, Stage stage) {
  return static_cast<std::uint64_t>(std::count_if(seen.stages.begin(), seen.stages.end(),
                                                  [&](const StageEvent& e) { return e.stage == stage; }));
}

/// Each stage alone at 2, 5 and 8 cycles, and all of them at random depths.
std::vector<StageDepths> depths_to_try() {
  std::vector<StageDepths> all;
  for (const std::uint32_t cycles : {2u, 5u, kDeepestStage})
    for (std::uint32_t StageDepths::*const stage :
         {&StageDepths::ib, &StageDepths::ir, &StageDepths::e, &StageDepths::d, &StageDepths::b,
          &StageDepths::rs, &StageDepths::u, &StageDepths::c, &StageDepths::w1}) {
      StageDepths depths;
      depths.*stage = cycles;
      all.push_back(depths);
    }
  for (unsigned seed = 1; seed < 6; ++seed) all.push_back(some_depths(seed));
  return all;
}

BenchConfig with(const StageDepths& depths) {
  BenchConfig config;
  config.core.stages = depths;
  return config;
}

// IB 3, then IB IR E, D, P, B, X (1), U, W.
TEST(StageDepth, AnAddTakesTheSumOfItsStages) {
  for (const StageDepths& s : depths_to_try()) {
    Program program;
    program.add(1, 2, 3);
    Bench bench(program, with(s));
    bench.run();
    const std::uint64_t d = 3 + s.ib + s.ir + s.e, p = d + s.d, x = p + 1 + s.b, w = x + 1 + s.u;
    EXPECT_EQ(bench.at(0).first(Stage::IB), 3u);
    EXPECT_EQ(bench.at(0).first(Stage::IR), 3u + s.ib);
    EXPECT_EQ(bench.at(0).first(Stage::E), d - s.e);
    EXPECT_EQ(bench.at(0).first(Stage::D), d);
    EXPECT_EQ(bench.at(0).first(Stage::P), p);
    EXPECT_EQ(bench.at(0).first(Stage::X), x);
    EXPECT_EQ(bench.at(0).first(Stage::U), x + 1);
    EXPECT_EQ(bench.at(0).first(Stage::W), w);
    EXPECT_EQ(bench.totals().cycles, w + 1);
  }
}

// The dump has one entry of a stage for each of its cycles, so that views show one cell per cycle.
TEST(StageDepth, ADumpShowsEachCycleOfAStage) {
  for (const StageDepths& s : depths_to_try()) {
    Program program;
    program.load(r(1), 2, 0x800000);
    program.simd(LatencyClass::FpAdd, {pe(0)}, {pe(2)});
    Bench bench(program, with(s));
    bench.run();
    const std::pair<Stage, std::uint32_t> stages[] = {{Stage::IB, s.ib}, {Stage::IR, s.ir}, {Stage::E, s.e},
                                                      {Stage::D, s.d},   {Stage::B, s.b},   {Stage::U, s.u},
                                                      {Stage::P, 1},     {Stage::W, 1}};
    for (const auto& [stage, cycles] : stages)
      for (const std::size_t index : {0u, 1u})
        EXPECT_EQ(times(bench.at(index), stage), cycles) << kStageNames[static_cast<std::size_t>(stage)];
    EXPECT_EQ(times(bench.at(0), Stage::Rs), s.rs);
    EXPECT_EQ(times(bench.at(1), Stage::C), s.c);
    EXPECT_EQ(times(bench.at(1), Stage::W1), s.w1);
  }
}

// A dependent receives the result in X: no stage before or after X is in the chain. X of the load, 4 cycles
// of L1, X of the first add, one cycle each.
TEST(StageDepth, DependentChainsDoNotFeelTheStagesAroundX) {
  for (const StageDepths& s : depths_to_try()) {
    Program program;
    program.load(r(1), 2, 0x800000);
    for (int i = 0; i < 6; ++i) program.add(1, 1, 1);
    Bench bench(program, with(s));
    bench.run();
    for (unsigned k = 1; k < 7; ++k) EXPECT_EQ(bench.cycle(k, Stage::X), bench.cycle(0, Stage::X) + 3 + k);
  }
}

// Bs is four cycles after X: the cache's latency. Then Rs, U, W.
TEST(StageDepth, ALoadRetiresAfterRs) {
  for (const StageDepths& s : depths_to_try()) {
    Program program;
    program.load(r(1), 2, 0x800000);
    Bench bench(program, with(s));
    bench.run();
    const std::uint64_t bs = bench.cycle(0, Stage::X) + 4;
    EXPECT_EQ(bench.cycle(0, Stage::Bs), bs);
    EXPECT_EQ(bench.at(0).first(Stage::Rs), bs + 1);
    EXPECT_EQ(bench.at(0).first(Stage::U), bs + 1 + s.rs);
    EXPECT_EQ(bench.cycle(0, Stage::W), bs + 1 + s.rs + s.u);
  }
}

// A load that misses: 4 + 20 cycles to its data. Dependents are cancelled, and are woken two cycles before
// the data (l1d.notice), which is time for P and one cycle of B. Further cycles of B delay them.
TEST(StageDepth, DependentsOfAMissAreWokenByTheNotice) {
  for (const StageDepths& s : depths_to_try()) {
    Program program;
    program.load(r(1), 2, 0x800000);
    program.add(3, 1, 1);
    BenchConfig config = with(s);
    config.warm_data = false;
    Bench bench(program, config);
    bench.run();
    EXPECT_EQ(bench.cycle(1, Stage::X), bench.cycle(0, Stage::X) + 24 + (s.b - 1));
  }
}

// The right path has IA in the cycle after X of the branch. X of the target is 10 cycles after it, plus the
// additional cycles of the stages between.
TEST(StageDepth, MispredictionCostsTheStagesFromIaToX) {
  for (const StageDepths& s : depths_to_try()) {
    Program program;
    program.branch(BranchKind::Conditional, true, 0x200000, {ccr()});
    program.add(1, 2, 3);
    program.add(4, 5, 6);
    program.other_text(0x100008, 100);
    Bench bench(program, with(s));
    bench.run();
    const std::uint64_t x = bench.cycle(0, Stage::X);
    EXPECT_EQ(bench.cycle(2, Stage::IA), x + 1);
    EXPECT_EQ(bench.cycle(2, Stage::X), x + 10 + (s.ib + s.ir + s.e + s.d + s.b) - 5);
  }
}

// In the PEs: P, B, C, X, then U, W1, W. A chain between PE operations feels neither C nor W1.
TEST(StageDepth, PeOperationsGoThroughEachCycleOfCAndW1) {
  for (const StageDepths& s : depths_to_try()) {
    Program program;
    program.simd(LatencyClass::FpAdd, {pe(0)}, {pe(0)});
    program.simd(LatencyClass::FpAdd, {pe(0)}, {pe(0)});
    Bench bench(program, with(s));
    bench.run();
    const std::uint64_t x = bench.cycle(0, Stage::P) + 1 + s.b + s.c;
    EXPECT_EQ(bench.at(0).first(Stage::C), x - s.c);
    EXPECT_EQ(bench.cycle(0, Stage::X), x);
    EXPECT_EQ(bench.cycle(1, Stage::X), x + 3);
    EXPECT_EQ(bench.at(1).first(Stage::U), x + 6);
    EXPECT_EQ(bench.at(1).first(Stage::W1), x + 6 + s.u);
    EXPECT_EQ(bench.cycle(1, Stage::W), x + 6 + s.u + s.w1);
  }
}

// A sum across PEs for the scalar part: its X began C late, its result arrives by W1. A scalar consumer has X
// after both, 12 cycles of the sum and W1 after X of the sum.
TEST(StageDepth, ScalarConsumersOfPesWaitForW1) {
  for (const StageDepths& s : depths_to_try()) {
    Program program;
    program.simd(LatencyClass::PeSum, {pe(0)}, {d(2)});
    program.op(isa::Unit::Fp, LatencyClass::FpAdd, {d(2), d(2)}, {d(4)});
    Bench bench(program, with(s));
    bench.run();
    EXPECT_EQ(bench.cycle(1, Stage::X), bench.cycle(0, Stage::X) + 12 + s.w1);
  }
}

// A load of SBM: X, C, three cycles of SBM; a dependent PE operation has X with the datum.
TEST(StageDepth, SbmLoadsGoThroughEachCycleOfC) {
  for (const StageDepths& s : depths_to_try()) {
    Program program;
    program.in_simd_state(program.load(pe(2), 1, 0xF000'0000), true);
    program.simd(LatencyClass::FpAdd, {pe(2)}, {pe(4)});
    Bench bench(program, with(s));
    bench.run();
    const std::uint64_t x = bench.cycle(0, Stage::X);
    EXPECT_EQ(bench.at(0).first(Stage::C), x + 1);
    EXPECT_EQ(bench.cycle(0, Stage::Bs), x + 1 + s.c);
    EXPECT_EQ(bench.cycle(1, Stage::X), x + 1 + s.c + 3);
    EXPECT_EQ(bench.at(0).first(Stage::U), x + 1 + s.c + 3);
    EXPECT_EQ(bench.cycle(0, Stage::W), x + 1 + s.c + 3 + s.u + s.w1);
  }
}

}  // namespace
}  // namespace psim::pipeline
