// SPDX-License-Identifier: Apache-2.0
// Properties of every program: runs are repeatable, the same with and without skipping and observers, and
// every cycle is charged once.
#include "pipeline/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "pipeline/testing/bench.h"

namespace psim::pipeline {
namespace {
using namespace testing;
using isa::BranchKind;

// Loads, stores, chains, divides, branches that go either way, serial and timed instructions, window traps.
Program random_program(unsigned seed, unsigned blocks) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Program program;
  for (unsigned b = 0; b < blocks; ++b) {
    const std::uint64_t here = program.pc();
    for (unsigned i = 0, n = 1 + pick(12); i < n; ++i) {
      const std::uint64_t address = 0x800000 + 8 * pick(1u << (4 + pick(12)));
      switch (pick(12)) {
        case 0:
        case 1:
          program.load(pick(2) ? r(1 + pick(20)) : d(2 * pick(16)), 1 + pick(20), address);
          break;
        case 2:
          program.store(pick(2) ? r(1 + pick(20)) : d(2 * pick(16)), 1 + pick(20), address);
          break;
        case 3:
          program.store(r(1 + pick(20)), 1 + pick(20), address & ~std::uint64_t{7}, 4);
          break;
        case 4:
          program.op(isa::Unit::Fp, isa::LatencyClass::FpMultiplyAdd,
                     {d(2 * pick(16)), d(2 * pick(16)), d(2 * pick(16))}, {d(2 * pick(16))});
          break;
        case 5:
          if (pick(4) == 0)
            program.op(isa::Unit::Fp, isa::LatencyClass::FpDivideDouble, {d(2 * pick(16)), d(0)},
                       {d(2 * pick(16))});
          break;
        case 6:
          if (pick(10) == 0) program.serial();
          if (pick(20) == 0) program.make_timed(program.nop());
          if (pick(10) == 0) program.swap(1 + pick(8), 1 + pick(8), address);
          if (pick(30) == 0) program.window_trap(isa::RecordKind::SpillStore, 0x700000);
          if (pick(30) == 0) program.window_trap(isa::RecordKind::FillLoad, 0x700000);
          break;
        default:
          program.add(1 + pick(20), 1 + pick(20), 1 + pick(20));
      }
    }
    const bool taken = pick(2), annul = pick(2);
    program.branch(BranchKind::Conditional, taken,
                   taken && pick(3) == 0 && b % 7 ? program.pc() + 64 : here + 512, {r(1 + pick(20))}, annul);
    if (taken || !annul) program.add(3, 3, 3);
    if (program.pc() <= here + 256) program.at(here + 512);
  }
  return program;
}

struct CoreOutcome {
  Totals totals;
  std::uint64_t stepped, mispredictions;
};
CoreOutcome run(unsigned seed, bool skip, bool observed, bool warm, std::uint64_t interval = 0,
                Profile* profile = nullptr) {
  Program program = random_program(seed, 150);
  BenchConfig config;
  config.options.skip_idle = skip;
  config.options.interval = interval;
  config.observed = observed;
  config.warm_data = config.warm_instructions = warm;
  config.below_latency = 140;
  config.below = Level::Memory;
  if (seed > 6) config.core.stages = some_depths(seed);
  if (seed % 2) config.instruction_cache.prefetch = Prefetch::Path;
  if (seed % 3) config.data_cache.prefetch = Prefetch::Stream;
  config.data_cache.miss_registers = 3;
  config.data_cache.tlb.enabled = config.instruction_cache.tlb.enabled = !warm;
  Bench bench(program, config);
  if (profile) bench.core->set_profile(*profile);
  bench.run();
  EXPECT_TRUE(bench.core->finished());
  std::size_t expected = 0;
  for (std::size_t i = 0; i < program.size(); ++i)
    expected += program.record(i).kind == isa::RecordKind::Instruction;
  EXPECT_EQ(bench.totals().instructions, expected);
  return {bench.totals(), bench.core->stepped_cycles(), bench.core->fetch().branch_stats().mispredictions};
}

class AnyProgram : public ::testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Core, AnyProgram, ::testing::Range(1u, 13u));

TEST_P(AnyProgram, TakesTheSameCyclesWithAndWithoutSkippingAndObservers) {
  for (const bool warm : {true, false}) {
    const CoreOutcome every = run(GetParam(), false, false, warm);
    const CoreOutcome skipped = run(GetParam(), true, false, warm);
    const CoreOutcome observed = run(GetParam(), true, true, warm, 1000);
    EXPECT_EQ(every.totals.cycles, skipped.totals.cycles);
    EXPECT_EQ(every.totals.cpi, skipped.totals.cpi);
    EXPECT_EQ(every.totals.cycles, observed.totals.cycles);
    EXPECT_EQ(every.stepped, every.totals.cycles);
    if (!warm) {
      EXPECT_LT(skipped.stepped, every.stepped);
    }
    EXPECT_EQ(std::accumulate(every.totals.cpi.begin(), every.totals.cpi.end(), std::uint64_t{0}),
              every.totals.cycles);
  }
}

TEST_P(AnyProgram, HasAProfileThatSumsToTheRunAndChangesNothing) {
  for (const bool warm : {true, false}) {
    const CoreOutcome plain = run(GetParam(), true, false, warm);
    for (const bool skip : {true, false}) {
      Profile profile;
      const CoreOutcome profiled = run(GetParam(), skip, false, warm, 0, &profile);
      EXPECT_EQ(profiled.totals.cycles, plain.totals.cycles);
      profile.finish();
      ProfileCounts sum;
      CpiAccount::Stack cpi{};
      for (const ProfiledInstruction& one : profile.instructions()) {
        sum += one.counts;
        for (std::size_t part = 0; part < kCpiParts; ++part) cpi[part] += one.cpi[part];
      }
      EXPECT_EQ(sum.cycles, plain.totals.cycles);
      EXPECT_EQ(sum.instructions, plain.totals.instructions);
      EXPECT_EQ(sum.mispredictions, plain.mispredictions);
      EXPECT_EQ(cpi, plain.totals.cpi);
    }
  }
}

struct SilentLevel final : NextLevel {
  void read(std::uint64_t, AccessKind, std::uint64_t, std::uint32_t) override {}
  void write_back(std::uint64_t, std::uint64_t) override {}
};

// The level below never answers. The load has its Ms in 12 and the add waits: no further event can occur.
TEST(Core, ADeadlockEndsAtOnceWithTheWaitOfEachPart) {
  Program program;
  program.load(r(1), 2, 0x800000);
  program.add(3, 1, 1);
  renew_systemc();
  BenchConfig config;
  SilentLevel below;
  L1Cache instructions(config.instruction_cache, below), data(config.data_cache, below);
  instructions.access(program.record(0).pc, 4, AccessKind::Fetch, 0, 0);
  instructions.fill(0, 0, 0, Level::L2);
  instructions.drain(config.instruction_cache.notice, [](auto&) {});
  Core core("core", config.core, program, instructions, data);
  sc_core::sc_start();
  try {
    core.check();
    FAIL() << "it ended";
  } catch (const Deadlock& deadlock) {
    const std::string text = deadlock.what();
    EXPECT_THAT(text, ::testing::HasSubstr("no instruction has committed for "));
    EXPECT_THAT(text, ::testing::HasSubstr("nothing is under way"));
    EXPECT_THAT(text, ::testing::HasSubstr("fetch: all instructions are fetched"));
    EXPECT_THAT(text, ::testing::HasSubstr("1 at pc 0x100000 waits for its line"));
    EXPECT_THAT(text, ::testing::HasSubstr("2 at pc 0x100004 waits for operands"));
  }
  EXPECT_EQ(core.now(), 17u);
}

// They pass decode without an entry in a station, in any number.
TEST(Core, InstructionsThatNeedNoStationLeaveNothingBehind) {
  Program program;
  for (int i = 0; i < 70000; ++i) program.nop();
  program.add(1, 2, 3);
  BenchConfig config;
  config.observed = false;
  Bench bench(program, config);
  EXPECT_NO_THROW(bench.run());
  EXPECT_EQ(bench.totals().instructions, 70001u);
}

// The divide takes 40 cycles. After it 63 instructions enter the commit stack, four per cycle, and execute:
// more busy cycles than a watchdog of 10 allows, fewer than 40.
TEST(Core, WatchdogEndsARunThatIsBusyWithoutACommit) {
  for (const std::uint64_t watchdog : {10, 40}) {
    Program program;
    program.op(isa::Unit::Int, isa::LatencyClass::IntDivide, {r(2)}, {r(1)});
    for (int i = 0; i < 100; ++i) program.add(3, 4, 5);
    BenchConfig config;
    config.core.watchdog = watchdog;
    Bench bench(program, config);
    if (watchdog == 40) {
      EXPECT_NO_THROW(bench.run());
      continue;
    }
    try {
      bench.run();
      FAIL() << "it ended";
    } catch (const Deadlock& deadlock) {
      EXPECT_THAT(deadlock.what(), ::testing::HasSubstr("11 of them busy"));
    }
  }
}

// Each load waits 100 million cycles for its line, 50 times the watchdog in all, but each wait is known to
// end. The first has X 9; each is 4 + the latency after its predecessor; the last has W 3 cycles after its
// data.
TEST(Core, WaitingForASlowMemoryIsNoFaultAndCostsNothing) {
  for (const bool skip : {false, true}) {
    Program program;
    for (std::uint64_t i = 0; i < 50; ++i) program.load(r(1), 1, 0x800000 + 64 * i);
    BenchConfig config;
    config.warm_data = false;
    config.below_latency = skip ? 100'000'000 : 5000;
    config.core.watchdog = 1000;
    config.options.skip_idle = skip;
    Bench bench(program, config);
    ASSERT_NO_THROW(bench.run());
    EXPECT_EQ(bench.totals().cycles, 9 + 50 * (4 + config.below_latency) + 4);
    if (skip) {
      EXPECT_LE(bench.core->stepped_cycles(), 556u);
    }
  }
}

// The same program ends with all sizes: no part waits for a resource that only this part could release.
TEST(Core, SmallestAndLargeSizesRunToTheEnd) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](std::initializer_list<std::uint32_t> from) {
      return from.begin()[random() % from.size()];
    };
    BenchConfig config;
    CoreConfig& c = config.core;
    c.window = {pick({1, 2, 4, 8}), pick({1, 2, 5, 64, 100, 300}), pick({1, 4, 8}), pick({2, 8, 64}),
                pick({8, 32, 128})};
    c.stations = {pick({1, 8, 40}), pick({1, 8, 40}), pick({1, 10, 40}), pick({1, 10})};
    c.pipes = {pick({1, 2, 4}), pick({1, 2, 3}), pick({1, 2, 4})};
    c.load_store.fetch_ports = pick({1, 2, 16}), c.load_store.store_ports = pick({1, 2, 10});
    c.load_store.write_buffer = pick({1, 5});
    c.load_store.forward_extra = pick({0, 1, 3}), c.load_store.fp_load_extra = pick({0, 1});
    c.load_store.store_address = pick({0, 1}) ? StoreAddressPolicy::Wait : StoreAddressPolicy::Perfect;
    c.fetch.width = pick({1, 2, 8, 16}), c.fetch.instruction_buffer = c.fetch.width * pick({1, 3, 6});
    c.branch.taken_bubble = pick({0, 2}), c.branch.redirect_cycles = pick({0, 3}),
    c.branch.return_stack = pick({1, 8});
    c.watchdog = 20000;
    config.data_cache.latency = config.instruction_cache.latency = pick({1, 2, 4, 7});
    config.data_cache.notice = config.instruction_cache.notice = pick({0, 1});
    config.data_cache.miss_registers = config.instruction_cache.miss_registers = pick({1, 2, 16});
    config.data_cache.ports = pick({1, 2}), config.data_cache.banks = pick({0, 2});
    config.warm_data = config.warm_instructions = false;
    Totals totals[2];
    for (const bool skip : {false, true}) {
      Program program = random_program(seed, 60);
      config.options.skip_idle = skip;
      config.observed = seed % 2;
      Bench bench(program, config);
      ASSERT_NO_THROW(bench.run()) << "seed " << seed;
      totals[skip] = bench.totals();
    }
    EXPECT_EQ(totals[0].cycles, totals[1].cycles) << "seed " << seed;
    EXPECT_EQ(totals[0].cpi, totals[1].cpi) << "seed " << seed;
  }
}

TEST(Core, EmptyProgramEnds) {
  Program program;
  Bench bench(program);
  bench.run();
  EXPECT_TRUE(bench.core->finished());
  EXPECT_EQ(bench.totals().instructions, 0u);
}

}  // namespace
}  // namespace psim::pipeline
