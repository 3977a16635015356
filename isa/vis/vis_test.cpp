// SPDX-License-Identifier: Apache-2.0
// Vectors computed by hand from the definitions (OSA2011); tests/fp/vis.c also compares VIS 1 and 2 with
// another machine.
#include <gtest/gtest.h>

#include "isa/vis/address.h"
#include "isa/vis/arithmetic.h"
#include "isa/vis/multiply.h"
#include "isa/vis/pack.h"

namespace psim::isa::vis {
namespace {

TEST(VisArithmetic, LanesAddWithoutCarryBetweenThem) {
  EXPECT_EQ((fpadd<u16, u64>(0xffff'7fff'0001'8000, 0x0001'0001'0002'8000)), 0x0000'8000'0003'0000u);
  EXPECT_EQ((fpsub<u32, u64>(0x00000000'80000000, 0x00000001'00000001)), 0xffffffff'7fffffffu);
  EXPECT_EQ((fpadd<u16, u32>(0xffff0001, 0x00010001)), 0x00000002u);
}
TEST(VisArithmetic, SaturatingAddsStopAtTheEndsOfSignedLanes) {
  EXPECT_EQ((fpadds<s16, u64>(0x7fff'8000'0001'ffff, 0x0001'ffff'0001'0001)), 0x7fff'8000'0002'0000u);
  EXPECT_EQ((fpsubs<s32, u64>(0x80000000'7fffffff, 0x00000001'ffffffff)), 0x80000000'7fffffffu);
}
TEST(VisArithmetic, ShiftsTakeTheirCountsLaneByLaneModuloTheWidth) {
  EXPECT_EQ(shift_left<u16>(0x0001'0001'0001'0001, 0x0000'0001'000f'0010), 0x0001'0002'8000'0001u);
  EXPECT_EQ(shift_right<u16>(0x8000'8000'8000'8000, 0x0001'000f'0010'0004), 0x4000'0001'8000'0800u);
  EXPECT_EQ(shift_right<s32>(0x80000000'40000000, 0x00000004'00000021), 0xf8000000'20000000u);
  EXPECT_EQ(shift_left_saturating<s16>(0x0001'4000'c000'bfff, 0x000e'0001'0001'0001), 0x4000'7fff'8000'8000u);
  EXPECT_EQ(shift_left_saturating<s32>(0xffffffff'00000001, 0x0000001f'0000001f), 0x80000000'7fffffffu);
}
TEST(VisArithmetic, MeansRoundHalvesUpwards) {
  EXPECT_EQ(fmean16(0x0001'ffff'7fff'8000, 0x0002'0000'7fff'8000), 0x0002'0000'7fff'8000u);
  EXPECT_EQ(fmean16(0xfffd'0000'0000'0000, 0xfffe'0000'0000'0000), 0xfffe'0000'0000'0000u);  // -2.5 to -2
}
TEST(VisArithmetic, ChecksumsBringTheCarryBack) {
  EXPECT_EQ(fchksm16(0xffff'8000'1234'ffff, 0x0001'8000'1111'ffff), 0x0001'0001'2345'ffffu);
}
TEST(VisArithmetic, DistanceSumsAbsoluteDifferencesOfBytes) {
  EXPECT_EQ(pdistn(0x00ff'0010'0000'0001, 0xff00'0011'0000'0003), 255u + 255 + 1 + 2);
  EXPECT_EQ(pdist(0xff00000000000000, 0, 1000), 1255u);
}
TEST(VisArithmetic, ComparesPutTheLeastSignificantLaneInBitZero) {
  EXPECT_EQ(fpcmpgt<s16>(0x0001'ffff'0000'8000, 0x0000'0000'0000'7fff), 0b1000u);
  EXPECT_EQ(fpcmple<s16>(0x0001'ffff'0000'8000, 0x0000'0000'0000'7fff), 0b0111u);
  EXPECT_EQ(fpcmpgt<u8>(0xff00'0000'0000'0001, 0x0100'0000'0000'0000), 0b1000'0001u);
  EXPECT_EQ(fpcmpeq<s32>(0x12345678'00000001, 0x12345678'00000000), 0b10u);
}
TEST(VisArithmetic, CarrylessProductsHave128Bits) {
  EXPECT_EQ(xmulx(0b101, 0b11), 0b1111u);
  EXPECT_EQ(xmulx(~u64{0}, ~u64{0}), 0x5555555555555555u);
  EXPECT_EQ(xmulxhi(~u64{0}, ~u64{0}), 0x5555555555555555u);
  EXPECT_EQ(xmulxhi(u64{1} << 63, 2), 1u);
}
TEST(VisArithmetic, IntegerMultiplyAddCarriesIntoTheHighHalf) {
  EXPECT_EQ(fpmaddx(~u64{0}, ~u64{0}, ~u64{0}), 0u);
  EXPECT_EQ(fpmaddxhi(~u64{0}, ~u64{0}, ~u64{0}), ~u64{0});
  EXPECT_EQ(fpmaddxhi(u64{1} << 32, u64{1} << 32, 5), 1u);
}

TEST(VisMultiply, ProductsAreRoundedToNearest) {
  EXPECT_EQ(fmul8x16(0x80ff0102, 0x0100'0100'0080'ff80), 0x0080'00ff'0001'ffffu);
  EXPECT_EQ(fmul8x16a<0>(0x01020304, 0x01004000), 0x0001'0002'0003'0004u);
  EXPECT_EQ(fmul8x16a<1>(0x01020304, 0x40000100), 0x0001'0002'0003'0004u);
}
TEST(VisMultiply, TheTwoHalvesOf16BitProductsAddUp) {
  // 0x1234 × 0x0567 = 0x62 5e6c… : upper half by the sum of the byte products.
  const u64 a = 0x1234'fedc'8000'7fff, b = 0x0567'1000'7fff'8000;
  const u64 sum = fpadd<u16, u64>(fmul8sux16(a, b), fmul8ulx16(a, b));
  EXPECT_EQ(lane<s16>(sum, 0), 0x62);  // 0x12 × 0x567 = 0x613e: 0x61; 0x34 × 0x567 = 0x118ec: 0x1
  EXPECT_EQ(lane<s16>(sum, 1), -0x12);
  EXPECT_EQ(lane<s16>(sum, 2), -0x3fff);  // -128 × 32767 / 256 = -16383.5, upwards
}
TEST(VisMultiply, FullProductsFillWords) {
  EXPECT_EQ(fmuld8sux16(0x0200ff00, 0x0003'0003), 0x00000600'fffffd00u);
  EXPECT_EQ(fmuld8ulx16(0x000200ff, 0xffff'0003), 0xfffffffe'000002fdu);
}

constexpr u64 scale(unsigned n) { return u64{n} << 3; }

TEST(VisPack, Fpack16ClampsToUnsignedBytes) {
  EXPECT_EQ(fpack16(0x0080'7fff'8000'0040, scale(0)), 0x01ff0000u);
  EXPECT_EQ(fpack16(0x0080'0100'ffff'0040, scale(2)), 0x04080002u);
}
TEST(VisPack, Fpack32ShiftsTheOldBytesUp) {
  EXPECT_EQ(fpack32(0x01020304'05060708, 0x00800000'80000000, scale(0)), 0x02030401'06070800u);
  EXPECT_EQ(fpack32(0, 0x7fffffff'00010000, scale(7)), 0x000000ff'00000001u);
}
TEST(VisPack, FpackfixClampsToSignedHalfwords) {
  EXPECT_EQ(fpackfix(0x00010000'ffff0000, scale(0)), 0x0001ffffu);
  EXPECT_EQ(fpackfix(0x7fffffff'80000000, scale(1)), 0x7fff8000u);
}
TEST(VisPack, ExpandAndMergeSpreadBytes) {
  EXPECT_EQ(fexpand(0x01ff8000), 0x0010'0ff0'0800'0000u);
  EXPECT_EQ(fpmerge(0x11223344, 0xaabbccdd), 0x11aa22bb33cc44ddu);
}
TEST(VisPack, AlignTakesEightOfSixteenBytes) {
  EXPECT_EQ(faligndata(0x0011223344556677, 0x8899aabbccddeeff, 0), 0x0011223344556677u);
  EXPECT_EQ(faligndata(0x0011223344556677, 0x8899aabbccddeeff, 3), 0x33445566778899aau);
}
TEST(VisPack, ShuffleTakesBytesByTheMask) {
  EXPECT_EQ(bshuffle(0x0011223344556677, 0x8899aabbccddeeff, 0xf0e1d2c3ull << 32), 0xff00ee11dd22cc33u);
}
TEST(VisPack, CmaskSelectsFromTheFirstSourceWhereTheBitIsSet) {
  EXPECT_EQ(cmask<u8>(0xff, 0x99), 0x01234567'00000099u);
  EXPECT_EQ(cmask<u8>(0x00, 0), 0x89abcdef'00000000u);
  EXPECT_EQ(cmask<u8>(0x01, 0), 0x89abcde7'00000000u);
  EXPECT_EQ(cmask<u16>(0b0101, 0), 0x8923cd67'00000000u);
  EXPECT_EQ(cmask<u32>(0b10, 0), 0x0123cdef'00000000u);
}

TEST(VisAddress, EdgesMarkTheLanesInsideTheLine) {
  EXPECT_EQ((edge<u8, false>(0x1003, 0x2000)), 0b0001'1111u);
  EXPECT_EQ((edge<u8, false>(0x1003, 0x1005)), 0b0001'1100u);
  EXPECT_EQ((edge<u8, true>(0x1003, 0x1005)), 0b0011'1000u);
  EXPECT_EQ((edge<u16, false>(0x1002, 0x1004)), 0b0110u);
  EXPECT_EQ((edge<u32, false>(0x1004, 0x1004)), 0b01u);
  EXPECT_EQ((edge<u32, true>(0x1004, 0x2000)), 0b10u);
}
TEST(VisAddress, ArraysAreBlockedAtThreeLevels) {
  EXPECT_EQ(array<0>(u64{3} << 11, 0), 3u);
  EXPECT_EQ(array<0>(u64{1} << 33, 0), 4u);
  EXPECT_EQ(array<0>(u64{1} << 55, 0), 16u);
  EXPECT_EQ(array<0>(u64{1} << 13, 0), 32u);
  EXPECT_EQ(array<1>(u64{1} << 35, 0), 1024u);
  EXPECT_EQ(array<2>(u64{1} << 17, 1), u64{1} << 19);
  EXPECT_EQ(array<0>(u64{1} << 39, 3), u64{1} << 20);
  EXPECT_EQ(array<0>(u64{1} << 60, 3), u64{1} << 23);
}

}  // namespace
}  // namespace psim::isa::vis
