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

TEST(Profile, CallsCountTheEventsBetweenEntryAndReturn) {
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

// Store 0 goes to L1 first and misses; the lines of the younger stores are requested ahead. Each is in
// memory. The fifth store finds the line of the first.
TEST(Profile, AStoreThatMissesCountsOnceAtItsOwnAddress) {
  Program program;
  std::vector<std::uint64_t> stores;
  for (const std::uint64_t line : {0, 1, 2, 3}) {
    stores.push_back(program.pc());
    program.store(r(2), 20, 0x800000 + 64 * line);
  }
  for (unsigned i = 0; i < 60; ++i) program.op(isa::Unit::Int, isa::LatencyClass::IntDivide, {r(3)}, {r(3)});
  const std::uint64_t hit = program.pc();
  program.store(r(2), 20, 0x800008);
  for (unsigned i = 0; i < 20; ++i) program.op(isa::Unit::Int, isa::LatencyClass::IntDivide, {r(3)}, {r(3)});
  BenchConfig config;
  config.warm_data = false;
  for (const Level below : {Level::L2, Level::Memory}) {
    config.below = below;
    const ProfiledRun run(program, config);
    for (const std::uint64_t pc : stores) {
      EXPECT_EQ(run.at(pc).counts.store_l1d_misses, 1u) << std::hex << pc;
      EXPECT_EQ(run.at(pc).counts.store_l2_misses, below == Level::Memory ? 1u : 0u) << std::hex << pc;
      EXPECT_EQ(run.at(pc).counts.l1d_misses, 0u);
    }
    EXPECT_EQ(run.at(hit).counts.store_l1d_misses, 0u);
    program.rewind();
  }
}

// f jumps to g, which returns to f's caller: g is called by f, and both end there.
TEST(Profile, AJumpToTheFirstInstructionOfAnotherFunctionIsACall) {
  Program program;
  const std::uint64_t f = 0x101000, g = 0x102000;
  const std::uint64_t start = program.pc();
  program.branch(BranchKind::Call, true, f);
  program.nop();
  program.add(1, 0, 0);                                      // f
  program.branch(BranchKind::Always, true, g);               // f + 4
  program.nop();                                             // delay slot: f's
  program.add(2, 0, 0);                                      // g
  program.branch(BranchKind::Conditional, true, g, {r(1)});  // a loop back to its own first instruction
  program.nop();
  program.add(2, 0, 0);
  program.branch(BranchKind::Conditional, false, g, {r(1)});
  program.nop();
  program.branch(BranchKind::Return, true, start + 8, {r(15)});
  program.nop();
  program.add(4, 0, 0);  // the caller again
  for (const bool named : {true, false}) {
    Bench bench(program);
    Profile profile;
    if (named) profile.set_functions({{start, start + 0x100}, {f, f + 0x100}, {g, g + 0x100}});
    bench.core->set_profile(profile);
    bench.run();
    profile.finish();
    program.rewind();
    const std::vector<ProfiledCall> calls = profile.calls();
    ASSERT_EQ(calls.size(), named ? 2u : 1u);
    EXPECT_EQ(calls[0].callee, f);
    EXPECT_EQ(calls[0].inclusive.instructions, 11u);  // f's 3, and g's 8
    if (!named) continue;
    EXPECT_EQ(calls[1].caller, f + 4);
    EXPECT_EQ(calls[1].callee, g);
    EXPECT_EQ(calls[1].calls, 1u);
    EXPECT_EQ(calls[1].inclusive.instructions, 8u);
  }
}

// Two functions that jump to each other 100 times: the jumps count, and the frames stay few.
TEST(Profile, FunctionsThatJumpToEachOtherReturnTogether) {
  Program program;
  const std::uint64_t f = 0x101000, g = 0x102000;
  const std::uint64_t start = program.pc();
  program.branch(BranchKind::Call, true, f);
  program.nop();
  for (unsigned i = 0; i < 100; ++i) {
    program.branch(BranchKind::Conditional, true, g, {r(1)});  // f
    program.nop();
    program.branch(BranchKind::Conditional, i < 99, f, {r(1)});  // g
    program.nop();
  }
  program.branch(BranchKind::Return, true, start + 8, {r(15)});
  program.nop();
  program.add(4, 0, 0);  // the caller again
  Bench bench(program);
  Profile profile;
  profile.set_functions({{start, start + 0x100}, {f, f + 0x100}, {g, g + 0x100}});
  bench.core->set_profile(profile);
  bench.run();
  profile.finish();
  const std::vector<ProfiledCall> calls = profile.calls();
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].inclusive.instructions, 402u);  // start calls f
  EXPECT_EQ(calls[1].calls, 100u);                   // f jumps to g
  EXPECT_EQ(calls[1].inclusive.instructions, 400u);
  EXPECT_EQ(calls[2].calls, 99u);  // g jumps to f
}

}  // namespace
}  // namespace psim::pipeline
