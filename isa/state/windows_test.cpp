// SPDX-License-Identifier: Apache-2.0
#include "isa/state/windows.h"

#include <gtest/gtest.h>

#include "isa/exec/testing/bench_guest.h"

namespace psim::isa {
namespace {
using namespace bench;

TEST(Windows, SaveMakesOutsInsAndRestoreUndoesIt) {
  Guest guest({save(kSp, kSp, imm(-176)), add(l(1), i(0), imm(1)), restore(o(1), l(1), imm(0)), ta(0)});
  guest.state().o(0) = 41, guest.state().l(1) = 7;
  guest.run();
  EXPECT_EQ(guest.state().o(1), 42u);  // restore adds in the old window and writes in the new one
  EXPECT_EQ(guest.state().l(1), 7u);
  EXPECT_EQ(guest.state().o(6), Guest::kStackTop - 4096 - 2047);
}

TEST(Windows, FlushwWritesEveryLiveWindowToItsSaveArea) {
  std::vector<Word> code;
  for (int n = 1; n <= 4; ++n) {
    code.push_back(mov(l(0), imm(n)));
    code.push_back(save(kSp, kSp, imm(-176)));
  }
  code.insert(code.end(), {flushw(), ta(0)});
  Guest guest(code);
  guest.run();
  EXPECT_EQ(guest.state().cansave, kWindows - 2);
  EXPECT_EQ(guest.state().canrestore, 0);
  for (std::uint64_t n = 0; n < 4; ++n) {
    std::uint64_t saved = 0;
    guest.memory.load(Guest::kStackTop - 4096 - 176 * n, saved);
    EXPECT_EQ(saved, n + 1);
  }
}

TEST(Windows, FlushedWindowsComeBackFromMemory) {
  // After flushw the test changes the saved local in memory; restore must load the changed value.
  Guest guest({mov(l(0), imm(1)), save(kSp, kSp, imm(-176)), flushw(), stx(g(1), kFp, imm(2047)),
               restore(0, 0, imm(0)), ta(0)});
  guest.state().g(1) = 99;
  guest.run();
  EXPECT_EQ(guest.state().l(0), 99u);
}

TEST(Windows, ASpillWithoutAUsableStackIsAPreciseFault) {
  // Even %sp: a frame of a 32-bit program; unmapped %sp: no stack at all.
  for (const std::uint64_t sp : {Guest::kStackTop - 4096, std::uint64_t{0x5000000001}}) {
    Guest guest(std::vector<Word>(7, save(kSp, kSp, imm(-176))));
    guest.state().o(6) = sp;
    guest.run();
    ASSERT_EQ(guest.environment.faults.size(), 1u);
    EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::WindowMemory);
    EXPECT_EQ(guest.environment.faults[0].pc, Guest::kText + 4 * 6);
    EXPECT_EQ(guest.state().cansave, 0);
    EXPECT_EQ(guest.state().instructions, 6u);
  }
}

TEST(Windows, AFillWithoutAUsableStackIsAPreciseFault) {
  Guest guest({restore(0, 0, imm(0))});
  guest.state().i(6) = 0x5000000001;
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::WindowMemory);
  EXPECT_EQ(guest.environment.faults[0].address, 0x5000000001 + kStackBias);
}

TEST(Windows, ForgottenWindowsAreReadFromTheStackAgain) {
  Guest guest({save(kSp, kSp, imm(-176)), ta(1), restore(0, 0, imm(0)), ta(0)});
  guest.memory.store<std::uint64_t>(Guest::kStackTop - 4096, 1234);  // %l0 of the first frame
  InstructionRecord record;
  guest.executor.step(record, true);
  ASSERT_TRUE(guest.executor.flush_windows());
  guest.memory.store<std::uint64_t>(Guest::kStackTop - 4096, 1234);
  guest.executor.forget_windows();
  guest.run();
  EXPECT_EQ(guest.state().l(0), 1234u);
}

}  // namespace
}  // namespace psim::isa
