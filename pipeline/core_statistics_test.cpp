// SPDX-License-Identifier: Apache-2.0
// Statistics of the core on programs whose numbers are known by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/statistics/print.h"
#include "pipeline/testing/bench.h"

namespace psim::pipeline {
namespace {

using namespace testing;
using isa::BranchKind;
using isa::LatencyClass;
using Json = nlohmann::ordered_json;

Json statistics_of(const Bench& bench) {
  statistics::Registry registry;
  bench.core->register_statistics(registry);
  registry.add("simd", "SIMD-PEs", bench.core->simd_stats());
  registry.add("transfers", "Block transfers", bench.core->transfer_stats());
  return to_json(registry.read(registry.snapshot(statistics::Registry::Detail::Buckets)));
}

/// Loads that miss, stores, branches that are mispredicted, a window trap.
Program mixture() {
  Program program;
  const std::uint64_t loop = program.pc();
  for (int i = 0; i < 300; ++i) {
    program.at(loop);
    program.load(r(1), 9, 0x800000 + 72 * static_cast<std::uint64_t>(i));
    program.add(2, 1, 2);
    program.store(r(2), 9, 0x900000 + 8 * static_cast<std::uint64_t>(i % 64));
    program.load(r(3), 9, 0x900000 + 8 * static_cast<std::uint64_t>(i % 64));
    if (i == 100) program.serial();
    program.branch(BranchKind::Conditional, i % 3 != 2, loop, {ccr()});
    program.nop();
    if (i % 3 == 2) program.add(4, 3, 3);
  }
  return program;
}

BenchConfig cold(std::uint64_t sample_cycles, bool skip) {
  BenchConfig config;
  config.warm_data = config.warm_instructions = false;
  config.data_cache.tlb.enabled = config.instruction_cache.tlb.enabled = true;
  config.instruction_cache.prefetch = Prefetch::Path;
  config.options.sample_cycles = sample_cycles;
  config.options.skip_idle = skip;
  return config;
}

TEST(CoreStatistics, SkippingIdleCyclesChangesNone) {
  for (const std::uint64_t sample_cycles : {1u, 7u, 61u}) {
    Json seen[2];
    for (const bool skip : {false, true}) {
      Program program = mixture();
      Bench bench(program, cold(sample_cycles, skip));
      bench.run();
      seen[skip] = statistics_of(bench);
      EXPECT_EQ(seen[skip]["core"]["commit_stack"]["samples"], bench.totals().cycles / sample_cycles);
    }
    EXPECT_EQ(seen[0].dump(2), seen[1].dump(2));
  }
}

TEST(CoreStatistics, EveryCycleIsCountedOnce) {
  Program program = mixture();
  Bench bench(program, cold(61, true));
  bench.run();
  const Json seen = statistics_of(bench);
  const std::uint64_t cycles = bench.totals().cycles;
  for (const char* unit : {"decode", "issue", "commit"})
    EXPECT_EQ(seen[unit]["per_cycle"]["samples"], cycles) << unit;
  std::uint64_t decode = 0;
  for (const auto& [name, value] : seen["decode"].items())
    if (name != "per_cycle") decode += value.get<std::uint64_t>();
  EXPECT_EQ(decode, cycles);
  EXPECT_DOUBLE_EQ(seen["commit"]["per_cycle"]["mean"].get<double>() * static_cast<double>(cycles),
                   static_cast<double>(program.size()));
  EXPECT_GT(seen["branch"]["wrong_path_instructions"], 0);
  EXPECT_EQ(seen["branch"]["branches"], 300);
}

// Little's law: an instruction is in the instruction buffer from IA to D, and in the commit stack from D to
// W; sampled in every cycle, the sums over samples and over instructions are equal.
TEST(CoreStatistics, OccupanciesAreTheTimesInstructionsSpend) {
  Program program;
  for (unsigned i = 0; i < 40; ++i) {
    program.load(r(1 + i % 4), 9, 0x800000 + 64 * i);
    program.op(isa::Unit::Fp, LatencyClass::FpAdd, {d(0)}, {d(2)});
    program.add(6, 1, 1);
  }
  BenchConfig config = cold(1, true);
  config.warm_instructions = true;  // else IA of an instruction is the cycle in which its line was requested
  config.instruction_cache.tlb.enabled = false;
  Bench bench(program, config);
  bench.run();
  const Json core = statistics_of(bench)["core"];
  std::uint64_t buffered = 0, in_flight = 0;
  for (const Seen& seen : bench.committed) {
    buffered += seen.first(Stage::D) - seen.first(Stage::IA);
    in_flight += seen.first(Stage::W) - seen.first(Stage::D);
  }
  const double cycles = static_cast<double>(bench.totals().cycles);
  EXPECT_DOUBLE_EQ(core["instruction_buffer"]["mean"].get<double>(), static_cast<double>(buffered) / cycles);
  EXPECT_DOUBLE_EQ(core["commit_stack"]["mean"].get<double>(), static_cast<double>(in_flight) / cycles);
}

// X 9. The line is pending from then until it is announced, two cycles before it is usable in 9 + 4 + 20. The
// add was issued for a hit and is cancelled; the second add waits for the first.
TEST(CoreStatistics, ALoadThatMissesTakesItsDependentBack) {
  Program program;
  program.load(r(1), 2, 0x800000);
  program.add(3, 1, 1);
  program.add(4, 3, 3);
  BenchConfig config;
  config.warm_data = false;
  config.options.sample_cycles = 1;
  Bench bench(program, config);
  bench.run();
  const Json seen = statistics_of(bench);
  EXPECT_EQ(seen["l1d"]["misses"], 1);
  EXPECT_EQ(seen["l1d"]["miss_registers"]["buckets"]["1"], 4 + 20 - 2);
  EXPECT_EQ(seen["l1d"]["miss_latency"]["mean"], 24.0);
  EXPECT_EQ(seen["load_store"]["loads"], 1);
  EXPECT_EQ(seen["load_store"]["taken_back"], 1);
  EXPECT_EQ(seen["issue"]["cancelled"], 1);
  EXPECT_EQ(seen["stations"]["rsa_issued"], 1);
  EXPECT_EQ(seen["stations"]["rsea_issued"].get<int>() + seen["stations"]["rseb_issued"].get<int>(), 3);
  EXPECT_EQ(seen["issue"]["per_cycle"]["mean"].get<double>() * static_cast<double>(bench.totals().cycles),
            4.0);
}

// The first load finds the store's datum in the store port; the second needs more bytes than the store has.
TEST(CoreStatistics, LoadsOfAStoresBytes) {
  Program program;
  program.store(r(1), 2, 0x800000, 4);
  program.load(r(3), 2, 0x800000, 4);
  program.load(r(4), 2, 0x800000, 8);
  Bench bench(program);
  bench.run();
  const Json seen = statistics_of(bench)["load_store"];
  EXPECT_EQ(seen["stores"], 1);
  EXPECT_EQ(seen["loads"], 2);
  EXPECT_EQ(seen["forwardings"], 1);
  EXPECT_GE(seen["store_waits"], 1);
}

// 16 PEs take part in each; a load and a store of SBM are of 8 bytes a PE.
TEST(CoreStatistics, PesAndTheirMemories) {
  Program program;
  for (unsigned i = 0; i < 5; ++i) program.simd(LatencyClass::FpAdd, {pe(0)}, {pe(2 + 2 * i)});
  program.in_simd_state(program.load(pe(0), 1, 0xF000'0000), true);
  program.in_simd_state(program.store(pe(2), 1, 0xF000'0040), true);
  Bench bench(program);
  bench.run();
  const Json simd = statistics_of(bench)["simd"];
  EXPECT_EQ(simd["instructions"], 7);
  EXPECT_EQ(simd["operations"], simd["pes"]["mean"].get<double>() * 7);
  EXPECT_EQ(simd["pes"]["buckets"]["16"], 7) << simd.dump();
  EXPECT_EQ(simd["sbm_bytes_read"], 16 * 8);
  EXPECT_EQ(simd["sbm_bytes_written"], 16 * 8);
  EXPECT_EQ(simd["sbm_loads"], 16);
  EXPECT_EQ(simd["sbm_stores"], 16);
}

// A get of a row of 64 bytes for each of 16 PEs: W 16, its last line arrives in 237, as SimdTiming derives.
TEST(CoreStatistics, BlockTransfers) {
  isa::BlockTransfer get;
  get.pes = 0xFFFF, get.memory = 0x900000, get.pe_stride = 64, get.row_bytes = 64, get.rows = 1;
  Program program;
  program.transfer(get, 0x800000);
  program.sync(1);
  Bench bench(program);
  bench.run();
  const Json transfers = statistics_of(bench)["transfers"];
  EXPECT_EQ(transfers["gets"], 1);
  EXPECT_EQ(transfers["puts"], 0);
  EXPECT_EQ(transfers["bytes_read"], 16 * 64);
  EXPECT_EQ(transfers["bytes_written"], 0);
  EXPECT_EQ(transfers["requests"], 16);
  EXPECT_EQ(transfers["duration"]["mean"], 237.0 - 16);
  EXPECT_EQ(transfers["busy_cycles"], 237 - 16);
}

}  // namespace
}  // namespace psim::pipeline
