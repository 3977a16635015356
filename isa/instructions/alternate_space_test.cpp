// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "isa/exec/testing/bench_guest.h"

namespace psim::isa {
namespace {
using namespace bench;

// op3 of the forms with an ASI (V9 appendix E, table 43).
constexpr Word kLduwa = 0x10, kLduba = 0x11, kLduha = 0x12, kLdtwa = 0x13, kStwa = 0x14, kLdxa = 0x1b,
               kStxa = 0x1e, kLddfa = 0x33, kStdfa = 0x37, kCasa = 0x3c, kCasxa = 0x3e;
/// Encodes an access at r[rs1] + r[rs2] with the ASI in the word.
constexpr Word with_asi(Word op3, Word rd, Word rs1, Word rs2, Word asi) {
  return op3_word(3, op3, rd, rs1, asi << 5 | rs2);
}
constexpr Word wr_asi(int asi) { return op3_word(2, 0x30, 3, 0, imm(asi)); }

struct Fixture : Guest {
  explicit Fixture(std::vector<Word> code) : Guest((code.push_back(ta(0)), code)) {
    state().g(1) = kData;
    memory.store<std::uint64_t>(kData, 0x0102030405060708);
    memory.store<std::uint64_t>(kData + 8, 0x1112131415161718);
  }
  std::uint64_t data(std::uint64_t offset) {
    std::uint64_t value = 0;
    memory.load(kData + offset, value);
    return value;
  }
  FaultKind only_fault() {
    return environment.faults.size() == 1 ? environment.faults[0].kind : FaultKind::FpIeee;
  }
};

TEST(AlternateSpace, PrimaryAndSecondaryAreOrdinaryMemory) {
  Fixture guest({with_asi(kLdxa, g(2), g(1), 0, 0x80), with_asi(kLduwa, g(3), g(1), 0, 0x81),
                 with_asi(kStxa, g(2), g(1), g(4), 0x80)});
  guest.state().g(4) = 64;
  guest.run();
  EXPECT_EQ(guest.state().g(2), 0x0102030405060708u);
  EXPECT_EQ(guest.state().g(3), 0x01020304u);
  EXPECT_EQ(guest.data(64), 0x0102030405060708u);
}

TEST(AlternateSpace, AnImmediateFormTakesItsAsiFromTheRegister) {
  Fixture guest({wr_asi(0x88), op3_word(3, kLdxa, g(2), g(1), imm(8))});
  guest.run();
  EXPECT_EQ(guest.state().g(2), 0x1817161514131211u);
}

TEST(AlternateSpace, LittleEndianAccessesSwapTheirBytes) {
  Fixture guest({with_asi(kLduha, g(2), g(1), 0, 0x88), with_asi(kLduwa, g(3), g(1), 0, 0x89),
                 with_asi(kStwa, g(5), g(1), g(4), 0x88), with_asi(kLdtwa, o(0), g(1), 0, 0x88)});
  guest.state().g(4) = 64, guest.state().g(5) = 0xaabbccdd;
  guest.run();
  EXPECT_EQ(guest.state().g(2), 0x0201u);
  EXPECT_EQ(guest.state().g(3), 0x04030201u);
  EXPECT_EQ(guest.data(64), 0xddccbbaa00000000u);
  EXPECT_EQ(guest.state().o(0), 0x04030201u);  // each half separately
  EXPECT_EQ(guest.state().o(1), 0x08070605u);
}

TEST(AlternateSpace, ANoFaultLoadReadsZeroWhereNothingIsMappedButMustBeAligned) {
  Fixture guest({with_asi(kLdxa, g(2), g(3), 0, 0x82), with_asi(kLduba, g(4), g(1), 0, 0x83),
                 with_asi(kLdxa, g(5), g(3), g(6), 0x82)});
  guest.state().g(2) = 5, guest.state().g(3) = 0x5000000000, guest.state().g(6) = 4;
  guest.run();
  EXPECT_EQ(guest.state().g(2), 0u);
  EXPECT_EQ(guest.state().g(4), 1u);
  EXPECT_EQ(guest.only_fault(), FaultKind::Misaligned);
}

TEST(AlternateSpace, AStoreToANoFaultSpaceIsAnError) {
  Fixture guest({with_asi(kStxa, g(2), g(1), 0, 0x82)});
  guest.run();
  EXPECT_EQ(guest.only_fault(), FaultKind::UnknownAsi);
  EXPECT_EQ(guest.environment.faults[0].asi, 0x82);
}

TEST(AlternateSpace, AsisBelow0x80ArePrivileged) {
  Fixture guest({with_asi(kLdxa, g(2), g(1), 0, 0x10)});
  guest.run();
  EXPECT_EQ(guest.only_fault(), FaultKind::PrivilegedInstruction);
}

TEST(AlternateSpace, AnUnknownAsiIsNamed) {
  Fixture guest({with_asi(kLdxa, g(2), g(1), 0, 0xbf)});
  guest.run();
  EXPECT_EQ(guest.only_fault(), FaultKind::UnknownAsi);
  EXPECT_EQ(guest.environment.faults[0].asi, 0xbf);
}

TEST(AlternateSpace, ABlockAccessMovesEightDoublewords) {
  Fixture guest({with_asi(kLddfa, 0, g(1), 0, 0xf0), with_asi(kStdfa, 0, g(1), g(2), 0xf0)});
  guest.state().g(2) = 128;
  for (std::uint64_t n = 0; n < 8; ++n) guest.memory.store<std::uint64_t>(Guest::kData + 8 * n, 100 + n);
  guest.run();
  for (unsigned n = 0; n < 8; ++n) {
    EXPECT_EQ(guest.state().f[n], 100 + n);
    EXPECT_EQ(guest.data(128 + 8 * n), 100 + n);
  }
}

TEST(AlternateSpace, ABlockMustBeAlignedAndNameAFirstRegister) {
  Fixture misaligned({with_asi(kLddfa, 0, g(1), g(2), 0xf0)});
  misaligned.state().g(2) = 32;
  misaligned.run();
  EXPECT_EQ(misaligned.only_fault(), FaultKind::Misaligned);
  Fixture wrong_register({with_asi(kLddfa, 8, g(1), 0, 0xf0)});
  wrong_register.run();
  EXPECT_EQ(wrong_register.only_fault(), FaultKind::IllegalInstruction);
}

TEST(AlternateSpace, APartialStoreWritesTheElementsOfItsMask) {
  // The mask is in rs2, its bit 0 for the least significant element; the address is rs1 alone.
  Fixture guest({with_asi(kStdfa, 0, g(1), g(2), 0xc0), with_asi(kStdfa, 0, g(3), g(4), 0xc4)});
  guest.state().f[0] = 0xa0a1a2a3a4a5a6a7;
  guest.state().g(2) = 0x81, guest.state().g(3) = Guest::kData + 8, guest.state().g(4) = 2;
  guest.run();
  EXPECT_EQ(guest.data(0), 0xa0020304050607a7u);
  EXPECT_EQ(guest.data(8), 0xa0a1a2a315161718u);
}

TEST(AlternateSpace, AShortLoadExtendsAByteOrAHalfwordByZeroes) {
  Fixture guest({with_asi(kLddfa, 0, g(1), g(2), 0xd0), with_asi(kLddfa, 2, g(1), g(2), 0xd2),
                 with_asi(kLddfa, 4, g(1), g(2), 0xda), with_asi(kStdfa, 0, g(1), g(3), 0xd2)});
  guest.state().g(2) = 2, guest.state().g(3) = 8, guest.state().f[0] = ~std::uint64_t{0};
  guest.run();
  EXPECT_EQ(guest.state().f[0], 0x03u);
  EXPECT_EQ(guest.state().f[1], 0x0304u);
  EXPECT_EQ(guest.state().f[2], 0x0403u);
  EXPECT_EQ(guest.data(8), 0x0003131415161718u);
}

TEST(AlternateSpace, ATwinLoadFillsARegisterPair) {
  Fixture guest({with_asi(kLdtwa, o(0), g(1), 0, 0xe2), with_asi(kLdtwa, o(2), g(1), g(2), 0xe2)});
  guest.state().g(2) = 8;
  guest.run();
  EXPECT_EQ(guest.state().o(0), 0x0102030405060708u);
  EXPECT_EQ(guest.state().o(1), 0x1112131415161718u);
  EXPECT_EQ(guest.only_fault(), FaultKind::Misaligned);  // 16-byte alignment
}

TEST(AlternateSpace, CompareAndSwapStoresOnlyWhenEqualAndAlwaysReturnsMemory) {
  Fixture guest({with_asi(kCasxa, g(2), g(1), g(3), 0x80), with_asi(kCasa, g(4), g(5), g(6), 0x80)});
  guest.state().g(2) = 1, guest.state().g(3) = 0x0102030405060708;
  guest.state().g(4) = 0xdeadbeef, guest.state().g(5) = Guest::kData + 8, guest.state().g(6) = 0;
  guest.run();
  EXPECT_EQ(guest.data(0), 1u);
  EXPECT_EQ(guest.state().g(2), 0x0102030405060708u);
  EXPECT_EQ(guest.data(8), 0x1112131415161718u);  // not equal: unchanged
  EXPECT_EQ(guest.state().g(4), 0x11121314u);
}

TEST(AlternateSpace, AStoreToAForbiddenPageChangesNothing) {
  Fixture guest({with_asi(kCasxa, g(2), g(3), 0, 0x80)});
  guest.state().g(2) = 7, guest.state().g(3) = Guest::kText + 64;
  guest.run();
  EXPECT_EQ(guest.only_fault(), FaultKind::NotPermitted);
  EXPECT_EQ(guest.state().g(2), 7u);
}

}  // namespace
}  // namespace psim::isa
