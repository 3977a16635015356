// SPDX-License-Identifier: Apache-2.0
// Compares exact arithmetic with the host's, in all rounding modes: values unless a NaN results, flags
// always. The host detects tininess after rounding and SPARC JPS1 before (impl. dep. #55): the host's result
// rounded towards zero shows if the exact one was tiny.
#include "isa/fp/operation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "isa/fp/host.h"

namespace psim::isa::fp {
namespace {

/// Runs `f` on the host in a rounding mode and returns the flags that it raised.
template <class F>
std::uint8_t on_host(Rounding rounding, F f) {
  constexpr std::uint32_t kModes[] = {0, 3, 2, 1};
  const std::uint32_t saved = host::read_mxcsr();
  host::write_mxcsr(host::kMasks | kModes[static_cast<unsigned>(rounding)] << 13);
  f();
  const std::uint32_t m = host::read_mxcsr();
  host::write_mxcsr(saved);
  return static_cast<std::uint8_t>((m & 1 ? kInvalid : 0) | (m & 4 ? kDivisionByZero : 0) |
                                   (m & 8 ? kOverflow : 0) | (m & 16 ? kUnderflow : 0) |
                                   (m & 32 ? kInexact : 0));
}

struct Random {
  std::uint64_t state = 0x9e3779b97f4a7c15;
  std::uint64_t operator()() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
  }
};

std::vector<std::uint64_t> doubles() {
  std::vector<std::uint64_t> values;
  for (const std::uint64_t v : {0x0ull,
                                0x1ull,
                                0x2ull,
                                0xfffffffffffffull,
                                0x10000000000000ull,
                                0x10000000000001ull,
                                0x3cb0000000000000ull,
                                0x3fefffffffffffffull,
                                0x3ff0000000000000ull,
                                0x3ff0000000000001ull,
                                0x3ff8000000000000ull,
                                0x4000000000000000ull,
                                0x4008000000000000ull,
                                0x41dfffffffc00000ull,
                                0x41e0000000000000ull,
                                0x41e0000000100000ull,
                                0x43dfffffffffffffull,
                                0x43e0000000000000ull,
                                0x43e0000000000001ull,
                                0x47efffffe0000000ull,
                                0x47effffff0000000ull,
                                0x380fffffffffffffull,
                                0x36a0000000000000ull,
                                0x369fffffffffffffull,
                                0x3810000000000000ull,
                                0x7fe0000000000000ull,
                                0x7fefffffffffffffull,
                                0x7ff0000000000000ull,
                                0x7ff8000000000000ull,
                                0x7ff4000000000001ull,
                                0x7fffffffffffffffull,
                                0x7ff8000012345678ull})
    values.push_back(v), values.push_back(v | 1ull << 63);
  Random random;
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t r = random();
    // Any exponent, and exponents close together, so that sums cancel.
    values.push_back(r);
    values.push_back((r & 0x800fffffffffffff) | (0x3f0 + (r >> 40 & 31)) << 52);
  }
  return values;
}

std::vector<std::uint64_t> singles() {
  std::vector<std::uint64_t> values;
  for (const std::uint32_t v : {0x0u,        0x1u,        0x2u,        0x7fffffu,   0x800000u,   0x800001u,
                                0x33800000u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u, 0x3fc00000u, 0x40000000u,
                                0x4effffffu, 0x4f000000u, 0x4f000001u, 0x5effffffu, 0x5f000000u, 0x5f000001u,
                                0x7f000000u, 0x7f7fffffu, 0x7f800000u, 0x7fc00000u, 0x7fa00001u, 0x7fffffffu})
    values.push_back(v), values.push_back(v | 1u << 31);
  Random random;
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t r = random();
    values.push_back(r & 0xffffffff);
    values.push_back((r & 0x807fffff) | (0x70 + (r >> 40 & 31)) << 23);
  }
  return values;
}

template <class T>
T as(std::uint64_t bits) {
  if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, static_cast<std::uint32_t>(bits));
  else
    return __builtin_bit_cast(T, bits);
}
template <class T>
std::uint64_t bits(T value) {
  if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(std::uint32_t, value);
  else
    return __builtin_bit_cast(std::uint64_t, value);
}
bool nan_bits(std::uint64_t v, std::size_t size) {
  return size == 4 ? (v & 0x7fffffff) > 0x7f800000 : (v & ~(1ull << 63)) > 0x7ffull << 52;
}

/// Returns the host's flags of `f`, with underflow as in SPARC JPS1.
template <class T, class F>
std::uint8_t jps1_flags(std::uint8_t flags, F f) {
  if constexpr (std::is_floating_point_v<T>) {
    T truncated{};
    on_host(Rounding::Zero, [&] { truncated = f(); });
    if ((flags & kInexact) != 0 && std::abs(truncated) < std::numeric_limits<T>::min()) flags |= kUnderflow;
  }
  return flags;
}

constexpr Rounding kModes[] = {Rounding::Nearest, Rounding::Zero, Rounding::Up, Rounding::Down};

template <class From, class To, class F>
void agree(Operation operation, F f, const std::vector<std::uint64_t>& first,
           const std::vector<std::uint64_t>& second) {
  for (const Rounding mode : kModes)
    for (const std::uint64_t a : first)
      for (const std::uint64_t b : second) {
        To host_result{};
        const auto operation_on_host = [&] { return f(as<From>(a), as<From>(b)); };
        const std::uint8_t host_flags =
            jps1_flags<To>(on_host(mode, [&] { host_result = operation_on_host(); }), operation_on_host);
        const Result result = exact(operation, a, b, 0, mode);
        const bool unchecked = std::is_floating_point_v<To> ? nan_bits(bits(host_result), sizeof(To))
                                                            : (result.flags & kInvalid) != 0;
        if (!unchecked) {
          ASSERT_EQ(result.bits, bits(host_result)) << std::hex << a << ' ' << b << " mode " << int(mode);
        }
        ASSERT_EQ(result.flags & 31, host_flags) << std::hex << a << ' ' << b << " mode " << int(mode);
      }
}

template <class T, T (*F)(T, T)>
void agree(Operation operation) {
  const auto values = sizeof(T) == 4 ? singles() : doubles();
  agree<T, T>(operation, F, values, values);
}

TEST(ExactArithmetic, AddsAsTheHost) {
  agree<float, host::add>(Operation::Adds);
  agree<double, host::add>(Operation::Addd);
}
TEST(ExactArithmetic, SubtractsAsTheHost) {
  agree<float, host::sub>(Operation::Subs);
  agree<double, host::sub>(Operation::Subd);
}
TEST(ExactArithmetic, MultipliesAsTheHost) {
  agree<float, host::mul>(Operation::Muls);
  agree<double, host::mul>(Operation::Muld);
}
TEST(ExactArithmetic, DividesAsTheHost) {
  agree<float, host::div>(Operation::Divs);
  agree<double, host::div>(Operation::Divd);
}

template <class From, class To, To (*F)(From)>
void agree_unary(Operation operation, const std::vector<std::uint64_t>& values) {
  agree<From, To>(
      operation, [](From, From b) { return F(b); }, {0}, values);
}
TEST(ExactArithmetic, TakesRootsAsTheHost) {
  agree_unary<float, float, host::root>(Operation::Sqrts, singles());
  agree_unary<double, double, host::root>(Operation::Sqrtd, doubles());
}
TEST(ExactArithmetic, ConvertsAsTheHost) {
  agree_unary<float, double, host::to_double>(Operation::Stod, singles());
  agree_unary<double, float, host::to_single>(Operation::Dtos, doubles());
  agree_unary<float, std::int32_t, host::to_int32>(Operation::Stoi, singles());
  agree_unary<double, std::int32_t, host::to_int32>(Operation::Dtoi, doubles());
  agree_unary<float, std::int64_t, host::to_int64>(Operation::Stox, singles());
  agree_unary<double, std::int64_t, host::to_int64>(Operation::Dtox, doubles());
  agree_unary<std::int32_t, float, host::to_single>(Operation::Itos, singles());
  agree_unary<std::int32_t, double, host::to_double>(Operation::Itod, singles());
  agree_unary<std::int64_t, float, host::to_single>(Operation::Xtos, doubles());
  agree_unary<std::int64_t, double, host::to_double>(Operation::Xtod, doubles());
}
TEST(ExactArithmetic, ComparesAsTheHost) {
  agree<float, unsigned>(
      Operation::Cmps, [](float a, float b) { return host::compare(a, b); }, singles(), singles());
  agree<double, unsigned>(
      Operation::Cmpd, [](double a, double b) { return host::compare(a, b); }, doubles(), doubles());
  agree<float, unsigned>(
      Operation::Cmpes, [](float a, float b) { return host::compare_signalling(a, b); }, singles(),
      singles());
  agree<double, unsigned>(
      Operation::Cmped, [](double a, double b) { return host::compare_signalling(a, b); }, doubles(),
      doubles());
}

template <class T>
void agree_fused(Operation operation, std::vector<std::uint64_t> values) {
  Random random;
  for (const Rounding mode : kModes)
    for (int i = 0; i < 60'000; ++i) {
      const std::uint64_t a = values[random() % values.size()], b = values[random() % values.size()];
      std::uint64_t c = values[random() % values.size()];
      if (i % 3 == 0) {  // an addend that nearly cancels the product
        T p{};
        on_host(mode, [&] { p = host::mul(as<T>(a), as<T>(b)); });
        c = bits(p) ^ (i % 2 == 0 ? 1ull << (8 * sizeof(T) - 1) : 0) ^ (random() & 3);
      }
      T host_result{};
      const auto operation_on_host = [&] { return host::multiply_add(as<T>(a), as<T>(b), as<T>(c)); };
      const std::uint8_t host_flags =
          jps1_flags<T>(on_host(mode, [&] { host_result = operation_on_host(); }), operation_on_host);
      const Result result = exact(operation, a, b, c, mode);
      if (nan_bits(bits(host_result), sizeof(T))) continue;
      ASSERT_EQ(result.bits, bits(host_result))
          << std::hex << a << ' ' << b << ' ' << c << " mode " << int(mode);
      ASSERT_EQ(result.flags & 31, host_flags)
          << std::hex << a << ' ' << b << ' ' << c << " mode " << int(mode);
    }
}
TEST(ExactArithmetic, MultipliesAndAddsWithOneRoundingAsTheHost) {
  if (!host::has_multiply_add()) GTEST_SKIP() << "the host has no FMA3";
  agree_fused<float>(Operation::Madds, singles());
  agree_fused<double>(Operation::Maddd, doubles());
}

constexpr std::uint64_t kOne = 0x3ff0000000000000, kDefaultNan = 0x7fffffffffffffff,
                        kInfinity = 0x7ff0000000000000;
constexpr std::uint64_t kQuiet1 = 0xfff8000000000001, kQuiet2 = 0x7ff8000000000002,
                        kSignalling = 0x7ff0000000000003, kSignallingQuieted = 0x7ff8000000000003;

Result nearest(Operation operation, std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
  return exact(operation, a, b, c, Rounding::Nearest);
}

TEST(NanResults, OfTwoQuietNansTheSecondOperandIsGiven) {
  EXPECT_EQ(nearest(Operation::Addd, kQuiet1, kQuiet2).bits, kQuiet2);
  EXPECT_EQ(nearest(Operation::Addd, kQuiet2, kQuiet1).bits, kQuiet1);
  EXPECT_EQ(nearest(Operation::Addd, kQuiet1, kOne).bits, kQuiet1);
  EXPECT_EQ(nearest(Operation::Subd, kOne, kQuiet1).bits, kQuiet1) << "no sign change of a NaN";
}
TEST(NanResults, ASignallingNanGoesFirstIsQuietedAndInvalid) {
  const Result first = nearest(Operation::Muld, kSignalling, kQuiet1);
  EXPECT_EQ(first.bits, kSignallingQuieted);
  EXPECT_EQ(first.flags, kInvalid);
  EXPECT_EQ(nearest(Operation::Muld, kQuiet1, kSignalling).bits, kSignallingQuieted);
}
TEST(NanResults, ANanMadeFromNoneIsPositiveWithAllFractionBits) {
  EXPECT_EQ(nearest(Operation::Subd, kInfinity, kInfinity).bits, kDefaultNan);
  EXPECT_EQ(nearest(Operation::Sqrtd, 0, kOne | 1ull << 63).bits, kDefaultNan);
  EXPECT_EQ(nearest(Operation::Divs, 0, 0x80000000).bits, 0x7fffffff);
}
TEST(NanResults, ConversionsKeepTheUpperPayload) {
  EXPECT_EQ(nearest(Operation::Stod, 0, 0xffc00001).bits, 0xfff8000020000000);
  EXPECT_EQ(nearest(Operation::Dtos, 0, 0x7ff0000020000001).bits, 0x7fc00001);
  EXPECT_EQ(nearest(Operation::Dtos, 0, 0x7ff0000000000001).bits, 0x7fc00000);
}
TEST(NanResults, OfThreeNansTheAddendIsGivenThenTheSecondFactor) {
  EXPECT_EQ(nearest(Operation::Maddd, kQuiet1, kQuiet2, 0x7ff8000000000009).bits, 0x7ff8000000000009);
  EXPECT_EQ(nearest(Operation::Maddd, kQuiet1, kQuiet2, kOne).bits, kQuiet2);
  EXPECT_EQ(nearest(Operation::Maddd, kSignalling, kQuiet2, kQuiet1).bits, kSignallingQuieted);
  const Result zero_times_infinity = nearest(Operation::Maddd, 0, kInfinity, kQuiet1);
  EXPECT_EQ(zero_times_infinity.bits, kQuiet1);
  EXPECT_EQ(zero_times_infinity.flags, kInvalid);
}

TEST(Conversions, OutOfRangeGivesTheNearestBoundAndNansTheUpper) {
  EXPECT_EQ(nearest(Operation::Dtoi, 0, 0x41e0000000000000).bits, 0x7fffffff);
  EXPECT_EQ(nearest(Operation::Dtoi, 0, 0xc1e0000000200000).bits, 0x80000000);
  EXPECT_EQ(nearest(Operation::Dtoi, 0, 0xc1e0000000000000).bits, 0x80000000);
  EXPECT_EQ(nearest(Operation::Dtoi, 0, 0xc1e0000000000000).flags, 0);
  EXPECT_EQ(nearest(Operation::Dtoi, 0, 0xc1e00000001fffff).flags, kInexact) << "-2147483648.99…";
  EXPECT_EQ(nearest(Operation::Dtox, 0, kInfinity).bits, 0x7fffffffffffffff);
  EXPECT_EQ(nearest(Operation::Stox, 0, 0xffc00000).bits, 0x7fffffffffffffff);
  EXPECT_EQ(nearest(Operation::Stox, 0, 0xffc00000).flags, kInvalid);
}

TEST(MultiplyAdd, UnfusedRoundsTheProductFirst) {
  // (1 + 2^-52)^2 - (1 + 2^-51) is 2^-104, which a product rounded to double loses.
  const std::uint64_t x = 0x3ff0000000000001, y = 0x3ff0000000000002;
  EXPECT_EQ(nearest(Operation::Msubd, x, x, y).bits, 0x3970000000000000);
  EXPECT_EQ(nearest(Operation::UnfusedMsubd, x, x, y).bits, 0);
  EXPECT_EQ(nearest(Operation::UnfusedMsubd, x, x, y).flags, kInexact);
}
TEST(MultiplyAdd, FusedNegativesNegateTheRoundedResult) {
  // 1 × 1 - 1 is +0 to nearest, so fnmsub gives -0, and -(1 × 1) + 1, unfused, gives +0.
  EXPECT_EQ(nearest(Operation::Nmsubd, kOne, kOne, kOne).bits, 1ull << 63);
  EXPECT_EQ(nearest(Operation::UnfusedNmsubd, kOne, kOne, kOne).bits, 0);
  EXPECT_EQ(nearest(Operation::Nmaddd, kOne, kOne, kQuiet2).bits, kQuiet2);
}
TEST(Halving, RoundsOnceAndDoesNotOverflow) {
  const std::uint64_t largest = 0x7fefffffffffffff;
  EXPECT_EQ(nearest(Operation::Haddd, largest, largest).bits, largest);
  EXPECT_EQ(nearest(Operation::Haddd, largest, largest).flags, 0);
  EXPECT_EQ(nearest(Operation::Nhadds, 0x3f800000, 0x40400000).bits, 0xc0000000);  // -(1 + 3) / 2
}

}  // namespace
}  // namespace psim::isa::fp
