// SPDX-License-Identifier: Apache-2.0
// Floating-point instructions as words, executed by their handlers: %fsr, traps, rounding, register numbers.
#include <gtest/gtest.h>

#include "isa/instructions/testing/strand.h"

namespace psim::isa {
namespace {

using testing::fpop1;
using testing::fpop2;
using testing::Strand;
using u64 = std::uint64_t;

constexpr u64 kOne = 0x3ff0000000000000, kTwo = 0x4000000000000000, kThree = 0x4008000000000000,
              kNan = 0x7fffffffffffffff, kLargest = 0x7fefffffffffffff;
constexpr u64 kAexcNx = 1u << 5, kCexcNx = 1, kAexcNv = 16u << 5, kCexcNv = 16, kAexcDz = 2u << 5;
constexpr unsigned kTemShift = 23;

constexpr std::uint32_t faddd(unsigned rd, unsigned rs1, unsigned rs2) { return fpop1(0x42, rd, rs1, rs2); }
constexpr std::uint32_t fdivd(unsigned rd, unsigned rs1, unsigned rs2) { return fpop1(0x4e, rd, rs1, rs2); }

TEST(Fsr, CexcIsOfTheLastOperationAndAexcOfAll) {
  Strand s;
  s.d(0) = kOne, s.d(2) = kThree, s.d(4) = 0;
  ASSERT_TRUE(s.run(fdivd(6, 0, 2)));
  EXPECT_EQ(s.fsr(), kAexcNx | kCexcNx);
  ASSERT_TRUE(s.run(fdivd(6, 4, 4)));
  EXPECT_EQ(s.d(6), kNan);
  EXPECT_EQ(s.fsr(), kAexcNx | kAexcNv | kCexcNv);
  ASSERT_TRUE(s.run(faddd(6, 0, 0)));
  EXPECT_EQ(s.d(6), kTwo);
  EXPECT_EQ(s.fsr(), kAexcNx | kAexcNv);
}
TEST(Fsr, MovesClearCexc) {
  Strand s;
  s.d(0) = kOne, s.d(2) = kThree;
  ASSERT_TRUE(s.run(fdivd(6, 0, 2)));
  ASSERT_TRUE(s.run(fpop1(0x02, 8, 0, 0)));  // fmovd
  EXPECT_EQ(s.d(8), kOne);
  EXPECT_EQ(s.fsr(), kAexcNx);
}
TEST(Fsr, CexcIsOfTheRoundingModeTheOperationRanIn) {
  Strand s;
  s.d(0) = kLargest;
  s.set_fsr(u64{1} << 30);
  ASSERT_TRUE(s.run(faddd(2, 0, 0)));
  EXPECT_EQ(s.d(2), kLargest) << "towards zero, overflow gives the largest number";
  ASSERT_TRUE(s.run(2u << 30 | 19u << 25 | 0x30u << 19 | 1u << 13));  // wr %g0, 0, %gsr
  EXPECT_EQ(s.fsr() & 31, 8u | 1);
}
TEST(Fsr, LdfsrLeavesTheUpperConditionCodesAlone) {
  Strand s;
  fp::write_fsr(s.c, ~u64{0}, fp::kLdxfsr);
  EXPECT_EQ(s.fsr(), 0x3fcfc00fffu);
  fp::write_fsr(s.c, 0, fp::kLdfsr);
  EXPECT_EQ(s.fsr(), 0x3f00000000u);
}

TEST(Rounding, FollowsFsrAndGsr) {
  Strand s;
  s.d(0) = kOne, s.d(2) = kThree;
  const u64 down = 0x3fd5555555555555, up = 0x3fd5555555555556;
  for (const auto& [rd, expected] : {std::pair{0, down}, {1, down}, {2, up}, {3, down}}) {
    s.set_fsr(static_cast<u64>(rd) << 30);
    ASSERT_TRUE(s.run(fdivd(4, 0, 2)));
    EXPECT_EQ(s.d(4), expected) << "fsr.rd " << rd;
  }
  const std::uint32_t siam = 2u << 30 | 0x36u << 19 | 0x81u << 5;
  ASSERT_TRUE(s.run(siam | 6));  // GSR.im, upwards
  ASSERT_TRUE(s.run(fdivd(4, 0, 2)));
  EXPECT_EQ(s.d(4), up);
  EXPECT_EQ(s.c.gsr, u64{6} << 25);
  ASSERT_TRUE(s.run(siam | 0));
  ASSERT_TRUE(s.run(fdivd(4, 0, 2)));
  EXPECT_EQ(s.d(4), down);
}

TEST(Traps, AnEnabledExceptionLeavesDestinationAndAexcAlone) {
  Strand s;
  s.d(0) = kOne, s.d(2) = 0, s.d(4) = 0x1234;
  s.set_fsr(u64{2} << kTemShift | kAexcNx);
  EXPECT_FALSE(s.run(fdivd(4, 0, 2)));
  EXPECT_EQ(s.c.fault.kind, FaultKind::FpIeee);
  EXPECT_EQ(s.d(4), 0x1234u);
  EXPECT_EQ(s.fsr(), u64{2} << kTemShift | kAexcNx | 1u << 14 | 2) << "ftt IEEE_754_exception, cexc dzc";
}
TEST(Traps, WithATrapEnabledOtherExceptionsAccrueAsEver) {
  Strand s;
  s.d(0) = kOne, s.d(2) = kThree, s.d(4) = 0;
  s.set_fsr(u64{16} << kTemShift);
  ASSERT_TRUE(s.run(fdivd(6, 0, 2)));
  EXPECT_EQ(s.d(6), 0x3fd5555555555555u);
  EXPECT_EQ(s.fsr(), u64{16} << kTemShift | kAexcNx | kCexcNx);
  ASSERT_TRUE(s.run(fdivd(6, 0, 4)));
  EXPECT_EQ(s.fsr(), u64{16} << kTemShift | kAexcNx | kAexcDz | 2);
}
TEST(Traps, OverflowIsTakenBeforeInexactAndSetsOneBit) {
  Strand s;
  s.d(0) = kLargest;
  s.set_fsr(u64{9} << kTemShift);
  EXPECT_FALSE(s.run(faddd(2, 0, 0)));
  EXPECT_EQ(s.fsr() & 31, 8u);
  s.set_fsr(u64{1} << kTemShift);
  EXPECT_FALSE(s.run(faddd(2, 0, 0)));
  EXPECT_EQ(s.fsr() & 31, 1u);
}
TEST(Traps, ExactTinyResultsUnderflowOnlyIfTheTrapIsEnabled) {
  Strand s;
  s.d(0) = 2, s.d(2) = 1;  // subnormal - subnormal is exact
  ASSERT_TRUE(s.run(fpop1(0x46, 4, 0, 2)));
  EXPECT_EQ(s.fsr(), 0u);
  s.set_fsr(u64{4} << kTemShift);
  EXPECT_FALSE(s.run(fpop1(0x46, 4, 0, 2)));
  EXPECT_EQ(s.fsr() & 31, 4u);
}

// The product of the largest subnormal and 1 + 2^-52 is 2^-1022 (1 - 2^-104): tiny before rounding, and
// rounded to the least normal number. SPARC JPS1 requires that this underflows (V9 5.1.7.10, impl. dep. #55).
TEST(Underflow, IsDetectedBeforeRounding) {
  for (const u64 mode : {0u, 1u, 2u, 3u}) {
    Strand s;
    s.d(0) = 0x000fffffffffffff, s.d(2) = 0x3ff0000000000001;
    s.set_fsr(mode << 30);
    ASSERT_TRUE(s.run(fpop1(0x4a, 4, 0, 2)));  // fmuld
    EXPECT_EQ(s.d(4), mode == 0 || mode == 2 ? 0x0010000000000000u : 0x000fffffffffffffu) << mode;
    EXPECT_EQ(s.fsr(), mode << 30 | 5u << 5 | 5u) << "ufa, nxa, ufc, nxc; mode " << mode;
    s.d(4) = 0;
    s.set_fsr(mode << 30 | u64{4} << kTemShift);
    EXPECT_FALSE(s.run(fpop1(0x4a, 4, 0, 2))) << "the trap is taken";
    EXPECT_EQ(s.d(4), 0u);
  }
}
TEST(Underflow, OfAConversionIsDetectedBeforeRounding) {
  Strand s;
  s.d(0) = 0x380fffffffffffff;               // 2^-126 (1 - 2^-53)
  ASSERT_TRUE(s.run(fpop1(0xc6, 4, 0, 0)));  // fdtos
  EXPECT_EQ(s.d(4) >> 32, 0x00800000u);
  EXPECT_EQ(s.fsr(), 5u << 5 | 5u);
}
TEST(Underflow, AnExactLeastNormalNumberIsNone) {
  Strand s;
  s.d(0) = 0x0020000000000000, s.d(2) = 0x3fe0000000000000;
  ASSERT_TRUE(s.run(fpop1(0x4a, 4, 0, 2)));
  EXPECT_EQ(s.d(4), 0x0010000000000000u);
  EXPECT_EQ(s.fsr(), 0u);
}

TEST(Compare, WritesTheNamedConditionCode) {
  Strand s;
  s.d(0) = kOne, s.d(2) = kTwo, s.d(4) = kNan;
  ASSERT_TRUE(s.run(fpop2(0x52, 0, 0, 2)));  // fcmpd %fcc0
  ASSERT_TRUE(s.run(fpop2(0x52, 1, 2, 0)));
  ASSERT_TRUE(s.run(fpop2(0x52, 3, 0, 4)));
  EXPECT_EQ(s.fsr(), u64{1} << 10 | u64{2} << 32 | u64{3} << 36);
  ASSERT_TRUE(s.run(fpop2(0x56, 2, 0, 4)));  // fcmped
  EXPECT_EQ(s.fsr() & (kAexcNv | kCexcNv), kAexcNv | kCexcNv);
}
TEST(ConditionalMoves, MoveWhereTheConditionHolds) {
  Strand s;
  s.d(0) = kOne, s.d(2) = kTwo, s.d(4) = 0;
  s.c.r[9] = 5;
  s.c.set_cc({0, 4});                                // xcc.z
  ASSERT_TRUE(s.run(fpop2(1u << 8 | 2u, 4, 1, 0)));  // fmovde %icc: bit 13 of the word, cc 100
  EXPECT_EQ(s.d(4), 0u);
  ASSERT_TRUE(s.run(fpop2(1u << 8 | 2u << 6 | 2u, 4, 1, 0)));  // fmovde %xcc
  EXPECT_EQ(s.d(4), kOne);
  ASSERT_TRUE(s.run(fpop2(0x52, 2, 0, 2)));          // fcmpd %fcc2: less
  ASSERT_TRUE(s.run(fpop2(2u << 6 | 2u, 4, 4, 2)));  // fmovdl %fcc2
  EXPECT_EQ(s.d(4), kTwo);
  ASSERT_TRUE(s.run(fpop2(5u << 5 | 6u, 4, 9, 0)));  // fmovrdne %o1
  EXPECT_EQ(s.d(4), kOne);
}

TEST(Registers, SinglesAreHalvesAndOddFieldsNameTheUpperDoubles) {
  Strand s;
  s.d(0) = 0x3f80000040000000;               // %f0 = 1, %f1 = 2
  ASSERT_TRUE(s.run(fpop1(0x41, 3, 0, 1)));  // fadds %f0, %f1, %f3
  EXPECT_EQ(s.d(2), 0x40400000u);
  s.d(32) = kOne;
  ASSERT_TRUE(s.run(faddd(3, 1, 1)));  // faddd %f32, %f32, %f34
  EXPECT_EQ(s.d(34), kTwo);
}
TEST(Registers, AQuadNumberThatIsNoMultipleOfFourIsRefused) {
  Strand s;
  EXPECT_FALSE(s.run(fpop1(0x43, 2, 0, 4)));  // faddq to %f2
  EXPECT_EQ(s.c.fault.kind, FaultKind::FpUnimplemented);
  EXPECT_EQ(s.fsr() >> 14 & 7, 6u);
  EXPECT_TRUE(s.run(fpop1(0x43, 1, 0, 4)));  // to %f32
}

TEST(Quad, AddsBeyondDoublePrecision) {
  Strand s;
  s.d(0) = 0x3fff000000000000, s.d(2) = 0;  // 1
  s.d(4) = 0x3f8f000000000000, s.d(6) = 0;  // 2^-112
  ASSERT_TRUE(s.run(fpop1(0x43, 8, 0, 4)));
  EXPECT_EQ(s.d(8), 0x3fff000000000000u);
  EXPECT_EQ(s.d(10), 1u);
  EXPECT_EQ(s.fsr(), 0u);
  ASSERT_TRUE(s.run(fpop1(0xcb, 12, 0, 8)));  // fqtod
  EXPECT_EQ(s.d(12), kOne);
  EXPECT_EQ(s.fsr(), kAexcNx | kCexcNx);
}

/// fmsubd %f0, %f0, %f2, %f4
constexpr std::uint32_t kFmsubd = 2u << 30 | 4u << 25 | 0x37u << 19 | 0u << 14 | 2u << 9 | 6u << 5 | 0;
TEST(MultiplyAdd, RoundsOnceOrTwiceAsBound) {
  for (const auto& [fma, expected] :
       {std::pair{FmaRounding::Fused, u64{0x3970000000000000}}, {FmaRounding::Unfused, u64{0}}}) {
    Strand s{fma};
    s.d(0) = 0x3ff0000000000001, s.d(2) = 0x3ff0000000000002;
    ASSERT_TRUE(s.run(kFmsubd));
    EXPECT_EQ(s.d(4), expected);
    EXPECT_EQ(s.fsr(), fma == FmaRounding::Fused ? 0 : kAexcNx | kCexcNx);
  }
}

TEST(Host, ItsOwnEnvironmentIsBackAfterwards) {
  Strand s;
  s.set_fsr(u64{2} << 30);
  s.d(0) = kOne, s.d(2) = kThree;
  ASSERT_TRUE(s.run(fdivd(4, 0, 2)));
  volatile double one = 1, three = 3;
  EXPECT_EQ(__builtin_bit_cast(u64, one / three), 0x3fd5555555555555u) << "to nearest";
}

}  // namespace
}  // namespace psim::isa
