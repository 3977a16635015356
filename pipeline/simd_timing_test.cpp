// SPDX-License-Identifier: Apache-2.0
// Cycles of the SIMD-PEs, derived by hand. The first fetch block has IA in cycle 0, its first four
// instructions D 6 and P 7. In the PEs: P, B, C, X = P + 3, U = X + latency, W1, W.
#include <gtest/gtest.h>

#include "pipeline/testing/bench.h"

namespace psim::pipeline {
namespace {
using namespace testing;
using isa::BlockTransfer;
using isa::LatencyClass;
constexpr std::uint64_t kWindow = 0xF000'0000;

std::uint64_t latency_of(LatencyClass latency) {
  return default_latencies()[static_cast<std::size_t>(latency)].cycles;
}

TEST(SimdTiming, PeInstructionsGoThroughCAndW1) {
  Program program;
  program.simd(LatencyClass::FpAdd, {pe(0)}, {pe(2)});
  Bench bench(program);
  bench.run();
  const std::pair<Stage, std::uint64_t> stages[] = {{Stage::D, 6},   {Stage::P, 7},  {Stage::B, 8},
                                                    {Stage::C, 9},   {Stage::X, 10}, {Stage::U, 13},
                                                    {Stage::W1, 14}, {Stage::W, 15}};
  for (const auto& [stage, cycle] : stages) EXPECT_EQ(bench.cycle(0, stage), cycle);
  EXPECT_EQ(bench.totals().cycles, 16u);
}

// X of instruction k = 10 + k L; the last has U L later, then W1 and W.
TEST(SimdTiming, DependentChainTakesItsLatencyForEachInstruction) {
  for (const LatencyClass latency :
       {LatencyClass::FpMove, LatencyClass::FpAdd, LatencyClass::FpMultiply, LatencyClass::FpMultiplyAdd,
        LatencyClass::PeMove, LatencyClass::PeSum}) {
    Program program;
    for (int i = 0; i < 10; ++i) program.simd(latency, {pe(0)}, {pe(0)});
    Bench bench(program);
    bench.run();
    EXPECT_EQ(bench.totals().cycles, 10 + 10 * latency_of(latency) + 3);
  }
}

// Every PE has one arithmetic pipe: P of instruction k = 7 + k / pipes.
TEST(SimdTiming, IndependentInstructionsStartOneACycleAndPipe) {
  for (const std::uint32_t pipes : {1u, 2u}) {
    Program program;
    for (unsigned i = 0; i < 12; ++i) program.simd(LatencyClass::FpMultiplyAdd, {pe(0)}, {pe(2 + 2 * i)});
    BenchConfig config;
    config.core.simd.arithmetic_pipes = pipes;
    Bench bench(program, config);
    bench.run();
    for (unsigned k = 0; k < 12; ++k) EXPECT_EQ(bench.cycle(k, Stage::P), 7 + k / pipes);
  }
}

// The station has 16 entries, each held to X. The first instruction releases its entry in 10; the later ones
// depend on it. D of k = 6 + k / 4, so 16 are in by 9; the 17th has D 10, the 18th waits for the next X.
TEST(SimdTiming, FullSimdStationStopsDecode) {
  Program program;
  program.simd(LatencyClass::PeSum, {pe(0)}, {pe(2)});
  for (int i = 0; i < 20; ++i) program.simd(LatencyClass::FpAdd, {pe(2)}, {pe(4)});
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(15, Stage::D), 9u);
  EXPECT_EQ(bench.cycle(16, Stage::D), 10u);
  EXPECT_EQ(bench.cycle(17, Stage::D), bench.cycle(1, Stage::X));
  EXPECT_EQ(bench.cycle(1, Stage::X), 10 + latency_of(LatencyClass::PeSum));
}

// 32 rename registers a PE, held from D to W.
TEST(SimdTiming, NoFreePeRenameRegisterStopsDecode) {
  Program program;
  BenchConfig config;
  config.core.simd.rename = 4;
  for (unsigned i = 0; i < 6; ++i) program.simd(LatencyClass::FpMove, {pe(0)}, {pe(2 + 2 * i)});
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.cycle(3, Stage::D), 6u);
  EXPECT_EQ(bench.cycle(4, Stage::D), bench.cycle(0, Stage::W));
}

// Address P 7, X 9, C 10, SBM 11 to 13: the datum meets a dependent in its X 14, whose P is 11. U 14, W1 15.
TEST(SimdTiming, SbmLoadUse) {
  Program program;
  program.in_simd_state(program.load(pe(2), 1, kWindow), true);
  program.simd(LatencyClass::FpAdd, {pe(2)}, {pe(4)});
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(0, Stage::X), 9u);
  EXPECT_EQ(bench.cycle(0, Stage::C), 10u);
  EXPECT_EQ(bench.cycle(0, Stage::Bs), 11u);
  EXPECT_EQ(bench.cycle(0, Stage::U), 14u);
  EXPECT_EQ(bench.cycle(0, Stage::W1), 15u);
  EXPECT_EQ(bench.cycle(0, Stage::W), 16u);
  EXPECT_EQ(bench.cycle(1, Stage::P), 11u);
  EXPECT_EQ(bench.cycle(1, Stage::X), 14u);
}

// As above with the latency of SBM; no load meets the cache.
TEST(SimdTiming, SbmLatencyIsAParameter) {
  for (const std::uint32_t latency : {2u, 5u, 20u}) {
    Program program;
    program.in_simd_state(program.load(pe(2), 1, kWindow), true);
    program.simd(LatencyClass::FpAdd, {pe(2)}, {pe(4)});
    BenchConfig config;
    config.core.simd.sbm_latency = latency;
    config.warm_data = false;
    Bench bench(program, config);
    bench.run();
    EXPECT_EQ(bench.cycle(1, Stage::X), 11u + latency);
    EXPECT_EQ(bench.data_level.reads, 0u);
  }
}

// The datum of PE 0 returns by W1 (14): a dependent add has X 15.
TEST(SimdTiming, IntegerLoadFromSbmReturnsThroughW1) {
  Program program;
  program.in_simd_state(program.load(r(2), 1, kWindow), true);
  program.add(3, 2, 2);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(0, Stage::W1), 14u);
  EXPECT_EQ(bench.cycle(0, Stage::U), 15u);
  EXPECT_EQ(bench.cycle(1, Stage::X), 15u);
}

// A hit of L1: P 7 … Rs 14, C 15, U 16, W1 17. A scalar dependent would have X 14; in the PEs it is one
// later.
TEST(SimdTiming, BroadcastLoadGoesThroughTheCacheAndC) {
  Program program;
  program.in_simd_state(program.load(pe(2), 1, 0x800000), false);
  program.simd(LatencyClass::FpAdd, {pe(2)}, {pe(4)});
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(0, Stage::C), 15u);
  EXPECT_EQ(bench.cycle(0, Stage::U), 16u);
  EXPECT_EQ(bench.cycle(0, Stage::W1), 17u);
  EXPECT_EQ(bench.cycle(1, Stage::X), 15u);
}

// A miss cancels the dependent in the PEs as it does one in the scalar part.
TEST(SimdTiming, BroadcastLoadThatMissesCancelsItsDependents) {
  Program program;
  program.in_simd_state(program.load(pe(2), 1, 0x800000), false);
  program.simd(LatencyClass::FpAdd, {pe(2)}, {pe(4)});
  program.simd(LatencyClass::FpAdd, {pe(4)}, {pe(6)});
  BenchConfig config;
  config.warm_data = false;
  Bench bench(program, config);
  bench.run();
  const std::uint64_t data = 9 + 4 + 20 + 1;  // X of the load, L1, below, one for a floating-point register
  EXPECT_EQ(bench.cycle(1, Stage::X), data + 1);
  EXPECT_EQ(bench.cycle(2, Stage::X), data + 1 + latency_of(LatencyClass::FpAdd));
}

// Three loads are ready together. SBM takes two per cycle; the third restarts when that is known (Ms).
TEST(SimdTiming, SbmTakesAsManyLoadsACycleAsThereAreLoadPipes) {
  for (const std::uint32_t pipes : {1u, 2u}) {
    Program program;
    for (unsigned i = 0; i < 2; ++i)
      program.in_simd_state(program.load(pe(2 + 2 * i), 1, kWindow + 8 * i), true);
    BenchConfig config;
    config.core.simd.load_pipes = pipes;
    Bench bench(program, config);
    bench.run();
    EXPECT_EQ(bench.cycle(0, Stage::W1), 15u);
    if (pipes == 2)
      EXPECT_EQ(bench.cycle(1, Stage::W1), 15u);
    else
      EXPECT_EQ(bench.cycle(1, Stage::W1), 18u);
  }
}

// The store's datum is in the PEs; a load of the same bytes takes it from the store queue.
TEST(SimdTiming, SbmStoreForwardsAndWritesNoCache) {
  Program program;
  program.in_simd_state(program.store(pe(2), 1, kWindow), true);
  program.in_simd_state(program.load(pe(4), 1, kWindow), true);
  BenchConfig config;
  config.warm_data = false;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.data_level.reads, 0u);
  EXPECT_EQ(bench.committed.size(), 2u);
}

// PE result of X 10 … 10 + L − 1; W1; then X of a scalar dependent: 10 + L + 1.
TEST(SimdTiming, ResultForTheScalarPartComesByW1) {
  Program program;
  program.simd(LatencyClass::PeMove, {pe(0)}, {r(2)});
  program.add(3, 2, 2);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::X), 10 + latency_of(LatencyClass::PeMove) + 1);
}

// A scalar producer feeds C of the PEs as it would feed X of a scalar instruction: no cycle is lost.
TEST(SimdTiming, ScalarOperandGoesOutThroughC) {
  Program program;
  program.add(2, 1, 1);  // X 9
  program.simd(LatencyClass::PeMove, {r(2)}, {pe(2)});
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::C), 10u);
  EXPECT_EQ(bench.cycle(1, Stage::X), 11u);
}

// A compare in the PEs: X 10, result at 10 + L. The branch's condition returns through C and W1.
TEST(SimdTiming, BranchOnAConditionOfThePesResolvesTwoCyclesLater) {
  Program program;
  program.simd(LatencyClass::FpAdd, {pe(0)}, {pe_fcc()});
  const std::size_t branch = program.branch(isa::BranchKind::Conditional, false, 0x100100, {pe_fcc()});
  program.nop();
  program.record(branch).simd = 1;
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::P), 7 + latency_of(LatencyClass::FpAdd));
  EXPECT_EQ(bench.cycle(1, Stage::U), bench.cycle(1, Stage::P) + 2 + latency_of(LatencyClass::Branch) + 2);
}

BlockTransfer get_lines(std::uint32_t lines, std::uint8_t tag = 0) {
  BlockTransfer t;
  t.tag = tag, t.pes = 0xFFFF, t.memory = 0x900000, t.pe_stride = 64 * lines, t.row_bytes = 64 * lines,
  t.rows = 1;
  return t;
}

// The descriptor is loaded (P 7, U 15); in W 16 the engine has it. Requests leave in 17, 18, …, one per
// cycle, until the limit is outstanding. The memory serves one in 8 cycles from 17 on, 100 cycles each: the
// last of 16 arrives in 17 + 15 × 8 + 100 = 237. The sync is then done, and W follows.
TEST(SimdTiming, SyncWaitsForTheLastLineOfItsTransfer) {
  Program program;
  program.transfer(get_lines(1), 0x800000);
  program.sync(1);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(0, Stage::W), 16u);
  EXPECT_EQ(bench.cycle(1, Stage::U), 237u);
  EXPECT_EQ(bench.cycle(1, Stage::W), 238u);
  EXPECT_EQ(bench.transfer_memory.addresses.size(), 16u);
  EXPECT_EQ(bench.totals().cycles, 239u);
  EXPECT_EQ(bench.part(CpiPart::Transfer), 217u);
}

// Work between a get and its sync takes no extra time if the transfer lasts longer.
TEST(SimdTiming, TransfersOverlapWithWork) {
  for (const unsigned work : {0u, 10u}) {
    Program program;
    program.transfer(get_lines(1), 0x800000);
    for (unsigned i = 0; i < work; ++i) program.simd(LatencyClass::FpMultiplyAdd, {pe(0)}, {pe(0)});
    program.sync(1);
    Bench bench(program);
    bench.run();
    EXPECT_EQ(bench.totals().cycles, 239u);
  }
}

TEST(SimdTiming, SyncWaitsOnlyForItsTags) {
  Program program;
  program.transfer(get_lines(1, 3), 0x800000);
  program.sync(0b0110);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.totals().cycles, 19u);
}

// Two transfers of which the engine holds one: the second leaves W when the first has ended (237).
TEST(SimdTiming, FullEngineHoldsTheNextTransferInTheCommitStack) {
  Program program;
  program.transfer(get_lines(1), 0x800000);
  program.transfer(get_lines(1), 0x800000);
  BenchConfig config;
  config.core.simd.transfers = 1;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::W), 237u);
}

// The store has W 16 and goes to L1 then; its line is announced 4 + 1,000,000 - 2 cycles later, when it is
// written. The transfer has its descriptor three cycles before (U 9 + 4 + 1,000,000 + 2) and leaves W the
// cycle after. Waiting takes no steps and is not a fault, a thousand times as long as the watchdog.
TEST(SimdTiming, TransferWaitsForAnOlderStoreThatASlowMemoryHoldsUp) {
  Program program;
  program.store(r(2), 20, 0x900000);
  program.transfer(get_lines(1), 0x800000);
  BenchConfig config;
  config.warm_data = false;
  config.below_latency = 1'000'000;
  config.core.watchdog = 1000;
  Bench bench(program, config);
  ASSERT_NO_THROW(bench.run());
  EXPECT_EQ(bench.cycle(1, Stage::W), 16u + 4 + 1'000'000 - 2 + 1);
  EXPECT_LE(bench.core->stepped_cycles(), 17u);
}

// Outstanding lines bound the rate: one per latency if only one may be outstanding. It is answered in 117,
// and the next request leaves in 117.
TEST(SimdTiming, OutstandingLinesBoundTheRate) {
  Program program;
  program.transfer(get_lines(1), 0x800000);
  program.sync(1);
  BenchConfig config;
  config.core.simd.transfer_requests = 1;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::U), 17u + 16 * 100);
}

TEST(SimdTiming, SkippingIdleCyclesChangesNothing) {
  for (const StageDepths& depths : {StageDepths{}, some_depths(1), some_depths(2)}) {
    Totals totals[2];
    for (const bool skip : {false, true}) {
      Program program;
      program.simd(LatencyClass::PeSum, {pe(4)}, {pe(6)});  // long enough to skip cycles between C and W1
      for (unsigned n = 0; n < 4; ++n) {
        program.transfer(get_lines(3, static_cast<std::uint8_t>(n)), 0x800000);
        program.in_simd_state(program.load(pe(2), 1, kWindow + 8 * n), true);
        program.simd(LatencyClass::FpMultiplyAdd, {pe(2)}, {pe(4)});
        program.in_simd_state(program.store(pe(4), 1, kWindow + 8 * n), true);
        program.sync(1u << (n / 2));
      }
      BenchConfig config;
      config.core.stages = depths;
      config.options.skip_idle = skip;
      Bench bench(program, config);
      bench.run();
      totals[skip] = bench.totals();
    }
    EXPECT_EQ(totals[0].cycles, totals[1].cycles);
    EXPECT_EQ(totals[0].cpi, totals[1].cpi);
  }
}

}  // namespace
}  // namespace psim::pipeline
