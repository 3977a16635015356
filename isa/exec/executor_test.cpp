// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/executor.h"

#include <gtest/gtest.h>

#include "isa/exec/testing/bench_guest.h"

namespace psim::isa {
namespace {
using namespace bench;

TEST(Executor, SumsALoopAndCountsItsInstructions) {
  // for (g1 = 1000; g1 != 0; --g1) g2 += g1;
  Guest guest({mov(g(1), imm(1000)), mov(g(2), imm(0)), add(g(2), g(2), g(1)), subcc(g(1), g(1), imm(1)),
               bx(kNe, -2), nop(), ta(0)});
  guest.run();
  EXPECT_EQ(guest.state().g(2), 500500u);
  EXPECT_EQ(guest.state().instructions, 2u + 4 * 1000 + 1);
  EXPECT_EQ(guest.environment.traps, std::vector<unsigned>{0});
}

TEST(Executor, ADelaySlotIsExecutedBeforeTheTargetWhetherTakenOrNot) {
  Guest guest({cmp(0, imm(0)), b(kE, 3), mov(g(1), imm(1)), mov(g(2), imm(2)),  // taken: g2 stays 0
               cmp(0, imm(0)), b(kNe, 3), mov(g(3), imm(3)), mov(g(4), imm(4)), ta(0)});
  guest.run();
  EXPECT_EQ(guest.state().g(1), 1u);
  EXPECT_EQ(guest.state().g(2), 0u);
  EXPECT_EQ(guest.state().g(3), 3u);
  EXPECT_EQ(guest.state().g(4), 4u);
  EXPECT_EQ(guest.state().instructions, 8u);
}

TEST(Executor, AnAnnulledDelaySlotDoesNothingAndDoesNotRetire) {
  Guest guest({cmp(0, imm(0)), b(kNe, 3, true), mov(g(1), imm(1)),    // not taken, annulled
               b(kE, 3, true), mov(g(2), imm(2)), mov(g(3), imm(3)),  // taken: the slot is executed
               b(kA, 2, true), mov(g(4), imm(4)),                     // ba,a: never executed
               b(kN, 9, true), mov(g(5), imm(5)),                     // bn,a: skips
               ta(0)});
  guest.run();
  EXPECT_EQ(guest.state().g(1), 0u);
  EXPECT_EQ(guest.state().g(2), 2u);
  EXPECT_EQ(guest.state().g(3), 0u);
  EXPECT_EQ(guest.state().g(4), 0u);
  EXPECT_EQ(guest.state().g(5), 0u);
  EXPECT_EQ(guest.state().instructions, 7u);
}

TEST(Executor, ADelaySlotThatSetsConditionCodesDoesNotDisturbItsBranch) {
  Guest guest({cmp(0, imm(0)), b(kE, 3), cmp(0, imm(1)), ta(1), b(kE, 3), nop(), ta(0), ta(2)});
  guest.run();
  EXPECT_EQ(guest.environment.traps, std::vector<unsigned>{0});
}

TEST(Executor, ADelaySlotThatLooksAtConditionCodesSeesTheComparesBeforeItsBranch) {
  constexpr Cond kLessOrEqual{2};
  for (const int value : {-2, 0, 2}) {
    Guest guest({subcc(0, 0, imm(1)), mov(g(1), imm(value)),                  // other flags, then
                 cmp(g(1), imm(0)), b(kLessOrEqual, 2), 0x8b66c001,           // movge %icc, %g1, %g5
                 cmp(g(1), imm(0)), b(kLessOrEqual, 2), 0x8d64d001,           // movl %xcc, %g1, %g6
                 cmp(g(1), imm(0)), b(kLessOrEqual, 2), 0x89aae042, ta(0)});  // fmovdge %icc, %d2, %d4
    guest.state().g(5) = guest.state().g(6) = 99;
    guest.state().f[1] = 7, guest.state().f[2] = 8;
    guest.run();
    const auto moved = static_cast<std::uint64_t>(value);
    EXPECT_EQ(guest.state().g(5), value >= 0 ? moved : 99) << value;
    EXPECT_EQ(guest.state().g(6), value < 0 ? moved : 99) << value;
    EXPECT_EQ(guest.state().f[2], value >= 0 ? 7u : 8u) << value;
  }
}

TEST(Executor, ABranchInADelaySlotRunsOneInstructionAtTheFirstTarget) {
  // V9 6.3.4.3: ba A; ba B  executes the instruction at A, then continues at B.
  Guest guest({b(kA, 4), b(kA, 5), ta(1), ta(2), mov(g(1), imm(1)), ta(3), mov(g(2), imm(2)), ta(0)});
  guest.run();
  EXPECT_EQ(guest.state().g(1), 1u);
  EXPECT_EQ(guest.state().g(2), 2u);
  EXPECT_EQ(guest.environment.traps, std::vector<unsigned>{0});
  EXPECT_EQ(guest.state().instructions, 5u);
}

TEST(Executor, SixteenNestedCallsSpillAndFillTheirWindows) {
  // f: save; if (i0 == 0) return 0; return f(i0 - 1) + i0
  Guest guest({mov(o(0), imm(100)), call(3), nop(), ta(0), save(kSp, kSp, imm(-176)), br(1, i(0), 6),
               mov(o(0), imm(0)), call(-3), sub(o(0), i(0), imm(1)), b(kA, 2), nop(), return_(i(7), imm(8)),
               add(o(0), o(0), o(0))});
  // The last two instructions do o0 := o0 + i0 in the callee's window instead, written out:
  guest.put(Guest::kText + 4 * 11, {add(i(0), o(0), i(0)), jmpl(0, i(7), imm(8)), restore(0, 0, imm(0))});
  guest.run();
  EXPECT_EQ(guest.state().o(0), 5050u);
  EXPECT_EQ(guest.state().cansave + guest.state().canrestore, kWindows - 2);
  EXPECT_TRUE(guest.environment.faults.empty());
}

TEST(Executor, AFaultInADelaySlotHasThePcOfTheSlotAndTheTargetAsNpc) {
  Guest guest({mov(g(1), imm(1)), b(kA, 5), lduw(g(2), g(1), imm(0)), nop()});
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::Misaligned);
  EXPECT_EQ(guest.environment.faults[0].pc, Guest::kText + 8);
  EXPECT_EQ(guest.environment.faults[0].address, 1u);
  EXPECT_EQ(guest.environment.fault_npc, Guest::kText + 4 + 20);
  EXPECT_EQ(guest.state().instructions, 2u);
}

TEST(Executor, CodeThatIsOverwrittenRunsAnew) {
  // Twice: call f, which returns 1, then is made to return 2 by a store of the new word.
  Guest guest({call(8), nop(), mov(l(0), o(0)), stw(g(1), g(2), imm(0)), call(4), nop(), ta(0), nop(),
               jmpl(0, o(7), imm(8)), mov(o(0), imm(1))});
  guest.memory.protect(Guest::kText, GuestMemory::kPageBytes, kRead | kWrite | kExecute);
  guest.state().g(1) = mov(o(0), imm(2));
  guest.state().g(2) = Guest::kText + 36;
  guest.run();
  EXPECT_EQ(guest.state().l(0), 1u);
  EXPECT_EQ(guest.state().o(0), 2u);
}

TEST(Executor, ABlockThatOverwritesItselfRunsItsNewInstructions) {
  Guest guest({stw(g(1), g(2), imm(0)), mov(o(0), imm(1)), ta(0)});
  guest.memory.protect(Guest::kText, GuestMemory::kPageBytes, kRead | kWrite | kExecute);
  guest.state().g(1) = mov(o(0), imm(2));
  guest.state().g(2) = Guest::kText + 4;
  guest.run();
  EXPECT_EQ(guest.state().o(0), 2u);
}

TEST(Executor, ABlockGoesOnInTheNextPage) {
  std::vector<Word> code(GuestMemory::kPageBytes / 4 - 1, nop());
  code.push_back(b(kA, 3));  // the last word of the page; its delay slot is in the next
  code.insert(code.end(), {mov(g(1), imm(1)), ta(1), ta(0)});
  Guest guest(code);
  guest.run();
  EXPECT_EQ(guest.state().g(1), 1u);
  EXPECT_EQ(guest.environment.traps, std::vector<unsigned>{0});
  EXPECT_EQ(guest.state().instructions, GuestMemory::kPageBytes / 4 + 2);
}

TEST(Executor, MoreCodeThanTheBlockCacheHoldsIsDecodedAnew) {
  // f, called through a register before and after a run of blocks that fills the cache twice.
  constexpr std::uint64_t kFar = 0x40000000, kWords = 300'000;
  Guest guest({jmpl(o(7), g(1), imm(0)), nop(), jmpl(0, g(2), imm(0)), nop(),  // then back here:
               jmpl(o(7), g(1), imm(0)), nop(), ta(0), nop(), jmpl(0, o(7), imm(8)),
               add(g(3), g(3), imm(1))});
  ASSERT_TRUE(guest.memory.map(kFar, 160 * GuestMemory::kPageBytes, kRead | kExecute));
  std::vector<Word> code(kWords, b(kA, 1, true));  // each a block
  code.insert(code.end(), {jmpl(0, g(4), imm(0)), nop()});
  guest.put(kFar, code);
  guest.state().g(1) = Guest::kText + 4 * 8, guest.state().g(2) = kFar,
  guest.state().g(4) = Guest::kText + 4 * 4;
  guest.run();
  EXPECT_EQ(guest.state().g(3), 2u);
  EXPECT_EQ(guest.state().instructions, kWords + 2 + 2 + 2 + 2 + 2 + 2 + 1);
}

TEST(Executor, RunningOffExecutableMemoryFaultsThere) {
  Guest guest({mov(g(1), imm(1))});
  guest.state().pc = Guest::kData, guest.state().npc = Guest::kData + 4;
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::NotExecutable);
  EXPECT_EQ(guest.environment.faults[0].pc, Guest::kData);
}

TEST(Executor, RunStopsWithinABlockOfItsLimitAndGoesOn) {
  Guest guest({add(g(1), g(1), imm(1)), b(kA, -1), nop()});
  EXPECT_TRUE(guest.executor.run(1000));
  EXPECT_GE(guest.state().instructions, 1000u);
  EXPECT_LE(guest.state().instructions, 1003u);
  EXPECT_TRUE(guest.executor.run(1000));
  EXPECT_EQ(guest.state().g(1), (guest.state().instructions + 2) / 3);
}

TEST(Executor, TheDeadlineIsAnnouncedAtTheFirstBlockEndAfterIt) {
  Guest guest({add(g(1), g(1), imm(1)), b(kA, -1), nop()});
  guest.executor.set_deadline(100);
  EXPECT_TRUE(guest.executor.run(1000));
  ASSERT_EQ(guest.environment.deadlines.size(), 1u);
  EXPECT_GE(guest.environment.deadlines[0], 100u);
  EXPECT_LE(guest.environment.deadlines[0], 102u);
}

TEST(Executor, StepDescribesEachInstructionOfTheRetiredPath) {
  Guest guest(
      {cmp(0, imm(0)), b(kNe, 3, true), mov(g(1), imm(1)), stx(0, kSp, imm(2047)), b(kE, 2), nop(), ta(0)});
  InstructionRecord r;
  ASSERT_EQ(guest.executor.step(r, true), Pull::Record);
  EXPECT_EQ(r.pc, Guest::kText);
  ASSERT_EQ(guest.executor.step(r, true), Pull::Record);
  EXPECT_FALSE(r.taken);
  EXPECT_TRUE(r.annulled_slot);
  EXPECT_EQ(r.target, Guest::kText + 12);
  ASSERT_EQ(guest.executor.step(r, true), Pull::Record);
  EXPECT_EQ(r.pc, Guest::kText + 12);
  EXPECT_EQ(r.address, Guest::kStackTop - 4096);
  ASSERT_EQ(guest.executor.step(r, true), Pull::Record);
  EXPECT_TRUE(r.taken);
  EXPECT_EQ(r.target, Guest::kText + 24);
  ASSERT_EQ(guest.executor.step(r, true), Pull::Record);
  EXPECT_EQ(guest.executor.step(r, false), Pull::WaitUntilOldest);
  EXPECT_EQ(guest.executor.step(r, true), Pull::Record);
  EXPECT_EQ(guest.executor.step(r, true), Pull::End);
}

TEST(Executor, AStepOverAnOverflowingSaveGivesSixteenStoresFirst) {
  Guest guest(std::vector<Word>(8, save(kSp, kSp, imm(-176))));
  InstructionRecord r;
  for (unsigned n = 0; n < 6; ++n) {
    ASSERT_EQ(guest.executor.step(r, true), Pull::Record);
    EXPECT_EQ(r.kind, RecordKind::Instruction);
  }
  for (unsigned n = 0; n < 16; ++n) {
    ASSERT_EQ(guest.executor.step(r, true), Pull::Record);
    EXPECT_EQ(r.kind, RecordKind::SpillStore);
    EXPECT_EQ(r.first_of_trap, n == 0);
    EXPECT_EQ(r.address, Guest::kStackTop - 4096 + 8 * n);  // the first window's save area
    EXPECT_EQ(r.pc, Guest::kText + 24);
    EXPECT_TRUE(r.instruction->store);
  }
  ASSERT_EQ(guest.executor.step(r, true), Pull::Record);
  EXPECT_EQ(r.kind, RecordKind::Instruction);
  EXPECT_EQ(r.pc, Guest::kText + 24);
}

}  // namespace
}  // namespace psim::isa
