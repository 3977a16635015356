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

// The datum comes from a divide: P 7, a dependent could be in P 27, X 29: it is in the store port from 29 on.
// The load, blocked since Ms 12, goes on as one whose X is 29 and hits: usable 4 cycles later, X 33.
TEST(MemoryTiming, LoadWaitsForTheDatumOfTheStoreItNeeds) {
  Program program;
  program.op(Unit::Fp, LatencyClass::FpDivideDouble, {d(0)}, {d(2)});
  program.store(d(2), 20, kA);
  program.load(r(3), 20, kA);
  program.add(4, 3, 3);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(3, Stage::X), 33u);
  EXPECT_EQ(bench.cycle(2, Stage::Bs), 33u);
  EXPECT_EQ(bench.cycle(2, Stage::U), 35u);
}

// A chain through memory. The add of link k has X at a; the store's datum is there at a + 1, the load of it
// is usable an L1 hit later: the add of link k + 1 has X at a + 1 + latency + forward_extra. The first add
// has X 9; the loads began then or after and are held back by the datum only.
TEST(MemoryTiming, ForwardingTakesTheTimeOfAnL1HitFromTheDatumOn) {
  for (const std::uint32_t latency : {2u, 4u, 9u}) {
    for (const std::uint32_t extra : {0u, 3u}) {
      Program program;
      for (std::uint64_t i = 0; i < 6; ++i) {
        program.add(1, 1, 1);
        program.store(r(1), 20, kA + 64 * i);
        program.load(r(1), 20, kA + 64 * i);
      }
      BenchConfig config;
      config.data_cache.latency = latency;
      config.data_cache.notice = 0;
      config.core.load_store.forward_extra = extra;
      Bench bench(program, config);
      bench.run();
      for (std::uint64_t i = 0; i < 6; ++i)
        EXPECT_EQ(bench.cycle(3 * i, Stage::X), 9 + i * (1 + latency + extra)) << latency << ' ' << extra;
    }
  }
}

// The load begins in X 11, behind a chain of adds with X 9 and 10; the datum has been in the store port since
// 10: it is forwarded in the time of a hit.
TEST(MemoryTiming, ForwardingOfADatumThatIsThereTakesTheTimeOfAnL1HitFromTheLoadOn) {
  Program program;
  program.add(1, 2, 2);
  program.add(4, 1, 1);
  program.store(r(1), 20, kA);
  program.load(r(3), 4, kA);
  program.add(5, 3, 3);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(3, Stage::X), 11u);
  EXPECT_EQ(bench.cycle(4, Stage::X), 15u);
}

// P 7, X 9. Data of an integer load are usable at 9 + latency (Bs), Rs and U follow: U 11 + latency. Of a
// floating-point load they are usable fp_load_extra later, and U is a cycle after. But no load passes over a
// stage: U is 15 or later. W is a cycle after U.
TEST(MemoryTiming, LoadRetiresAfterItsData) {
  for (const std::uint32_t latency : {1u, 3u, 4u, 5u, 10u, 200u}) {
    for (const std::uint32_t extra : {0u, 1u, 40u}) {
      Program program;
      program.load(r(1), 20, kA);
      program.load(d(0), 20, kB);
      program.add(2, 1, 1);
      program.op(Unit::Fp, LatencyClass::FpAdd, {d(0)}, {d(2)});
      BenchConfig config;
      config.data_cache.latency = latency;
      config.data_cache.notice = 0;
      config.core.load_store.fp_load_extra = extra;
      Bench bench(program, config);
      bench.run();
      EXPECT_EQ(bench.cycle(2, Stage::X), 9 + latency);
      EXPECT_EQ(bench.cycle(3, Stage::X), 9 + latency + extra);
      const std::uint64_t u = std::max<std::uint64_t>(15, 9 + latency + 2);
      const std::uint64_t fp = std::max<std::uint64_t>({15, 9 + latency + 2, 9 + latency + extra + 1});
      EXPECT_EQ(bench.cycle(0, Stage::U), u) << latency;
      EXPECT_EQ(bench.cycle(0, Stage::W), u + 1) << latency;
      EXPECT_EQ(bench.cycle(1, Stage::U), fp) << latency << ' ' << extra;
    }
  }
}

// The cache pipeline has its length whatever the latency of L1: the first two have P 7, U 15, W 16. FLUSH
// enters D when they have left, in 16: P 17, U 25.
TEST(MemoryTiming, PrefetchAndFlushEndWithACacheOfOneCycle) {
  Program program;
  program.prefetch(20, kA);
  program.load(r(1), 20, kB);
  program.flush();
  BenchConfig config;
  config.data_cache.latency = config.data_cache.notice = 1;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.cycle(0, Stage::U), 15u);
  EXPECT_EQ(bench.cycle(1, Stage::W), 16u);
  EXPECT_EQ(bench.cycle(2, Stage::U), 25u);
}

// One miss register. The first prefetch has X 9 and takes it; its line is announced in 9 + 4 + 100 - 2 = 111.
// The second has X 9, too, is refused, and goes to L1 in 111; it commits in 16 with the first, but keeps its
// fetch port until then. Of two ports the third prefetch gets the first one's in 16, the fourth the second
// one's in 111: it is fetched before, so D is 111. The line of the second is announced at 111 + 102 = 213,
// that of the third, X 19, at 315: then the fourth goes, and the load of its line, at the end of a chain of
// divides, hits.
TEST(MemoryTiming, PrefetchThatIsRefusedKeepsItsFetchPortAndTriesAgain) {
  Program program;
  for (std::uint64_t i = 0; i < 4; ++i) program.prefetch(20, kA + 64 * i);
  for (int i = 0; i < 12; ++i) program.op(Unit::Int, LatencyClass::IntDivide, {r(2)}, {r(2)});
  program.load(r(3), 2, kA + 64 * 3);
  program.add(4, 3, 3);
  BenchConfig config;
  config.warm_data = false;
  config.below_latency = 100;
  config.data_cache.miss_registers = 1;
  config.core.load_store.fetch_ports = 2;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::W), 16u);
  EXPECT_EQ(bench.cycle(2, Stage::D), 16u);
  EXPECT_EQ(bench.cycle(3, Stage::D), 111u);
  EXPECT_EQ(bench.data_level.reads, 4u);
  EXPECT_EQ(bench.cycle(17, Stage::X), bench.cycle(16, Stage::X) + 4);
}

// A prefetch may not trap, so one that misses the main TLB (X 9) is dropped. The load (X 9) gets the
// translation of its page in 73; the last prefetch goes then, by the add's datum, and finds it.
TEST(MemoryTiming, PrefetchWithoutATranslationIsDropped) {
  Program program;
  program.prefetch(20, kA);
  program.load(r(1), 20, kA + 8192);
  program.prefetch(1, kA + 8192 + 64);
  BenchConfig config;
  config.warm_data = false;
  config.data_cache.tlb.enabled = true;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.data_level.reads, 2u);
  EXPECT_EQ(bench.data_level.last_address, kA + 8192 + 64);
  EXPECT_EQ(bench.data_cache.tlb().stats().main_misses, 1u);
}

// Two miss registers, 100 cycles below, a line for each store. The stores have W 16, 16, 17, 17. Store 0 goes
// to L1 in 16, its line is requested in 20, announced in 118, and it is written then. The line of store 1 is
// requested in 17 and announced in 119; the request for that of store 2 is refused, in 18.
// 118: store 0 is written. 119: store 1 hits. 120: store 2 misses, and is written in 120 + 102 = 222. 121:
// the line of store 3 is requested: announced in 223, when it is written. MEMBAR has D then.
TEST(MemoryTiming, RefusedRequestForTheLineOfAWaitingStoreIsTriedAgain) {
  Program program;
  for (std::uint64_t i = 0; i < 4; ++i) program.store(r(2), 20, kA + 64 * i);
  program.serial();
  BenchConfig config;
  config.warm_data = false;
  config.below_latency = 100;
  config.data_cache.miss_registers = 2;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.data_level.reads, 4u);
  EXPECT_EQ(bench.cycle(4, Stage::D), 223u);
}

// 400 stores, a line each: what more ports hold has its line requested earlier, never later. With enough of
// them the lines come in rounds of 16, the number of miss registers: the first is announced 102 cycles after
// its store went to L1, then 16 stores are written in 16 cycles, and the next one misses. The first store has
// W 16, MEMBAR needs 12 cycles behind the last: 16 + 25 (102 + 16) + 12 = 2978, and
// it takes 7 less.
TEST(MemoryTiming, MoreStorePortsAreNotSlower) {
  std::uint64_t before = kNever;
  for (const std::uint32_t ports : {2u, 5u, 10u, 20u, 40u, 64u}) {
    Program program;
    for (std::uint64_t i = 0; i < 400; ++i) program.store(r(2), 20, kA + 64 * i);
    program.serial();
    BenchConfig config;
    config.warm_data = false;
    config.below_latency = 100;
    config.core.load_store.store_ports = ports;
    Bench bench(program, config);
    bench.run();
    EXPECT_LE(bench.totals().cycles, before) << ports;
    before = bench.totals().cycles;
  }
  EXPECT_EQ(before, 16u + 400 / 16 * (102 + 16) + 12 - 7);
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
  EXPECT_EQ(bench.cycle(10, Stage::D), 8u);
  EXPECT_EQ(bench.cycle(11, Stage::D), 50u);
}

// 16 fetch ports, held until W.
TEST(MemoryTiming, FullFetchPortsStopDecode) {
  Program program;
  program.op(Unit::Int, LatencyClass::IntDivide, {r(2)}, {r(1)});
  for (unsigned i = 0; i < 17; ++i) program.load(r(3 + i % 8), 20, kA + 8 * i);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(16, Stage::D), 11u);
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

// A micro-TLB of one entry, four pages: the loads have X 9, 9, 10, 10, each waits 64 cycles for its
// translation and takes it along, whatever the others have put into the entry: usable 64 + 24 cycles later.
TEST(MemoryTiming, MorePagesThanTheMicroTlbHoldsDoNotKeepEachOtherOut) {
  Program program;
  for (std::uint64_t i = 0; i < 4; ++i) program.load(r(1 + i), 20, kA + 8192 * i);
  for (std::uint64_t i = 0; i < 4; ++i) program.add(11 + i, 1 + i, 1 + i);
  BenchConfig config;
  config.data_cache.tlb.enabled = true;
  config.data_cache.tlb.micro_entries = 1;
  config.warm_data = false;
  Bench bench(program, config);
  bench.run();
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ(bench.cycle(4 + i, Stage::X), 97 + i / 2);
}

// The loads of a second page and the store of a first one, after W, need the one entry in turns.
TEST(MemoryTiming, StoresAndLoadsDoNotKeepEachOtherOutOfTheMicroTlb) {
  Program program;
  for (std::uint64_t i = 0; i < 6; ++i) {
    program.store(r(2), 20, kA + 8 * i);
    program.load(r(1), 1, kA + 8192 + 8 * i);
    program.load(r(3), 3, kA + 2 * 8192 + 8 * i);
  }
  program.serial();
  BenchConfig config;
  config.data_cache.tlb.enabled = true;
  config.data_cache.tlb.micro_entries = 1;
  config.warm_data = false;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.totals().instructions, 19u);
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
