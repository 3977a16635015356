// SPDX-License-Identifier: Apache-2.0
#include "isa/jit/translator.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include "isa/exec/testing/bench_guest.h"

namespace psim::isa {
namespace {
using namespace bench;

/// Sums numbers in memory in a loop with an inner loop, a call, windows, and a rarely taken branch.
const std::vector<Word> kProgram{
    mov(l(0), imm(0)),  //  0: l0 counts outer rounds
    mov(l(1), imm(0)),  //  1
    add(l(2), l(1), l(0)),
    ldx(o(1), g(1), imm(8)),  //  2: inner
    add(o(1), o(1), l(2)),
    stx(o(1), g(1), imm(8)),  //  4
    add(l(1), l(1), imm(1)),
    cmp(l(1), imm(7)),  //  6
    b(kL, -6),
    addcc(g(4), g(4), imm(3)),  //  8
    call(8),
    mov(o(0), l(0)),  // 10
    add(l(0), l(0), imm(1)),
    cmp(l(0), imm(300)),  // 12
    bx(kNe, -13, true),
    nop(),  // 14
    ta(0),
    nop(),  // 16
    save(kSp, kSp, imm(-176)),
    ldx(l(0), g(1), imm(8)),  // 18: the function
    br(1, l(0), 3),
    stx(l(0), g(1), imm(16)),  // 20
    add(g(5), g(5), l(0)),
    0x81c7e008,
    restore(0, 0, 0)  // 22: ret
};

struct JitOutcome {
  std::vector<std::uint64_t> places;  ///< after each run(): instructions, pc, npc
  CpuState state;
};
JitOutcome outcome(std::uint16_t runs, std::uint64_t slice) {
  Guest guest(kProgram);
  guest.executor.set_translation(runs);
  guest.state().g(1) = Guest::kData;
  JitOutcome outcome;
  while (guest.executor.run(slice)) {
    CpuState& s = guest.state();
    outcome.places.insert(outcome.places.end(), {s.instructions, s.pc, s.npc, s.g(4), s.cc().byte()});
  }
  EXPECT_EQ(guest.environment.traps, std::vector<unsigned>{0});
  outcome.state = guest.state();
  return outcome;
}

TEST(Translator, EndsSlicesAtTheSameInstructions) {
  for (const std::uint64_t slice : {1, 2, 7, 33, 1000, 1'000'000}) {
    const JitOutcome plain = outcome(0, slice);
    EXPECT_GT(plain.state.r[5], 0u);
    for (const std::uint16_t runs : {1, 2, 50}) {
      const JitOutcome translated = outcome(runs, slice);
      EXPECT_EQ(translated.places, plain.places) << slice << " " << runs;
      EXPECT_EQ(translated.state.r, plain.state.r);
      EXPECT_EQ(translated.state.instructions, plain.state.instructions);
    }
  }
}

TEST(Translator, DropsCodeWhenItsInstructionsChange) {
  // An instruction of a hot loop changes while the loop runs.
  Guest guest({mov(g(2), imm(0)), add(g(3), g(3), imm(1)), add(g(2), g(2), imm(1)), cmp(g(2), imm(100)),
               b(kNe, -3), nop(), ta(0)});
  guest.executor.set_translation(3);
  EXPECT_TRUE(guest.executor.run(250));
  const std::uint64_t before = guest.state().g(3);
  EXPECT_GT(before, 40u);
  guest.put(Guest::kText + 4, {add(g(3), g(3), imm(2))});
  guest.run();
  EXPECT_EQ(guest.state().g(3), before + 2 * (100 - before));
}

TEST(Translator, LeavesBlocksToHandlersWhereExecutableMemoryIsRefused) {
#ifndef PR_SET_MDWE
  constexpr int PR_SET_MDWE = 65;
#endif
  if (::prctl(PR_SET_MDWE, 1, 0, 0, 0) != 0) GTEST_SKIP() << "the kernel cannot refuse it";
  const JitOutcome refused = outcome(1, 1000), plain = outcome(0, 1000);
  EXPECT_EQ(refused.places, plain.places);
}

TEST(Translator, ForgetsAllCodeWhenItsMemoryIsFull) {
  // Each block has 63 loads; all of them need more than the memory for code.
  constexpr unsigned kBlocks = 2500;
  constexpr std::uint64_t kText = 0x1000'0000;
  std::vector<Word> code;
  for (unsigned n = 0; n < kBlocks; ++n) {
    for (unsigned i = 0; i < 62; ++i)
      code.push_back(ldx(16 + i % 8, g(1), imm(8 * static_cast<int>(i % 32))));
    code.insert(code.end(), {b(kA, 2), add(g(3), g(3), imm(1))});
  }
  code.insert(code.end(), {ta(0), nop()});
  Guest guest({});
  guest.memory.map(kText, (code.size() * 4 / GuestMemory::kPageBytes + 1) * GuestMemory::kPageBytes,
                   kRead | kExecute);
  guest.put(kText, code);
  guest.executor.set_translation(1);
  guest.state().g(1) = Guest::kData;
  guest.state().pc = kText, guest.state().npc = kText + 4;
  guest.run();
  EXPECT_EQ(guest.environment.traps, std::vector<unsigned>{0});
  EXPECT_EQ(guest.state().g(3), kBlocks);
  EXPECT_EQ(guest.state().instructions, code.size() - 1);
}

}  // namespace
}  // namespace psim::isa
