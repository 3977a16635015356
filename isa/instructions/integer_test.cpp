// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "isa/exec/testing/bench_guest.h"
#include "isa/state/conditions.h"

namespace psim::isa {
namespace {
using namespace bench;

// op3 values (V9 appendix E, table 42).
constexpr Word kAddccc = 0x18, kSubccc = 0x1c, kTaddcc = 0x20, kTaddcctv = 0x22, kMulscc = 0x24, kUmul = 0x0a,
               kSmul = 0x0b, kUdivcc = 0x1e, kSdivcc = 0x1f, kUdivx = 0x0d, kSdivx = 0x2d, kSll = 0x25,
               kSra = 0x27, kPopc = 0x2e;
constexpr Word alu(Word op3, Word rd, Word rs1, Word operand) { return op3_word(2, op3, rd, rs1, operand); }

/// One instruction g3 = g1 op g2.
struct One : Guest {
  One(Word word, std::uint64_t a, std::uint64_t b) : Guest({word, ta(0)}) {
    state().g(1) = a, state().g(2) = b;
  }
  std::uint64_t result() {
    run();
    return state().g(3);
  }
  bool faulted(FaultKind kind) {
    return environment.faults.size() == 1 && environment.faults[0].kind == kind;
  }
};

TEST(Integer, FlagsOfSumsAndDifferencesFollowTheManual) {
  // a + b and a - b, NZVC of 32 and 64 bits.
  struct Case {
    Word op3;
    std::uint64_t a, b;
    unsigned icc, xcc;
  };
  constexpr std::uint64_t kMin32 = 0x80000000, kMin64 = std::uint64_t{1} << 63;
  for (const auto& [op3, a, b, icc, xcc] :
       {Case{0x10, 0, 0, 4, 4}, Case{0x10, 0x7fffffff, 1, 8 | 2, 0}, Case{0x10, kMin32, kMin32, 4 | 2 | 1, 0},
        Case{0x10, kMin64, kMin64, 4, 4 | 2 | 1}, Case{0x10, ~std::uint64_t{0}, 1, 4 | 1, 4 | 1},
        Case{0x14, 0, 1, 8 | 1, 8 | 1}, Case{0x14, kMin32, 1, 2, 0}, Case{0x14, kMin64, 1, 8 | 1, 2},
        Case{0x14, 5, 5, 4, 4}}) {
    One one(alu(op3, g(3), g(1), g(2)), a, b);
    one.run();
    EXPECT_EQ(one.state().cc().icc, icc) << a << (op3 == 0x10 ? " + " : " - ") << b;
    EXPECT_EQ(one.state().cc().xcc, xcc) << a << (op3 == 0x10 ? " + " : " - ") << b;
  }
}

TEST(Integer, CarryChainsAcross64Bits) {
  Guest guest({alu(0x10, g(3), g(1), g(2)),    // addcc: icc.c = 1
               alu(kAddccc, g(4), 0, imm(0)),  // 0 + 0 + carry
               alu(0x14, g(5), 0, imm(1)),     // subcc: icc.c = 1
               alu(kSubccc, g(6), 0, imm(0)), ta(0)});
  guest.state().g(1) = 0xffffffff, guest.state().g(2) = 1;
  guest.run();
  EXPECT_EQ(guest.state().g(4), 1u);
  EXPECT_EQ(guest.state().g(6), ~std::uint64_t{0});
}

TEST(Integer, EveryConditionHoldsAfterALazyCompareAsItsFlagsSay) {
  const std::uint64_t values[] = {0,
                                  1,
                                  5,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x100000000,
                                  ~std::uint64_t{0},
                                  std::uint64_t{1} << 63,
                                  (std::uint64_t{1} << 63) - 1};
  for (const std::uint64_t a : values)
    for (const std::uint64_t c : values)
      for (unsigned cond = 0; cond < 16; ++cond)
        for (const Word op3 : {0x10u, 0x14u, 0x12u}) {  // addcc, subcc, orcc
          // Set CCR and branch in one block, on icc and on xcc; the word after shows if it was taken.
          const Cond condition = static_cast<Cond>(cond);
          One one(alu(op3, 0, g(1), g(2)), a, c);
          one.put(Guest::kText + 4, {b(condition, 3), nop(), add(g(3), g(3), imm(1)), alu(op3, 0, g(1), g(2)),
                                     bx(condition, 3), nop(), add(g(3), g(3), imm(2)), ta(0)});
          one.run();
          const Ccr flags = one.state().cc();
          const bool icc = icc_mask(cond) >> flags.icc & 1, xcc = icc_mask(cond) >> flags.xcc & 1;
          ASSERT_EQ(one.state().g(3), (icc ? 0u : 1u) + (xcc ? 0u : 2u))
              << a << ' ' << op3 << " " << c << " " << cond;
        }
}

TEST(Integer, MultiplicationOf32BitsPutsItsHighHalfIntoY) {
  One unsigned_one(alu(kUmul, g(3), g(1), g(2)), 0xffffffff, 0xffffffff);
  EXPECT_EQ(unsigned_one.result(), 0xfffffffe00000001u);
  EXPECT_EQ(unsigned_one.state().y, 0xfffffffeu);
  One signed_one(alu(kSmul, g(3), g(1), g(2)), 0xffffffff, 2);
  EXPECT_EQ(signed_one.result(), static_cast<std::uint64_t>(-2));
  EXPECT_EQ(signed_one.state().y, 0xffffffffu);
}

TEST(Integer, DivisionOf32BitsSaturatesAndSetsOverflow) {
  One too_large(alu(kUdivcc, g(3), g(1), g(2)), 0, 1);
  too_large.state().y = 1;
  EXPECT_EQ(too_large.result(), 0xffffffffu);
  EXPECT_EQ(too_large.state().cc().icc, 8 | 2);
  One too_small(alu(kSdivcc, g(3), g(1), g(2)), 0, 1);
  too_small.state().y = 0x80000000;
  EXPECT_EQ(too_small.result(), 0xffffffff80000000u);
  One unrepresentable(alu(kSdivcc, g(3), g(1), g(2)), 0, 0xffffffff);
  unrepresentable.state().y = 0x80000000;
  EXPECT_EQ(unrepresentable.result(), 0x7fffffffu);
  EXPECT_TRUE(unrepresentable.state().cc().icc & 2);
}

TEST(Integer, DivisionByZeroIsPrecise) {
  for (const Word op3 : {kUdivx, kSdivx, kUdivcc, kSdivcc}) {
    One one(alu(op3, g(3), g(1), g(2)), 5, 0);
    one.state().g(3) = 77;
    EXPECT_EQ(one.result(), 77u);
    EXPECT_TRUE(one.faulted(FaultKind::DivisionByZero));
  }
}

TEST(Integer, TheSmallestNumberDividedByMinusOneIsItself) {
  EXPECT_EQ(One(alu(kSdivx, g(3), g(1), g(2)), std::uint64_t{1} << 63, ~std::uint64_t{0}).result(),
            std::uint64_t{1} << 63);
}

TEST(Integer, TaggedAdditionSetsOverflowOnTagsAndTrapsOnRequest) {
  One quiet(alu(kTaddcc, g(3), g(1), g(2)), 4, 1);
  EXPECT_EQ(quiet.result(), 5u);
  EXPECT_EQ(quiet.state().cc().icc, 2);
  One trapping(alu(kTaddcctv, g(3), g(1), g(2)), 4, 1);
  EXPECT_EQ(trapping.result(), 0u);
  EXPECT_TRUE(trapping.faulted(FaultKind::TagOverflow));
}

TEST(Integer, ThirtyTwoMultiplyStepsMultiply) {
  // V9 A.39: Y = multiplier, 32 steps with the multiplicand, a last one with 0; the product is rd : Y.
  std::vector<Word> code{op3_word(2, 0x30, 0, g(1), imm(0)), orcc(g(3), 0, imm(0))};
  for (unsigned n = 0; n < 32; ++n) code.push_back(alu(kMulscc, g(3), g(3), g(2)));
  code.insert(code.end(), {alu(kMulscc, g(3), g(3), 0), ta(0)});
  Guest guest(code);
  guest.state().g(1) = 1234567, guest.state().g(2) = 7654321;
  guest.run();
  EXPECT_EQ((guest.state().g(3) & 0xffffffff) << 32 | guest.state().y, 1234567ull * 7654321);
}

TEST(Integer, ShiftsOf32BitsTakeFiveBitsOfCount) {
  EXPECT_EQ(One(alu(kSll, g(3), g(1), g(2)), 1, 33).result(), 2u);
  EXPECT_EQ(One(alu(kSra, g(3), g(1), g(2)), 0x80000000, 31).result(), ~std::uint64_t{0});
  EXPECT_EQ(One(alu(kSll, g(3), g(1), 1u << 12 | g(2)), 1, 33).result(), std::uint64_t{1} << 33);  // sllx
}

TEST(Integer, PopcCountsTheBitsOfItsSecondOperand) {
  EXPECT_EQ(One(alu(kPopc, g(3), 0, g(2)), 0, 0xf0f0).result(), 8u);
  EXPECT_EQ(One(alu(kPopc, g(3), 0, imm(-1)), 0, 0).result(), 64u);
}

TEST(Integer, AWriteOfG0IsDropped) {
  Guest guest({add(0, 0, imm(5)), add(g(1), 0, imm(1)), stx(0, g(2), imm(0)), ta(0)});
  guest.state().g(2) = Guest::kData;
  guest.memory.store<std::uint64_t>(Guest::kData, 9);
  guest.run();
  EXPECT_EQ(guest.state().g(1), 1u);
  std::uint64_t stored = 9;
  guest.memory.load(Guest::kData, stored);
  EXPECT_EQ(stored, 0u);
}

}  // namespace
}  // namespace psim::isa
