// SPDX-License-Identifier: Apache-2.0
// Cycles of operand accesses, derived by hand: P 7 for the first two of a program, X 9, Ps 10, Ts 11, Ms 12,
// Bs 13, Rs 14, U 15, W 16. L1 answers 4 cycles after X.
#include <gtest/gtest.h>

#include "pipeline/testing/bench.h"

namespace psim::pipeline {
namespace {
using namespace testing;
using isa::LatencyClass;
using isa::Unit;
constexpr std::uint64_t kA = 0x800000, kB = 0x800100;

TEST(MemoryTiming, LoadGoesThroughTheCachePipeline) {
  Program program;
  program.load(r(1), 2, kA);
  Bench bench(program);
  bench.run();
  const Stage stages[] = {Stage::P,  Stage::B,  Stage::X,  Stage::Ps, Stage::Ts,
                          Stage::Ms, Stage::Bs, Stage::Rs, Stage::U};
  for (std::uint64_t i = 0; i < 9; ++i) EXPECT_EQ(bench.cycle(0, stages[i]), 7 + i);
  EXPECT_EQ(bench.cycle(0, Stage::W), 16u);
}

TEST(MemoryTiming, IntegerLoadUseIsFourCyclesAndFpFive) {
  Program program;
  program.load(r(1), 2, kA);
  program.load(d(0), 2, kB);
  program.add(3, 1, 1);
  program.op(Unit::Fp, LatencyClass::FpAdd, {d(0)}, {d(2)});
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(2, Stage::X), 9u + 4);
  EXPECT_EQ(bench.cycle(3, Stage::X), 9u + 5);
}

// X of load k = 9 + 4k.
TEST(MemoryTiming, PointerChaseInL1TakesFourCyclesALoad) {
  Program program;
  for (int i = 0; i < 10; ++i) program.load(r(1), 1, kA + 64 * i);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(9, Stage::X), 9u + 36);
}

TEST(MemoryTiming, TwoLoadsStartEachCycle) {
  Program program;
  for (unsigned i = 0; i < 8; ++i) program.load(r(1 + i), 20, kA + 64 * i);
  Bench bench(program);
  bench.run();
  for (unsigned k = 0; k < 8; ++k) EXPECT_EQ(bench.cycle(k, Stage::P), 7 + k / 2);
}

struct Below {
  std::uint64_t latency;
  Level level;
  CpiPart part;
};
class EachLevel : public ::testing::TestWithParam<Below> {};
INSTANTIATE_TEST_SUITE_P(MemoryTiming, EachLevel,
                         ::testing::Values(Below{20, Level::L2, CpiPart::L2},
                                           Below{140, Level::Memory, CpiPart::Memory}));

// X 9, the request leaves L1 4 cycles later, the level below answers after its latency: X of the dependent is
// 9 + 4 + latency. It was dispatched for a hit in P 11, cancelled when Ms (12) found the miss, dispatched
// again.
TEST_P(EachLevel, MissCancelsDependentsAndWakesThemForTheLine) {
  Program program;
  program.load(r(1), 2, kA);
  program.add(3, 1, 1);
  program.add(4, 3, 3);
  BenchConfig config;
  config.warm_data = false;
  config.below = GetParam().level;
  config.below_latency = GetParam().latency;
  Bench bench(program, config);
  bench.run();
  const std::uint64_t usable = 9 + 4 + GetParam().latency;
  EXPECT_EQ(bench.at(1).first(Stage::P), 11u);
  EXPECT_EQ(bench.cycle(1, Stage::P), usable - 2);
  EXPECT_EQ(bench.cycle(1, Stage::X), usable);
  EXPECT_EQ(bench.cycle(2, Stage::X), usable + 1);
  EXPECT_EQ(bench.at(2).first(Stage::P), usable - 1);  // woken by the add only: never dispatched in vain
  // U of the load is two cycles after its data; the adds are done by then: W of all is one later.
  EXPECT_EQ(bench.totals().cycles, usable + 2 + 1 + 1);
  // The level's are the cycles from the one after Ms (12; W looks before Ms does) to the one before W of the
  // load.
  EXPECT_EQ(bench.part(GetParam().part), usable + 3 - 13);
}

TEST(MemoryTiming, MissesToOneLineShareIt) {
  Program program;
  program.load(r(1), 20, kA);
  program.load(r(2), 20, kA + 8);
  program.add(3, 2, 2);
  BenchConfig config;
  config.warm_data = false;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.data_level.reads, 1u);
  EXPECT_EQ(bench.cycle(2, Stage::X), 9u + 24);
}

// Two misses overlap: the second is usable a cycle after the first when it starts a cycle later.
TEST(MemoryTiming, MissesOverlap) {
  Program program;
  for (unsigned i = 0; i < 4; ++i) program.load(r(1 + i), 20, kA + 64 * i);
  for (unsigned i = 0; i < 4; ++i) program.add(10 + i, 1 + i, 1 + i);
  BenchConfig config;
  config.warm_data = false;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.cycle(4, Stage::X), 33u);
  EXPECT_EQ(bench.cycle(7, Stage::X), 34u);
}

// The first load has X 9 and its line is usable in 33, announced in 31. The second starts behind a chain
// (multiplies X 9, 14, 19, adds 24 to 27) with X 28, joins the miss and has Ms in 31, when the line is there:
// its dependent, in P 30 as on a hit, is taken back, and goes again at once for X 33.
TEST(MemoryTiming, LineThatArrivesBetweenAccessAndTagMatchIsUsed) {
  Program program;
  program.load(r(1), 20, kA);
  for (unsigned i = 0; i < 3; ++i) program.op(Unit::Int, LatencyClass::IntMultiply, {r(2)}, {r(2)});
  for (unsigned i = 0; i < 4; ++i) program.add(2, 2, 2);
  program.load(r(3), 2, kA + 8);
  program.add(4, 3, 3);
  BenchConfig config;
  config.warm_data = false;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.cycle(8, Stage::X), 28u);
  EXPECT_EQ(bench.at(9).first(Stage::P), 30u);
  EXPECT_EQ(bench.cycle(9, Stage::X), 33u);
}

// The load meets the store in Ms 12: its address and datum are there, so its dependent has X 13 as on a hit.
TEST(MemoryTiming, StoreForwardsToALoadOfItsBytes) {
  Program program;
  program.store(r(2), 20, kA);
  program.load(r(3), 20, kA + 4, 4);
  program.add(4, 3, 3);
  BenchConfig config;
  config.warm_data = false;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.cycle(2, Stage::X), 13u);
}

// The datum comes from a divide: P 7, a dependent could be in P 27, X 29. The load, blocked since Ms 12,
// meets it in 28, the cycle before that X, and goes on as from there: usable 3 cycles later, X 31.
TEST(MemoryTiming, LoadWaitsForTheDatumOfTheStoreItNeeds) {
  Program program;
  program.op(Unit::Fp, LatencyClass::FpDivideDouble, {d(0)}, {d(2)});
  program.store(d(2), 20, kA);
  program.load(r(3), 20, kA);
  program.add(4, 3, 3);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(3, Stage::X), 31u);
}

// The store (P 7, W 16) is written in 16, the load accesses L1 in 17: usable 21.
TEST(MemoryTiming, LoadOfMoreThanTheStoreHoldsWaitsUntilItIsWritten) {
  Program program;
  program.store(r(2), 20, kA, 4);
  program.load(r(3), 20, kA, 8);
  program.add(4, 3, 3);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(2, Stage::X), 21u);
}

Program store_with_late_address() {
  Program program;
  program.op(Unit::Int, LatencyClass::IntDivide, {r(2)}, {r(1)});  // P 7, dependents' P 47
  program.store(r(2), 1, kA);                                      // P 47, X 49: address known from 50 on
  program.load(r(3), 20, kB);
  program.add(4, 3, 3);
  return program;
}

// The load tries again in 50, finds no overlap and accesses L1: usable 54.
TEST(MemoryTiming, LoadWaitsForUnknownStoreAddresses) {
  Program program = store_with_late_address();
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::P), 47u);
  EXPECT_EQ(bench.cycle(3, Stage::X), 54u);
}

TEST(MemoryTiming, PerfectStoreAddressPredictionLetsItPass) {
  Program program = store_with_late_address();
  BenchConfig config;
  config.core.load_store.store_address = StoreAddressPolicy::Perfect;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.cycle(3, Stage::X), 13u);
}

// 10 store ports, held until W: the 11th store enters D when the divide (W 50) and three stores commit.
TEST(MemoryTiming, FullStorePortsStopDecode) {
  Program program;
  program.op(Unit::Int, LatencyClass::IntDivide, {r(2)}, {r(1)});
  for (unsigned i = 0; i < 11; ++i) program.store(r(2), 20, kA + 8 * i);
  Bench bench(program);
  bench.run();
  EXPECT_LT(bench.cycle(10, Stage::D), 20u);
  EXPECT_EQ(bench.cycle(11, Stage::D), 50u);
}

// 16 fetch ports, held until W.
TEST(MemoryTiming, FullFetchPortsStopDecode) {
  Program program;
  program.op(Unit::Int, LatencyClass::IntDivide, {r(2)}, {r(1)});
  for (unsigned i = 0; i < 17; ++i) program.load(r(3 + i % 8), 20, kA + 8 * i);
  Bench bench(program);
  bench.run();
  EXPECT_LT(bench.cycle(16, Stage::D), 20u);
  EXPECT_EQ(bench.cycle(17, Stage::D), 50u);
}

// The swap is ready in 7 and starts when the add commits in 11 and it is the oldest: X 13, its dependent's
// X 17.
TEST(MemoryTiming, AtomicStartsWhenItIsOldest) {
  Program program;
  program.add(1, 2, 3);
  program.swap(4, 20, kA);
  program.add(5, 4, 4);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::P), 11u);
  EXPECT_EQ(bench.cycle(2, Stage::X), 17u);
}

// The main TLB and micro-TLB are empty: 4 + 60 cycles from the access in X (9); tried again in 73, and then
// a miss of L1: usable 24 cycles later.
TEST(MemoryTiming, TlbMissMakesTheLoadTryAgain) {
  Program program;
  program.load(r(1), 20, kA);
  program.add(2, 1, 1);
  BenchConfig config;
  config.data_cache.tlb.enabled = true;
  config.warm_data = false;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::X), 97u);
}

// Add: W 11. The trap begins then: 12 cycles later the handler is fetched, IA 23, D 29, P 30. Its 16 stores
// go two a cycle; the first ten take all store ports (D 29-31), the others follow as W (39, 40, 41) frees two
// a cycle: the last has D 41, P 42, U 50, W 51. Another 12 cycles, and the save that trapped is fetched
// in 63.
TEST(MemoryTiming, WindowSpillCostsEntryStoresAndReturn) {
  Program program;
  program.add(1, 2, 3);
  program.window_trap(isa::RecordKind::SpillStore, kA);
  program.add(1, 2, 3);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::IA), 23u);
  EXPECT_EQ(bench.cycle(1, Stage::P), 30u);
  EXPECT_EQ(bench.cycle(16, Stage::W), 51u);
  EXPECT_EQ(bench.cycle(17, Stage::IA), 63u);
  EXPECT_EQ(bench.totals().instructions, 2u);  // the handler is no instruction of the program
}

// Fill: no store ports are needed; loads k have P = 30 + k/2, the last W 37 + 9.
TEST(MemoryTiming, WindowFillCostsEntryLoadsAndReturn) {
  Program program;
  program.add(1, 2, 3);
  program.window_trap(isa::RecordKind::FillLoad, kA);
  program.add(1, 2, 3);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(16, Stage::W), 46u);
  EXPECT_EQ(bench.cycle(17, Stage::IA), 58u);
}

}  // namespace
}  // namespace psim::pipeline
