// SPDX-License-Identifier: Apache-2.0
// Steady states of code and data from the level below, with and without the prefetchers of the hardware,
// derived by hand. A line of 64 bytes holds 16 instructions, two blocks of fetch, or eight data of 8 bytes.
#include <gtest/gtest.h>

#include "pipeline/testing/bench.h"

namespace psim::pipeline {
namespace {
using namespace testing;
using isa::BranchKind;

/// Straight-line code from L2: 4 + 20 cycles from IA to the line.
BenchConfig cold_code(Prefetch prefetch, std::uint32_t lines = 8) {
  BenchConfig config;
  config.warm_instructions = false;
  config.instruction_cache.prefetch = prefetch;
  config.instruction_cache.prefetch_lines = lines;
  return config;
}

Program straight_line(unsigned lines) {
  Program program;
  for (unsigned i = 0; i < 16 * lines; ++i) program.nop();
  return program;
}

// IA of a line's first block in t, announced in t + 22 and taken then; its second block in t + 23, the next
// line in t + 24.
TEST(PrefetchTiming, StraightLineCodeFromL2TakesItsLatencyForEachLine) {
  Program program = straight_line(20);
  Bench bench(program, cold_code(Prefetch::None));
  bench.run();
  for (unsigned line = 1; line < 20; ++line)
    EXPECT_EQ(bench.cycle(16 * line, Stage::IA), bench.cycle(16 * (line - 1), Stage::IA) + 24);
}

// Fetch waits for a line in [t + 1, t + 22). The walk skips that line in t + 1 and requests the i-th line
// after it in t + 1 + i, which arrives in t + 23 + i; fetch needs it in t + 22 + 2 i. No cycle of IA is free
// before fetch misses again, N + 1 lines on: 24 + 2 N cycles later.
TEST(PrefetchTiming, FewLinesAheadShareOneLatency) {
  for (const std::uint32_t n : {1u, 2u}) {
    Program program = straight_line(10 * (n + 1));
    Bench bench(program, cold_code(Prefetch::Path, n));
    bench.run();
    for (unsigned bunch = 1; bunch < 10; ++bunch)
      EXPECT_EQ(bench.cycle(16 * (n + 1) * bunch, Stage::IA),
                bench.cycle(16 * (n + 1) * (bunch - 1), Stage::IA) + 24 + 2 * n);
  }
}

// Eight lines ahead are 8 x 4 cycles of decode, more than the latency: decode takes four instructions in each
// cycle, and the 24 cycles per line become 4.
TEST(PrefetchTiming, WithThePrefetchStraightLineCodeFromL2RunsAtTheWidthOfDecode) {
  Program program = straight_line(80);
  Bench bench(program, cold_code(Prefetch::Path));
  bench.run();
  for (unsigned line = 40; line < 80; ++line)
    EXPECT_EQ(bench.cycle(16 * line, Stage::D), bench.cycle(16 * (line - 1), Stage::D) + 4);
  const L1Stats& stats = bench.instruction_cache.stats();
  EXPECT_EQ(stats.requests, bench.instruction_level.reads);
  EXPECT_EQ(stats.requests, 80u + 8);     // the code, and the eight lines after it
  EXPECT_EQ(stats.used_prefetches, 79u);  // all lines but the first
}

// A loop over 12 lines in a cache of 8: each line has been replaced when the loop returns to it. Each is a
// branch to the next, 4 KiB on. The history contains the path from the second iteration on, and the prefetch
// follows it.
TEST(PrefetchTiming, ThePrefetchFollowsThePredictedPath) {
  std::uint64_t cycles[2];
  for (const Prefetch prefetch : {Prefetch::None, Prefetch::Path}) {
    Program program(0x100000);
    for (unsigned turn = 0; turn < 40; ++turn)
      for (unsigned line = 0; line < 12; ++line) {
        for (unsigned i = 0; i < 8; ++i) program.nop();
        program.branch(BranchKind::Always, true, 0x100000 + (line + 1) % 12 * 0x1000);
        program.nop();
      }
    BenchConfig config = cold_code(prefetch, 4);
    config.instruction_cache.bytes = 512;
    config.instruction_cache.ways = 8;
    Bench bench(program, config);
    bench.run();
    cycles[prefetch == Prefetch::Path] = bench.totals().cycles;
    if (prefetch == Prefetch::Path) {
      EXPECT_EQ(bench.instruction_cache.stats().used_prefetches, 353u);
    }
  }
  // Without: a miss of 24 cycles, the second block, a bubble of 2 for each line.
  EXPECT_EQ(cycles[0], 40 * 12 * 26u + 93);
  EXPECT_EQ(cycles[1], 4824u);
}

// The micro-TLB does not hold the next page before fetch gets there: its first line is a miss of fetch's own,
// and no translation is made for the prefetch.
TEST(PrefetchTiming, ThePrefetchStopsAtAPageWithoutTranslation) {
  Program program(0x100000 + 0x2000 - 64 * 20);
  for (unsigned i = 0; i < 16 * 40; ++i) program.nop();
  BenchConfig config = cold_code(Prefetch::Path);
  config.instruction_cache.tlb.enabled = true;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.instruction_cache.tlb().stats().micro_misses, 2u);
  // Line 20 is the first of the page: translation, 64 cycles, then the line.
  EXPECT_EQ(bench.cycle(16 * 20, Stage::IB), bench.cycle(16 * 20, Stage::IA) + 64 + 23);
  EXPECT_EQ(bench.cycle(16 * 19, Stage::IB), bench.cycle(16 * 19, Stage::IA) + 3);
  EXPECT_EQ(bench.cycle(16 * 39, Stage::IB), bench.cycle(16 * 39, Stage::IA) + 3);
}

/// Loads of 8 bytes in sequence, 4 + 140 cycles to memory.
BenchConfig cold_data(Prefetch prefetch, std::uint32_t lines = 8) {
  BenchConfig config;
  config.warm_data = false;
  config.below_latency = 140;
  config.below = Level::Memory;
  config.data_cache.prefetch = prefetch;
  config.data_cache.prefetch_lines = lines;
  return config;
}
Program sequential_loads(unsigned lines, std::uint64_t address = 0x800000) {
  Program program;
  for (unsigned i = 0; i < 8 * lines; ++i) program.load(d(2 * (i % 8)), 1, address + 8 * i);
  return program;
}

// 16 fetch ports hold two lines' loads. The line of load i is usable in T: W T + 3, when load i + 16 enters
// D; its X is T + 6 and its line usable in T + 6 + 144: two lines in 150 cycles.
TEST(PrefetchTiming, FetchPortsBoundTheLinesOutstanding) {
  Program program = sequential_loads(24);
  Bench bench(program, cold_data(Prefetch::None));
  bench.run();
  for (unsigned line = 4; line < 22; line += 2)
    EXPECT_EQ(bench.cycle(8 * (line + 2), Stage::W), bench.cycle(8 * line, Stage::W) + 150);
}

// With N more lines a load's first touch of its line, in X, requests the line N ahead. The loads of two lines
// take both ports for eight cycles, T + 6 to T + 13. The request leaves after them and its line is usable in
// T + 14 + 144. N + 2 lines in 158 cycles: bandwidth = lines outstanding x 64 bytes / latency.
TEST(PrefetchTiming, AStreamHasMoreLinesOutstanding) {
  for (const std::uint32_t n : {2u, 4u, 6u, 8u}) {
    Program program = sequential_loads(12 * (n + 2));
    Bench bench(program, cold_data(Prefetch::Stream, n));
    bench.run();
    for (unsigned line = 6 * (n + 2); line < 11 * (n + 2); ++line)
      EXPECT_EQ(bench.cycle(8 * (line + n + 2), Stage::W), bench.cycle(8 * line, Stage::W) + 158) << n;
  }
}

// A quarter of the 8 miss registers is kept for accesses of the program, so at most 6 lines are prefetched at
// a time. In addition two lines of loads may be pending.
TEST(PrefetchTiming, PrefetchesLeaveMissRegistersToTheProgram) {
  Program program = sequential_loads(100);
  BenchConfig config = cold_data(Prefetch::Stream, 60);
  config.data_cache.miss_registers = 8;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.data_cache.stats().miss_register_refusals, 0u);
  EXPECT_EQ(bench.data_cache.stats().used_prefetches, 98u);  // all lines but the first two
}

TEST(PrefetchTiming, SkippingIdleCyclesChangesNothing) {
  for (const std::uint32_t lines : {1u, 3u, 8u, 60u}) {
    Totals totals[2];
    std::uint64_t lookups[2], prefetches[2];
    for (const bool skip : {false, true}) {
      Program program;
      for (unsigned i = 0; i < 2000; ++i) {
        program.load(r(1 + i % 8), 9, 0x800000 + 8 * i);
        if (i % 3 == 0) program.store(r(1 + i % 8), 9, 0x900000 + 8 * i);
        program.add(10, 1 + i % 8, 10);
      }
      BenchConfig config = cold_data(Prefetch::Stream, lines);
      config.warm_instructions = false;
      config.instruction_cache.prefetch = Prefetch::Path;
      config.instruction_cache.prefetch_lines = lines;
      config.data_cache.tlb.enabled = config.instruction_cache.tlb.enabled = true;
      config.options.skip_idle = skip;
      Bench bench(program, config);
      bench.run();
      totals[skip] = bench.totals();
      lookups[skip] = bench.data_cache.stats().prefetch_lookups;
      prefetches[skip] = bench.data_cache.stats().hardware_prefetches;
    }
    EXPECT_EQ(totals[0].cycles, totals[1].cycles);
    EXPECT_EQ(totals[0].cpi, totals[1].cpi);
    EXPECT_EQ(lookups[0], lookups[1]);
    EXPECT_EQ(prefetches[0], prefetches[1]);
  }
}

}  // namespace
}  // namespace psim::pipeline
