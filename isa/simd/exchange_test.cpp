// SPDX-License-Identifier: Apache-2.0
// Moves between scalar and PE registers, sums, explicit access to SBM, state registers: each row once.
#include <gtest/gtest.h>

#include <bit>

#include "isa/simd/testing/simd_guest.h"

namespace psim::isa {
namespace {

using namespace bench;

constexpr Word extension(Word opf, unsigned rd, Word rs1, unsigned rs2) {
  return op3_word(2, 0x36, d_field(rd), rs1, opf << 5 | d_field(rs2));
}
std::uint64_t bits_of(float value) { return std::uint64_t{std::bit_cast<std::uint32_t>(value)} << 32; }

TEST(Exchange, ABroadcastGivesEveryEnabledPeTheScalarValue) {
  SimdGuest guest({extension(0x92, 34, 0, 2), ta(0)});
  guest.d(2) = 2.5;
  guest.simd().set_mask(0x8003);
  guest.run();
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.lane(34, pe), pe < 2 || pe == 15 ? 2.5 : 0);
}

TEST(Exchange, SinglesGoToTheirHalf) {
  SimdGuest guest({op3_word(2, 0x36, 5, 0, 0x91 << 5 | 2), ta(0)});  // fbcasts %f2, %f5
  guest.state().f[1] = 0x1234567800000000;
  guest.simd().f[2][3] = 0xaaaaaaaabbbbbbbb;
  guest.run();
  EXPECT_EQ(guest.simd().f[2][3], 0xaaaaaaaa12345678u);
}

TEST(Exchange, APutAndAGetNameTheirPeWhateverTheMask) {
  SimdGuest guest({extension(0x96, 4, g(1), 2), extension(0x9a, 8, g(2), 6), ta(0)});
  guest.state().g(1) = 5, guest.state().g(2) = 9;
  guest.d(2) = 1.25;
  guest.set_lanes(6, [](unsigned pe) { return 10.0 + pe; });
  guest.simd().set_mask(0);
  guest.run();
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.lane(4, pe), pe == 5 ? 1.25 : 0);
  EXPECT_EQ(guest.d(8), 19.0);
}

TEST(Exchange, SinglePutsAndGetsMoveOneWord) {
  SimdGuest guest(
      {op3_word(2, 0x36, 7, g(1), 0x95 << 5 | 2), op3_word(2, 0x36, 9, g(1), 0x99 << 5 | 7), ta(0)});
  guest.state().g(1) = 3;
  guest.state().f[1] = 0x1234567800000000;
  guest.run();
  EXPECT_EQ(guest.simd().f[3][3], 0x12345678u);
  EXPECT_EQ(guest.state().f[4], 0x12345678u);
}

TEST(Exchange, APeThatDoesNotExistIsAnException) {
  SimdGuest guest({extension(0x9a, 8, g(2), 6), ta(0)});
  guest.state().g(2) = 16;
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::PeOperand);
  EXPECT_EQ(guest.environment.faults[0].address, 16u);
}

TEST(Exchange, EveryPeReadsItsNumber) {
  SimdGuest guest({extension(0x9e, 4, 0, 0), ta(0)});
  guest.run();
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.simd().f[2][pe], pe);
}

TEST(Exchange, SumsAddNeighboursFirstAndLeaveMaskedPesOut) {
  SimdGuest guest({extension(0xa2, 4, 0, 2), extension(0xa6, 6, 0, 2), ta(0)});
  // Added one by one in order, both ones would be lost.
  const double big = 9007199254740992.0;
  const double values[] = {big, 1.0, 1.0, -big};
  guest.set_lanes(2, [&](unsigned pe) { return pe < 4 ? values[pe] : 100.0; });
  guest.simd().set_mask(0xf);
  guest.run();
  const double expected = (big + 1.0) + (1.0 - big);
  EXPECT_EQ(guest.d(4), expected);
  EXPECT_NE(guest.d(4), ((big + 1.0) + 1.0) - big);
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.lane(6, pe), pe < 4 ? expected : 0);
}

TEST(Exchange, SumsOfSinglesRoundAsSingles) {
  SimdGuest guest({op3_word(2, 0x36, 4, 0, 0xa1 << 5 | 2), op3_word(2, 0x36, 6, 0, 0xa5 << 5 | 2), ta(0)});
  for (unsigned pe = 0; pe < 16; ++pe) guest.simd().f[1][pe] = bits_of(0.1f * static_cast<float>(pe));
  float v[16];
  for (unsigned pe = 0; pe < 16; ++pe) v[pe] = 0.1f * static_cast<float>(pe);
  for (unsigned step = 1; step < 16; step *= 2)
    for (unsigned pe = 0; pe < 16; pe += 2 * step) v[pe] += v[pe + step];
  guest.run();
  EXPECT_EQ(guest.state().f[2], bits_of(v[0]));
  for (unsigned pe = 0; pe < 16; ++pe) EXPECT_EQ(guest.simd().f[3][pe], bits_of(v[0]));
}

TEST(Exchange, TheSumOfNoPeIsZero) {
  SimdGuest guest({extension(0xa2, 4, 0, 2), ta(0)});
  guest.d(4) = 3;
  guest.set_lanes(2, [](unsigned) { return 1.0; });
  guest.simd().set_mask(0);
  guest.run();
  EXPECT_EQ(guest.state().f[2], 0u);
}

TEST(Exchange, TheAsiOfSbmReachesEveryPeInScalarState) {
  const Word asi = 0xb8u << 5;
  SimdGuest guest({op3_word(3, 0x1e, g(2), g(1), asi), op3_word(3, 0x1b, g(3), g(1), asi),
                   op3_word(3, 0x33, 4, g(1), asi), op3_word(3, 0x11, g(4), g(5), asi), ta(0)});
  guest.state().g(1) = 7u << 20 | 40, guest.state().g(2) = 0x4008000000000000;
  guest.state().g(5) = 7u << 20 | 41;
  guest.run();
  EXPECT_EQ(guest.sbm(40, 7), 3.0);
  EXPECT_EQ(guest.sbm(40, 6), 0);
  EXPECT_EQ(guest.state().g(3), 0x4008000000000000u);
  EXPECT_EQ(guest.d(4), 3.0);
  EXPECT_EQ(guest.state().g(4), 0x08u);
}

TEST(Exchange, TheAsiOfSbmEndsWithSbmAndThePes) {
  const Word asi = 0xb8u << 5;
  for (const std::uint64_t address : {std::uint64_t{16} << 20, std::uint64_t{65536}}) {
    SimdGuest guest({op3_word(3, 0x1b, g(3), g(1), asi), ta(0)});
    guest.state().g(1) = address;
    guest.run();
    ASSERT_EQ(guest.environment.faults.size(), 1u);
    EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::PeAccess);
  }
}

TEST(Exchange, ACrossOperationInScalarStateIsAnException) {
  SimdGuest guest({extension(0xc2, 4, d_field(0), 2), ta(0)});
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::PeState);
}

TEST(Exchange, StateRegistersReadBackTheirValues) {
  SimdGuest guest({op3_word(2, 0x30, 9, g(1), 0), op3_word(2, 0x30, 10, g(2), 0),
                   op3_word(2, 0x28, g(3), 8, 0), op3_word(2, 0x28, g(4), 9, 0),
                   op3_word(2, 0x28, g(5), 10, 0), ta(0)});
  guest.state().g(1) = 0xf0003, guest.state().g(2) = std::uint64_t{16} << 48 | 0x4000;
  guest.run();
  EXPECT_EQ(guest.state().g(3), (64u << 10) / 64 << 16 | 16u << 8) << "SBM of 64 KiB, 16 PEs";
  EXPECT_EQ(guest.state().g(4), 3u) << "only PEs that exist";
  EXPECT_EQ(guest.state().g(5), std::uint64_t{16} << 48 | 0x4000);
  EXPECT_EQ(guest.simd().stack_bytes, 1024u);
}

TEST(Exchange, AStackWindowLargerThanSbmIsAnException) {
  SimdGuest guest({op3_word(2, 0x30, 10, g(2), 0), ta(0)});
  guest.state().g(2) = std::uint64_t{1025} << 48;
  guest.run();
  ASSERT_EQ(guest.environment.faults.size(), 1u);
  EXPECT_EQ(guest.environment.faults[0].kind, FaultKind::PeOperand);
}

}  // namespace
}  // namespace psim::isa
