// SPDX-License-Identifier: Apache-2.0
// Compares the handlers' results and %fsr on the host with exact arithmetic: every single- and
// double-precision operation, all rounding modes, special and random operands. A second pass enables a trap
// that does not occur.
#include <gtest/gtest.h>

#include "isa/instructions/testing/strand.h"

namespace psim::isa::fp {
namespace {

using testing::fpop1;
using testing::fpop2;
using testing::Strand;
using u64 = std::uint64_t;

struct Case {
  Operation operation;
  std::uint32_t word;  ///< of operands %f0, %f2, %f4, result %f6
  bool single_in, single_out;
};

constexpr std::uint32_t arithmetic(unsigned opf) { return fpop1(opf, 6, 0, 2); }
/// var << 2 | size
constexpr std::uint32_t multiply_add(unsigned op5) {
  return 2u << 30 | 6u << 25 | 0x37u << 19 | 0u << 14 | 4u << 9 | op5 << 5 | 2;
}

constexpr Case kArithmetic[] = {
    {Operation::Adds, arithmetic(0x41), true, true},    {Operation::Addd, arithmetic(0x42), false, false},
    {Operation::Subs, arithmetic(0x45), true, true},    {Operation::Subd, arithmetic(0x46), false, false},
    {Operation::Muls, arithmetic(0x49), true, true},    {Operation::Muld, arithmetic(0x4a), false, false},
    {Operation::Divs, arithmetic(0x4d), true, true},    {Operation::Divd, arithmetic(0x4e), false, false},
    {Operation::Smuld, arithmetic(0x69), true, false},  {Operation::Sqrts, arithmetic(0x29), true, true},
    {Operation::Sqrtd, arithmetic(0x2a), false, false}, {Operation::Stod, arithmetic(0xc9), true, false},
    {Operation::Dtos, arithmetic(0xc6), false, true},   {Operation::Stoi, arithmetic(0xd1), true, true},
    {Operation::Dtoi, arithmetic(0xd2), false, true},   {Operation::Stox, arithmetic(0x81), true, false},
    {Operation::Dtox, arithmetic(0x82), false, false},  {Operation::Itos, arithmetic(0xc4), true, true},
    {Operation::Itod, arithmetic(0xc8), true, false},   {Operation::Xtos, arithmetic(0x84), false, true},
    {Operation::Xtod, arithmetic(0x88), false, false},  {Operation::Nadds, arithmetic(0x51), true, true},
    {Operation::Naddd, arithmetic(0x52), false, false}, {Operation::Nmuls, arithmetic(0x59), true, true},
    {Operation::Nmuld, arithmetic(0x5a), false, false}, {Operation::Nsmuld, arithmetic(0x79), true, false},
    {Operation::Hadds, arithmetic(0x61), true, true},   {Operation::Haddd, arithmetic(0x62), false, false},
    {Operation::Hsubs, arithmetic(0x65), true, true},   {Operation::Hsubd, arithmetic(0x66), false, false},
    {Operation::Nhadds, arithmetic(0x71), true, true},  {Operation::Nhaddd, arithmetic(0x72), false, false},
};
constexpr Case kFused[] = {
    {Operation::Madds, multiply_add(0x1), true, true},  {Operation::Maddd, multiply_add(0x2), false, false},
    {Operation::Msubs, multiply_add(0x5), true, true},  {Operation::Msubd, multiply_add(0x6), false, false},
    {Operation::Nmsubs, multiply_add(0x9), true, true}, {Operation::Nmsubd, multiply_add(0xa), false, false},
    {Operation::Nmadds, multiply_add(0xd), true, true}, {Operation::Nmaddd, multiply_add(0xe), false, false},
};
constexpr Case kUnfused[] = {
    {Operation::UnfusedMadds, multiply_add(0x1), true, true},
    {Operation::UnfusedMaddd, multiply_add(0x2), false, false},
    {Operation::UnfusedMsubs, multiply_add(0x5), true, true},
    {Operation::UnfusedMsubd, multiply_add(0x6), false, false},
    {Operation::UnfusedNmsubs, multiply_add(0x9), true, true},
    {Operation::UnfusedNmsubd, multiply_add(0xa), false, false},
    {Operation::UnfusedNmadds, multiply_add(0xd), true, true},
    {Operation::UnfusedNmaddd, multiply_add(0xe), false, false},
};

struct Operands {
  u64 state = 0x9e3779b97f4a7c15;
  u64 random() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
  }
  u64 next(bool single) {
    constexpr u64 kDoubles[] = {0,
                                1,
                                0xfffffffffffff,
                                0x10000000000000,
                                0x3ff0000000000000,
                                0x3ff0000000000001,
                                0x41dfffffffc00000,
                                0x43e0000000000000,
                                0x36a0000000000000,
                                0x47efffffe0000000,
                                0x7fefffffffffffff,
                                0x7ff0000000000000,
                                0x7ff0000000000001,
                                0x7ff8000000000123,
                                0x7fffffffffffffff};
    constexpr u64 kSingles[] = {0,          1,          0x7fffff,   0x800000,   0x3f800000,
                                0x3f800001, 0x4f000000, 0x5f000000, 0x7f7fffff, 0x7f800000,
                                0x7f800001, 0x7fc00123, 0x7fffffff, 0x33800000, 0x4b000001};
    const u64 how = random(), value = random();
    if (how % 4 == 0) {
      const u64 special = single ? kSingles[how / 4 % 15] : kDoubles[how / 4 % 15];
      return special | (how >> 60 & 1) << (single ? 31 : 63);
    }
    if (how % 4 == 1) return single ? value & 0xffffffff : value;
    // Exponents close together.
    return single ? (value & 0x807fffff) | (0x70 + (how >> 8 & 31)) << 23
                  : (value & 0x800fffffffffffff) | (0x3f0 + (how >> 8 & 31)) << 52;
  }
};

void put(Strand& s, unsigned number, bool single, u64 bits) { s.d(number) = single ? bits << 32 : bits; }

void agree(FmaRounding fma, std::span<const Case> cases, u64 tem, int rounds) {
  Strand s{fma};
  Operands operands;
  for (const Case& test : cases)
    for (int i = 0; i < rounds; ++i) {
      const u64 mode = static_cast<u64>(i % 4);
      const u64 a = operands.next(test.single_in), b = operands.next(test.single_in),
                c = operands.next(test.single_in);
      put(s, 0, test.single_in, a), put(s, 2, test.single_in, b), put(s, 4, test.single_in, c);
      s.d(6) = 0;
      s.set_fsr(mode << 30 | tem << 23);
      const Result expected =
          exact(test.operation, a, b, c, static_cast<Rounding>(mode), static_cast<std::uint8_t>(tem));
      if ((expected.flags & tem) != 0) continue;
      ASSERT_TRUE(s.run(test.word));
      const u64 flags = expected.flags & 31;
      ASSERT_EQ(s.fsr(), mode << 30 | tem << 23 | flags << 5 | flags)
          << "operation " << int(test.operation) << std::hex << ' ' << a << ' ' << b << ' ' << c << " mode "
          << mode;
      ASSERT_EQ(s.d(6), test.single_out ? expected.bits << 32 : expected.bits)
          << "operation " << int(test.operation) << std::hex << ' ' << a << ' ' << b << ' ' << c << " mode "
          << mode;
    }
}

constexpr u64 kDivisionTrap = 2;

TEST(FastPath, ArithmeticIsExact) { agree(FmaRounding::Unfused, kArithmetic, 0, 8000); }
TEST(FastPath, FusedMultiplyAddsAreExact) { agree(FmaRounding::Fused, kFused, 0, 20000); }
TEST(FastPath, UnfusedMultiplyAddsAreExact) { agree(FmaRounding::Unfused, kUnfused, 0, 20000); }
TEST(FastPath, WithATrapEnabledTheSameResultsCome) {
  agree(FmaRounding::Unfused, kArithmetic, kDivisionTrap, 2000);
  agree(FmaRounding::Fused, kFused, kDivisionTrap, 2000);
}

TEST(FastPath, ComparesAreExact) {
  Strand s;
  Operands operands;
  constexpr Case kCompares[] = {{Operation::Cmps, fpop2(0x51, 0, 0, 2), true, true},
                                {Operation::Cmpd, fpop2(0x52, 0, 0, 2), false, true},
                                {Operation::Cmpes, fpop2(0x55, 0, 0, 2), true, true},
                                {Operation::Cmped, fpop2(0x56, 0, 0, 2), false, true}};
  for (const Case& test : kCompares)
    for (int i = 0; i < 10000; ++i) {
      const u64 a = operands.next(test.single_in), b = i % 8 == 0 ? a : operands.next(test.single_in);
      put(s, 0, test.single_in, a), put(s, 2, test.single_in, b);
      s.set_fsr(0);
      ASSERT_TRUE(s.run(test.word));
      const Result expected = exact(test.operation, a, b, 0, Rounding::Nearest);
      ASSERT_EQ(s.fsr(), expected.bits << 10 | u64{expected.flags} << 5 | expected.flags)
          << std::hex << a << ' ' << b;
    }
}

}  // namespace
}  // namespace psim::isa::fp
