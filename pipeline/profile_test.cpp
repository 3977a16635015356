// SPDX-License-Identifier: Apache-2.0
#include "pipeline/profile.h"

#include <gtest/gtest.h>

#include <map>

#include "pipeline/testing/bench.h"

namespace psim::pipeline {
namespace {
using namespace testing;
using isa::BranchKind;

struct ProfiledRun {
  explicit ProfiledRun(Program& program, const BenchConfig& config = {}) : bench(program, config) {
    bench.core->set_profile(profile);
    bench.run();
    profile.finish();
  }
  ProfiledInstruction at(std::uint64_t pc) const {
    for (const ProfiledInstruction& one : profile.instructions())
      if (one.pc == pc) return one;
    return {};
  }
  std::uint64_t part(std::uint64_t pc, CpiPart part) const {
    return at(pc).cpi[static_cast<std::size_t>(part)];
  }
  Bench bench;
  Profile profile;
};

TEST(Profile, CyclesOfAWaitGoToTheInstructionThatCommitsNext) {
  Program program;
  program.add(1, 0, 0);             // 0x100000
  program.load(r(2), 1, 0x800000);  // 0x100004: misses L1; 20 cycles below it
  program.op(isa::Unit::Int, isa::LatencyClass::IntMultiply, {r(2)}, {r(3)});  // 0x100008: needs the load
  program.op(isa::Unit::Int, isa::LatencyClass::IntDivide, {r(3)}, {r(4)});    // 0x10000c
  BenchConfig config;
  config.warm_data = false;
  const ProfiledRun run(program, config);
  // Each instruction commits alone, in the cycle before its end: its row has the cycles since its
  // predecessor.
  std::uint64_t before = 0, pc = 0x100000;
  for (const Seen& seen : run.bench.committed) {
    EXPECT_EQ(run.at(pc).counts.cycles, seen.end - before) << std::hex << pc;
    EXPECT_EQ(run.part(pc, CpiPart::Base), 1u);
    EXPECT_EQ(run.at(pc).counts.instructions, 1u);
    before = seen.end;
    pc += 4;
  }
  EXPECT_EQ(run.at(0x100004).counts.l1d_misses, 1u);
  EXPECT_EQ(run.at(0x100004).counts.l2_misses, 0u);
  EXPECT_EQ(run.at(0x100008).counts.l1d_misses, 0u);
  // Address in X at P + 2, tags 4 cycles later, the line 20 cycles later: the load waits for L2 meanwhile.
  EXPECT_GE(run.part(0x100004, CpiPart::L2), 18u);
  EXPECT_LE(run.part(0x100004, CpiPart::L2), 24u);
}

TEST(Profile, ACycleIsSharedByTheInstructionsThatCommitInIt) {
  Program program;
  const std::uint64_t loop = program.pc();
  for (unsigned i = 0; i < 40; ++i) {
    for (unsigned n = 1; n <= 4; ++n) program.add(n, 8, 8);
    program.at(loop);
  }
  const ProfiledRun run(program);
  std::map<std::uint64_t, unsigned> group;  // instructions by the cycle after their W
  for (const Seen& seen : run.bench.committed) ++group[seen.end];
  std::map<std::uint64_t, double> expected;
  for (const Seen& seen : run.bench.committed) expected[seen.pc] += 1.0 / group[seen.end];
  std::uint64_t sum = 0;
  for (const auto& [pc, cycles] : expected) {
    EXPECT_NEAR(static_cast<double>(run.part(pc, CpiPart::Base)), cycles, 1) << std::hex << pc;
    sum += run.part(pc, CpiPart::Base);
  }
  EXPECT_EQ(sum, group.size());
}

TEST(Profile, RefillingAfterAMispredictionIsTheBranches) {
  Program program;
  program.add(1, 0, 0);
  const std::uint64_t branch = program.pc();
  program.branch(BranchKind::Conditional, true, 0x100100, {r(1)});  // the branch history does not contain it
  program.add(2, 0, 0);                                             // delay slot
  program.add(3, 0, 0);                                             // 0x100100
  program.other_text(branch + 8, 64);
  const ProfiledRun run(program);
  EXPECT_EQ(run.at(branch).counts.mispredictions, 1u);
  const Seen& slot = run.bench.at(2);
  const Seen& target = run.bench.at(3);
  EXPECT_GE(run.part(branch, CpiPart::Branch), target.end - slot.end - 1);
  EXPECT_EQ(run.at(0x100100).counts.cycles, 1u);  // that of its commit
}

TEST(Profile, CallsCountWhatHappensBetweenEntryAndReturn) {
  Program program;
  const std::uint64_t f = 0x101000, g = 0x102000;
  const auto call = [&](std::uint64_t target) {
    program.branch(BranchKind::Call, true, target);
    program.nop();  // delay slot: the caller's
  };
  const auto leave = [&](std::uint64_t to) {
    program.branch(BranchKind::Return, true, to, {r(15)});
    program.nop();  // delay slot: the callee's
  };
  const std::uint64_t start = program.pc();
  call(f);  // f: 2 + 5 instructions, and g's 3
  program.add(1, 0, 0);
  call(g);  // in f
  program.add(2, 0, 0);
  leave(f + 12);
  program.add(3, 0, 0);  // f again
  leave(start + 8);
  program.add(4, 0, 0);  // the caller again
  const ProfiledRun run(program);
  const std::vector<ProfiledCall> calls = run.profile.calls();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].caller, start);
  EXPECT_EQ(calls[0].callee, f);
  EXPECT_EQ(calls[0].calls, 1u);
  EXPECT_EQ(calls[0].inclusive.instructions, 9u);  // add, call, nop; g's 3; add, return, nop
  EXPECT_EQ(calls[1].caller, f + 4);
  EXPECT_EQ(calls[1].callee, g);
  EXPECT_EQ(calls[1].inclusive.instructions, 3u);
  const std::vector<ProfiledFunction> functions = run.profile.functions();
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].entry, f);
  EXPECT_EQ(functions[0].inclusive.instructions, 9u);
}

TEST(Profile, OfRecursionOnlyTheOutermostCallIsCounted) {
  Program program;
  const std::uint64_t f = 0x101000;
  const std::uint64_t start = program.pc();
  program.branch(BranchKind::Call, true, f);
  program.nop();
  program.branch(BranchKind::Call, true, f);  // f calls itself once
  program.nop();
  program.branch(BranchKind::Return, true, f + 8, {r(15)});
  program.nop();
  program.branch(BranchKind::Return, true, start + 8, {r(15)});
  program.nop();
  program.add(1, 0, 0);
  const ProfiledRun run(program);
  const std::vector<ProfiledFunction> functions = run.profile.functions();
  ASSERT_EQ(functions.size(), 1u);
  EXPECT_EQ(functions[0].calls, 2u);
  EXPECT_EQ(functions[0].inclusive.instructions, 6u);
}

}  // namespace
}  // namespace psim::pipeline
