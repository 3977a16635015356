// SPDX-License-Identifier: Apache-2.0
#include "pipeline/sampling/loop_finder.h"

#include <gtest/gtest.h>

namespace psim::pipeline {
namespace {

isa::StaticInstruction branch_of(isa::BranchKind kind) {
  isa::StaticInstruction instruction{};
  instruction.branch = kind;
  return instruction;
}

/// Feeds taken branches and commits them, each `cycles` after the one before.
struct LoopBench {
  void branch(std::uint64_t pc, std::uint64_t target, std::uint64_t number, std::uint64_t cycle,
              bool taken = true, isa::BranchKind kind = isa::BranchKind::Conditional) {
    const isa::StaticInstruction instruction = branch_of(kind);
    isa::InstructionRecord record{.pc = pc, .target = target, .instruction = &instruction};
    record.taken = taken;
    finder.follow(record, number);
    finder.committed({.cycles = cycle, .instructions = number});
  }
  LoopFinder finder;
};

TEST(LoopFinder, MeasuresWholeIterations) {
  LoopBench bench;
  for (unsigned i = 0; i < 5; ++i) bench.branch(0x120, 0x100, 7 + 9 * i, 100 + 20 * i);
  const LoopFinder::Loop* loop = bench.finder.most();
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->head, 0x100u);
  EXPECT_EQ(loop->instructions, 4 * 9u);
  EXPECT_EQ(loop->last.cycles - loop->first.cycles, 4 * 20u);
}

TEST(LoopFinder, CountsIterationsOfTheInnermostLoopOnly) {
  LoopBench bench;
  for (unsigned outer = 0; outer < 3; ++outer) {
    for (unsigned i = 0; i < 4; ++i) bench.branch(0x120, 0x100, 100 * outer + 10 * i, 0);
    bench.branch(0x140, 0x80, 100 * outer + 50, 0);
  }
  const LoopFinder::Loop* loop = bench.finder.most();
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->head, 0x100u);
  EXPECT_EQ(loop->instructions, 3 * 30u);
}

TEST(LoopFinder, MeasuresIterationsWithTheLoopsInside) {
  LoopBench bench;
  for (unsigned outer = 0; outer < 10; ++outer) {
    bench.branch(0x120, 0x100, 100 * outer + 40, 30 * outer);
    bench.branch(0x140, 0x80, 100 * outer + 90, 30 * outer + 20);
  }
  EXPECT_EQ(bench.finder.most()->instructions, 0u);
  EXPECT_EQ(bench.finder.nest(1000), nullptr);
  const LoopFinder::Loop* nest = bench.finder.nest(800);
  ASSERT_NE(nest, nullptr);
  EXPECT_EQ(nest->head, 0x80u);
  EXPECT_EQ(nest->last.cycles - nest->first.cycles, 9 * 30u);
}

TEST(LoopFinder, IgnoresOtherControlTransfers) {
  LoopBench bench;
  for (unsigned i = 0; i < 4; ++i) {
    bench.branch(0x100, 0x140, 10 * i, 0);                                     // forward
    bench.branch(0x140, 0x100, 10 * i + 1, 0, false);                          // not taken
    bench.branch(0x140, 0x100, 10 * i + 2, 0, true, isa::BranchKind::Call);    // a call
    bench.branch(0x140, 0x100, 10 * i + 3, 0, true, isa::BranchKind::Return);  // a return
  }
  EXPECT_EQ(bench.finder.most(), nullptr);
}

TEST(LoopFinder, CountsABranchWhenItHasCommitted) {
  const isa::StaticInstruction instruction = branch_of(isa::BranchKind::Always);
  isa::InstructionRecord record{.pc = 0x120, .target = 0x100, .instruction = &instruction};
  record.taken = true;
  LoopFinder finder;
  EXPECT_EQ(finder.next(), LoopFinder::kNone);
  finder.follow(record, 10);
  finder.follow(record, 20);
  finder.committed({.instructions = 9});
  EXPECT_EQ(finder.next(), 10u);
  EXPECT_EQ(finder.most(), nullptr);
  finder.committed({.instructions = 12});
  EXPECT_EQ(finder.next(), 20u);
  finder.committed({.instructions = 21});
  ASSERT_NE(finder.most(), nullptr);
  EXPECT_EQ(finder.most()->instructions, 9u);
  finder.clear();
  EXPECT_EQ(finder.most(), nullptr);
}

}  // namespace
}  // namespace psim::pipeline
