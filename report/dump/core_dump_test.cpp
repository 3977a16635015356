// SPDX-License-Identifier: Apache-2.0
// Checks a dump of the real core by the rules of check_kanata and against the core's own account.
#include <gtest/gtest.h>

#include <random>

#include "pipeline/testing/bench.h"
#include "report/dump/kanata_writer.h"
#include "report/dump/read_dump.h"
#include "report/dump/stage_dump.h"
#include "report/dump/testing/synthetic_run.h"

namespace psim::pipeline::dump {
namespace {

using namespace pipeline::testing;

/// Returns a loop around "if (chance) …": adds, loads and stores over more memory than the cache, divides.
/// Half of the branches cannot be predicted, which gives misses, cancels and wrong paths; window traps occur
/// now and then.
Program rough_program(unsigned rounds) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Program program;
  const std::uint64_t loop = program.pc(), rest = loop + 64;
  const auto address = [&] { return std::uint64_t{0x800000} + 64 * below(1 << 14); };
  for (unsigned round = 0; round < rounds; ++round) {
    program.at(loop);
    program.load(r(2), 1, address());
    program.add(3, 2, 3);
    if (below(40) == 0) program.window_trap(isa::RecordKind::SpillStore, 0x700000);
    const bool taken = below(2) != 0;
    program.branch(isa::BranchKind::Conditional, taken, rest, {r(3)});
    program.add(4, 4, 4);
    if (!taken) {
      for (unsigned i = 0; i < 11; ++i) program.add(5 + i, 4, 5);
      program.store(r(5), 1, address());
    }
    program.at(rest);
    program.op(isa::Unit::Fp, isa::LatencyClass::FpDivideDouble, {d(0)}, {d(2)});
    program.store(d(2), 1, address());
    program.branch(isa::BranchKind::Always, true, loop);
    program.nop();
  }
  return program;
}

TEST(CoreDump, KeepsThePipelinesRulesAndCountsAsTheCoreDoes) {
  // SystemC elaborates once per context. The test may run in one process with others, so it gets a fresh one.
  sc_core::sc_curr_simcontext = new sc_core::sc_simcontext;
  sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
  Program program = rough_program(400);
  BenchConfig config;
  config.warm_data = false;
  Bench bench(program, config);
  const TemporaryFile file(::testing::TempDir(), "psim_core_dump.kanata");
  StageDump dump;
  dump.add_output(CycleWindow{},
                  std::make_unique<KanataWriter>(file.path(), [](const auto&, auto) { return "op"; }));
  bench.core->attach(dump);
  bench.run();
  dump.finish();

  LineReader lines = LineReader::open(file.path());
  const CheckSummary found = check_kanata(lines);
  EXPECT_EQ(found.committed, bench.committed.size());
  EXPECT_EQ(found.flushed, bench.flushed.size());
  EXPECT_GT(found.flushed, 100U) << "the program is meant to go wrong ways";
  EXPECT_GT(found.wakeups, 100U);
  EXPECT_EQ(found.end, bench.committed.back().end);
}

}  // namespace
}  // namespace psim::pipeline::dump
