// SPDX-License-Identifier: Apache-2.0
// Cycles of the front end, derived by hand: a block with IA in cycle t has its first D in t + 6. A branch has
// P in D + 1 and has resolved at the start of P + 3.
#include <gtest/gtest.h>

#include "pipeline/testing/bench.h"

namespace psim::pipeline {
namespace {
using namespace testing;
using isa::BranchKind;
constexpr std::uint64_t kTarget = 0x200000;

TEST(FetchTiming, OneBlockOfEightInstructionsEachCycle) {
  Program program;
  for (int i = 0; i < 24; ++i) program.nop();
  Bench bench(program);
  bench.run();
}

// The first block is fetched from its middle: three instructions, then whole blocks.
// Address 0 is not treated differently from others: IA 0, D 6, W 11 of an add.
TEST(FetchTiming, InstructionAtAddressZeroIsFetchedAsAnyOther) {
  Program program(0);
  program.add(1, 2, 3);
  program.add(4, 5, 6);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(0, Stage::IA), 0u);
  EXPECT_EQ(bench.cycle(0, Stage::W), 11u);
  EXPECT_EQ(bench.cycle(1, Stage::W), 11u);
}

TEST(FetchTiming, EmptyBranchHistoryHoldsNoBranchNotEvenThatOfAddressZero) {
  BranchHistory history(BranchConfig{});
  EXPECT_FALSE(history.search(0).hit);
  history.update(0, BranchKind::Conditional, true, 64);
  EXPECT_TRUE(history.search(0).hit);
  EXPECT_EQ(history.search(0).target, 64u);
}

TEST(FetchTiming, BlocksAreAligned) {
  Program program(0x100014);
  for (int i = 0; i < 11; ++i) program.nop();
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(2, Stage::IA), 0u);
  EXPECT_EQ(bench.cycle(3, Stage::IA), 1u);
  EXPECT_EQ(bench.cycle(10, Stage::IA), 1u);
}

// 48 entries, 6 blocks: IA 0-5. Decode is stopped by a serial instruction first in line: D 6, P 7, X 9, U 10,
// W 11. Then four per cycle leave; room for a whole block is free in D 12.
TEST(FetchTiming, FullInstructionBufferStopsFetch) {
  Program program;
  program.serial();
  for (int i = 0; i < 63; ++i) program.nop();
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(47, Stage::IA), 5u);
  // After D 6 (one instruction) 47 are left; D 11 takes four (43), D 12 four (39): fetch of cycle 12 finds
  // room.
  EXPECT_EQ(bench.cycle(48, Stage::IA), 12u);
}

// The block's access misses: usable in 0 + 4 + 20 instead of 4, everything is 20 cycles later.
TEST(FetchTiming, InstructionCacheMissDelaysTheBlock) {
  Program program;
  program.add(1, 2, 3);
  BenchConfig config;
  config.warm_instructions = false;
  Bench bench(program, config);
  bench.run();
  EXPECT_EQ(bench.cycle(0, Stage::IA), 0u);
  EXPECT_EQ(bench.cycle(0, Stage::IB), 23u);
  EXPECT_EQ(bench.cycle(0, Stage::X), 29u);
  EXPECT_EQ(bench.totals().cycles, 32u);
  EXPECT_EQ(bench.part(CpiPart::FrontEnd), 31u);  // all but the cycle of W
}

TEST(FetchTiming, NotTakenBranchCostsNothing) {
  Program program;
  program.branch(BranchKind::Conditional, false, kTarget, {ccr()});
  for (int i = 0; i < 15; ++i) program.nop();
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(8, Stage::IA), 1u);
  EXPECT_TRUE(bench.flushed.empty());
}

// bcc,a not taken: the slot is not executed; the instruction after it is in the same block.
TEST(FetchTiming, AnnulledSlotOfANotTakenBranchIsPassedOver) {
  Program program;
  program.branch(BranchKind::Conditional, false, kTarget, {ccr()}, true);
  program.nop();
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.committed.size(), 2u);
  EXPECT_EQ(bench.at(1).pc, bench.at(0).pc + 8);
  EXPECT_EQ(bench.cycle(1, Stage::IA), 0u);
}

// The branch is not in the history, so it is predicted not taken. Branch D 6, P 7, X 9: the right path has IA
// in 10, and X 10 cycles after that of the branch. The slot is on both paths; later instructions are flushed.
TEST(FetchTiming, MispredictedBranchCostsTenCycles) {
  Program program;
  program.branch(BranchKind::Conditional, true, kTarget, {ccr()});
  program.add(1, 2, 3);
  program.add(4, 5, 6);
  program.other_text(0x100008, 100);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(0, Stage::X), 9u);
  EXPECT_EQ(bench.cycle(2, Stage::IA), 10u);
  EXPECT_EQ(bench.cycle(2, Stage::X), 19u);
  // The rest of block 0 has IA 1; then 8 per cycle until the buffer is full, and later as decode makes room.
  EXPECT_EQ(bench.flushed.size(), 54u);
  EXPECT_EQ(bench.flushed.front().pc, 0x100008u);
  EXPECT_EQ(bench.flushed.front().first(Stage::P), 8u);  // it was dispatched, and left no trace
  EXPECT_EQ(bench.totals().cycles, 22u);
}

// A mispredicted branch on a loaded condition resolves after the load.
TEST(FetchTiming, MispredictedBranchWaitsForItsOperands) {
  Program program;
  program.load(r(1), 2, 0x800000);                                 // X 9, dependents' X 13
  program.branch(BranchKind::Conditional, true, kTarget, {r(1)});  // X 13, resolved in 14
  program.nop();
  program.nop();
  program.other_text(0x10000c, 100);
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.cycle(3, Stage::IA), 14u);
}

// The loop is in the history after its first iteration. IA of the target is 3 cycles after IA of the branch,
// as the answer of the history is known in IM.
TEST(FetchTiming, PredictedTakenBranchCostsTwoFetchCycles) {
  Program program;
  const std::uint64_t loop = program.pc();
  for (int i = 0; i < 40; ++i) {
    program.nop();
    program.branch(BranchKind::Conditional, true, loop, {ccr()});
    program.nop();
  }
  Bench bench(program);
  bench.run();
  for (unsigned i = 20; i < 39; ++i)
    EXPECT_EQ(bench.cycle(3 * (i + 1), Stage::IA), bench.cycle(3 * i, Stage::IA) + 3);
}

// The branch is the last of its block: its slot is fetched in the next cycle, and the bubble is no longer for
// it.
TEST(FetchTiming, SlotInTheNextBlockIsFetchedInTheBubble) {
  Program program;
  const std::uint64_t loop = program.pc();
  for (int i = 0; i < 40; ++i) {
    for (int n = 0; n < 7; ++n) program.nop();
    program.branch(BranchKind::Always, true, loop);
    program.nop();
  }
  Bench bench(program);
  bench.run();
  for (unsigned i = 20; i < 39; ++i) {
    const std::uint64_t ia = bench.cycle(9 * i, Stage::IA);
    EXPECT_EQ(bench.cycle(9 * i + 8, Stage::IA), ia + 1);
    EXPECT_EQ(bench.cycle(9 * (i + 1), Stage::IA), ia + 3);
  }
}

// Two call sites of one function: the branch history alone would send the return to the site before.
TEST(FetchTiming, ReturnStackSendsAReturnToItsCall) {
  Program program;
  const std::uint64_t start = program.pc();
  for (int i = 0; i < 10; ++i) {
    program.at(start);
    for (int site = 0; site < 2; ++site) {
      const std::uint64_t call = program.pc();
      program.branch(BranchKind::Call, true, kTarget);
      program.nop();
      program.branch(BranchKind::Return, true, call + 8);
      program.nop();
    }
    program.branch(BranchKind::Always, true, start);
    program.nop();
  }
  Bench bench(program);
  bench.run();
  // All are in the first iteration: two calls, the closing branch, and both returns, because a call that is
  // not in the history is not pushed on the stack.
  EXPECT_EQ(bench.core->fetch().branch_stats().mispredictions, 5u);
}

// A loop of 10 rounds, each with a call and its return; every branch has committed before the next is
// fetched. The first round mispredicts all three; of the rest, only the loop's exit.
TEST(FetchTiming, BranchesAreCountedByKind) {
  Program program;
  const std::uint64_t loop = program.pc(), function = loop + 0x1000;
  for (int i = 0; i < 10; ++i) {
    program.at(loop);
    program.serial();
    const std::uint64_t call = program.pc();
    program.branch(BranchKind::Call, true, function);
    program.nop();
    program.serial();
    program.branch(BranchKind::Return, true, call + 8);
    program.nop();
    program.serial();
    program.branch(BranchKind::Conditional, i != 9, loop, {ccr()});
    program.nop();
  }
  Bench bench(program);
  bench.run();
  const BranchStats& stats = bench.core->fetch().branch_stats();
  const auto of = [](const auto& by_kind, BranchKind kind) { return by_kind[static_cast<int>(kind) - 1]; };
  EXPECT_EQ(stats.branches, 30u);
  EXPECT_EQ(of(stats.kinds, BranchKind::Conditional), 10u);
  EXPECT_EQ(of(stats.kinds, BranchKind::Call), 10u);
  EXPECT_EQ(of(stats.kinds, BranchKind::Return), 10u);
  EXPECT_EQ(of(stats.kinds, BranchKind::Indirect), 0u);
  EXPECT_EQ(stats.taken, 29u);
  EXPECT_EQ(stats.unknown, 3u);
  EXPECT_EQ(stats.mispredictions, 4u);
  EXPECT_EQ(of(stats.mispredicted, BranchKind::Conditional), 2u);
  EXPECT_EQ(of(stats.mispredicted, BranchKind::Call), 1u);
  EXPECT_EQ(of(stats.mispredicted, BranchKind::Return), 1u);
}

// Taken 3 times of 4: the counter stays in its upper half, so one misprediction each fourth time. The first
// two turns add one each: the second branch is fetched (IA 15) before the first commits (W 16).
TEST(FetchTiming, TwoBitCounterForgivesOneExit) {
  Program program;
  const std::uint64_t loop = program.pc();
  for (int i = 0; i < 80; ++i) {
    program.at(loop);
    program.serial();  // so that every branch has committed before the next is fetched
    program.branch(BranchKind::Conditional, i % 4 != 3, loop, {ccr()});
    program.nop();
  }
  Bench bench(program);
  bench.run();
  EXPECT_EQ(bench.core->fetch().branch_stats().mispredictions, 20u + 2);
}

}  // namespace
}  // namespace psim::pipeline
