// SPDX-License-Identifier: Apache-2.0
// Cycles of straight-line code, derived by hand. The first fetch block has IA in cycle 0. Instruction k has
// its D in 6 + k/4 unless it is stopped, P a cycle later at the earliest, X = P + 2, U = X + latency, W = U +
// 1. The run has W + 1 cycles.
#include <gtest/gtest.h>

#include "pipeline/testing/bench.h"

namespace psim::pipeline {
namespace {
using namespace testing;
using isa::LatencyClass;
using isa::Unit;

// IA 0, IT 1, IM 2, IB 3, IR 4, E 5, D 6, P 7, B 8, X 9, U 10, W 11.
TEST(ExecutionTiming, OneAddTakesTheTwelveStagesOfThePipeline) {
  Program program;
  program.add(1, 2, 3);
  Bench bench(program);
  bench.run();
  const Stage stages[] = {Stage::IA, Stage::IT, Stage::IM, Stage::IB, Stage::IR, Stage::E,
                          Stage::D,  Stage::P,  Stage::B,  Stage::X,  Stage::U,  Stage::W};
  for (std::uint64_t cycle = 0; cycle < 12; ++cycle) EXPECT_EQ(bench.cycle(0, stages[cycle]), cycle);
  EXPECT_EQ(bench.totals().cycles, 12u);
  EXPECT_EQ(bench.totals().instructions, 1u);
}

struct Class {
  Unit unit;
  LatencyClass latency;
  bool pipelined;
};
class EachClass : public ::testing::TestWithParam<Class> {
 protected:
  std::uint64_t latency() const {
    return default_latencies()[static_cast<std::size_t>(GetParam().latency)].cycles;
  }
  Reg reg(unsigned n) const { return GetParam().unit == Unit::Fp ? d(2 * n) : r(n + 1); }
};
INSTANTIATE_TEST_SUITE_P(ExecutionTiming, EachClass,
                         ::testing::Values(Class{Unit::Int, LatencyClass::IntSimple, true},
                                           Class{Unit::Int, LatencyClass::IntMultiply, true},
                                           Class{Unit::Int, LatencyClass::IntDivide, false},
                                           Class{Unit::Fp, LatencyClass::FpMove, true},
                                           Class{Unit::Fp, LatencyClass::FpAdd, true},
                                           Class{Unit::Fp, LatencyClass::FpMultiply, true},
                                           Class{Unit::Fp, LatencyClass::FpMultiplyAdd, true},
                                           Class{Unit::Fp, LatencyClass::FpDivideSingle, false},
                                           Class{Unit::Fp, LatencyClass::FpDivideDouble, false},
                                           Class{Unit::Fp, LatencyClass::FpSqrtSingle, false},
                                           Class{Unit::Fp, LatencyClass::FpSqrtDouble, false}));

// X of instruction k = 9 + k × L; the last has U L later and W one cycle after that. The number of cycles is
// 9 + (n − 1) L + L + 1, plus one because they count from 0.
TEST_P(EachClass, DependentChainTakesItsLatencyForEachInstruction) {
  Program program;
  for (int i = 0; i < 10; ++i) program.op(GetParam().unit, GetParam().latency, {reg(0)}, {reg(0)});
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.totals().cycles, 11 + 10 * latency());
}

// Two pipes, filled in turn. Pipelined: P of instruction k = 7 + k/2. Not pipelined: = 7 + (k/2) × L.
TEST_P(EachClass, IndependentInstructionsUseBothPipes) {
  Program program;
  for (unsigned i = 0; i < 12; ++i) program.op(GetParam().unit, GetParam().latency, {reg(0)}, {reg(i + 1)});
  Bench bench(program);
  bench.run();
  for (unsigned k = 0; k < 12; ++k)
    EXPECT_EQ(bench.cycle(k, Stage::P), 7 + (k / 2) * (GetParam().pipelined ? 1 : latency()));
  const std::uint64_t last_p = 7 + 5 * (GetParam().pipelined ? 1 : latency());
  EXPECT_EQ(bench.totals().cycles, last_p + 2 + latency() + 2);
}

// The number of starts per cycle is the number of pipes, but at most the four instructions that D takes.
TEST(ExecutionTiming, NumberOfPipesBoundsTheStartsPerCycle) {
  for (std::uint32_t pipes = 1; pipes <= kMaxPipes; ++pipes)
    for (const Unit unit : {Unit::Int, Unit::Fp, Unit::Address}) {
      Program program;
      for (unsigned i = 0; i < 12; ++i) {
        if (unit == Unit::Address)
          program.load(r(1 + i), 0, 0x800000);
        else if (unit == Unit::Int)
          program.op(unit, LatencyClass::IntSimple, {r(0)}, {r(1 + i)});
        else
          program.op(unit, LatencyClass::FpMove, {d(0)}, {d(2 + 2 * i)});
      }
      BenchConfig config;
      config.core.pipes = {pipes, pipes, pipes};
      config.core.stations.address = 12;  // none waits for an entry
      config.data_cache.ports = pipes;
      Bench bench(program, config);
      bench.run();
      for (unsigned k = 0; k < 12; ++k)
        EXPECT_EQ(bench.cycle(k, Stage::P), 7 + k / pipes) << pipes << " pipes, instruction " << k;
    }
}

// Both dividers are busy from 7 on. The add after them in RSFA is ready in 7, too, and starts in 8.
TEST(ExecutionTiming, OtherInstructionsPassABusyDivider) {
  Program program;
  for (unsigned i = 0; i < 3; ++i) program.op(Unit::Fp, LatencyClass::FpDivideDouble, {d(0)}, {d(2 + 2 * i)});
  program.op(Unit::Fp, LatencyClass::FpAdd, {d(0)}, {d(10)});
  program.op(Unit::Fp, LatencyClass::FpAdd, {d(0)}, {d(12)});
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(0, Stage::P), 7u);
  EXPECT_EQ(bench.cycle(1, Stage::P), 7u);
  EXPECT_EQ(bench.cycle(2, Stage::P), 27u);  // RSFA, after the first
  EXPECT_EQ(bench.cycle(3, Stage::P), 8u);   // RSFB
  EXPECT_EQ(bench.cycle(4, Stage::P), 8u);   // D in 7
}

// A nop completes at decode: D 6, U 7, W 8.
TEST(ExecutionTiming, InstructionsWithoutAUnitCompleteAtDecode) {
  Program program;
  program.nop();
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.totals().cycles, 9u);
}

// Commit width 4: nops of D 6 and D 7 are all done when the divide lets them go in W 30 (P 7, X 9, U 29).
TEST(ExecutionTiming, CommitIsInOrderAndFourWide) {
  Program program;
  program.op(Unit::Fp, LatencyClass::FpDivideDouble, {d(0)}, {d(2)});
  for (int i = 0; i < 8; ++i) program.nop();
  Bench bench(program);
  bench.run();
  for (unsigned k = 0; k < 9; ++k) EXPECT_EQ(bench.cycle(k, Stage::W), 30 + k / 4);
}

// The serial instruction enters D when the add has left (W 11): P 12, X 14, U 15, W 16; then the last add:
// D 16.
TEST(ExecutionTiming, SerialInstructionIsAloneInThePipeline) {
  Program program;
  program.add(1, 2, 3);
  program.serial();
  program.add(1, 2, 3);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::D), 11u);
  EXPECT_EQ(bench.cycle(1, Stage::W), 16u);
  EXPECT_EQ(bench.cycle(2, Stage::D), 16u);
}

// A timed instruction is not even fetched before all older ones have committed: IA in W of the add.
TEST(ExecutionTiming, TimedInstructionIsFetchedWhenItIsOldest) {
  Program program;
  program.add(1, 2, 3);
  program.make_timed(program.nop());
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::IA), 11u);
}

// D of instruction k is 6 + k/4 up to the 64th; the 65th enters when the divide (P 7, X 9, U 29) commits
// in 30.
TEST(ExecutionTiming, FullCommitStackStopsDecode) {
  Program program;
  program.op(Unit::Fp, LatencyClass::FpDivideDouble, {d(0)}, {d(2)});
  for (int i = 0; i < 70; ++i) program.nop();
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(63, Stage::D), 21u);
  EXPECT_EQ(bench.cycle(64, Stage::D), 30u);
}

// RSF holds 16. The divide leaves its entry in X (9), so the 17th instruction has D 10. The next two wait for
// the first two dependents of the divide: result P 27, X 29, and their D is 29.
TEST(ExecutionTiming, FullReservationStationStopsDecodeUntilX) {
  Program program;
  program.op(Unit::Fp, LatencyClass::FpDivideDouble, {d(0)}, {d(2)});
  for (int i = 0; i < 20; ++i) program.op(Unit::Fp, LatencyClass::FpAdd, {d(2)}, {d(4)});
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(15, Stage::D), 9u);
  EXPECT_EQ(bench.cycle(16, Stage::D), 10u);
  EXPECT_EQ(bench.cycle(17, Stage::D), 29u);
  EXPECT_EQ(bench.cycle(18, Stage::D), 29u);
  EXPECT_EQ(bench.cycle(19, Stage::D), 30u);
}

// GUB has 32 entries, held to W. The divide (P 7, X 9, U 49, W 50) and 31 adds take them all.
TEST(ExecutionTiming, NoFreeIntegerRenameRegisterStopsDecode) {
  Program program;
  program.op(Unit::Int, LatencyClass::IntDivide, {r(2)}, {r(1)});
  for (unsigned i = 0; i < 40; ++i) program.add(3 + i % 4, 2, 2);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(31, Stage::D), 16u);
  EXPECT_EQ(bench.cycle(32, Stage::D), 50u);
}

// FUB likewise: the divide (W 30) and 31 moves.
TEST(ExecutionTiming, NoFreeFpRenameRegisterStopsDecode) {
  Program program;
  program.op(Unit::Fp, LatencyClass::FpDivideDouble, {d(0)}, {d(2)});
  for (unsigned i = 0; i < 40; ++i) program.op(Unit::Fp, LatencyClass::FpMove, {d(0)}, {d(4 + 2 * (i % 8))});
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(31, Stage::D), 16u);
  EXPECT_EQ(bench.cycle(32, Stage::D), 30u);
}

// An instruction that writes %f4 alone depends on no writer of %f5, and a reader of %d4 on both.
TEST(ExecutionTiming, HalvesOfADoubleRegisterAreTrackedApart) {
  Program program;
  const Reg f4{{isa::reg::kFp + 4, 1}}, f5{{isa::reg::kFp + 5, 1}};
  program.op(Unit::Fp, LatencyClass::FpDivideSingle, {d(0)}, {f4});  // X 9, dependents' X 22
  program.op(Unit::Fp, LatencyClass::FpAdd, {d(0)}, {f5});
  program.op(Unit::Fp, LatencyClass::FpAdd, {f5}, {d(8)});  // X 9 + 3
  program.op(Unit::Fp, LatencyClass::FpAdd, {d(4)}, {d(10)});
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(2, Stage::X), 12u);
  EXPECT_EQ(bench.cycle(3, Stage::X), 22u);
}

// After a save, %o0 of the old window is %i0 of the new one.
TEST(ExecutionTiming, WindowsOverlap) {
  Program program;
  program.op(Unit::Int, LatencyClass::IntMultiply, {r(1)}, {r(8)});  // %o0 in window 2: X 9, dependents' X 14
  program.op(Unit::Int, LatencyClass::IntSimple, {r(24)}, {r(1)});   // %i0 in window 3
  program.op(Unit::Int, LatencyClass::IntSimple, {r(8)}, {r(2)});    // %o0 in window 3
  program.record(0).window = 2;
  program.record(1).window = program.record(2).window = 3;
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(1, Stage::X), 14u);
  EXPECT_EQ(bench.cycle(2, Stage::X), 9u + 1);  // third integer instruction of its cycle: RSEA is busy in 7
}

}  // namespace
}  // namespace psim::pipeline
