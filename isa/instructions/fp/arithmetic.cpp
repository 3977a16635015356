// SPDX-License-Identifier: Apache-2.0
// fadd, fsub, fmul, fdiv, fsqrt, fsmuld, and multiply-adds (IMPDEP2), which round once or twice.
#include "isa/simd/arithmetic.h"
#include "isa/fp/host.h"
#include "isa/fp/quad.h"
#include "isa/fp/registers.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::fp {
namespace {
using enum Operation;

/// Returns true for products and quotients, which can be inexact and tiny; sums, differences and roots
/// cannot.
constexpr bool underflows(Operation operation) {
  using enum Operation;
  return operation == Muls || operation == Muld || operation == Divs || operation == Divd;
}

template <class T, T (*F)(T, T), Operation O>
PSIM_HANDLER(binary) {
  CpuState& state = *c;
  const T x = get<T>(c, a->rs1), y = get<T>(c, a->rs2);
  if (state.fp_traps) [[unlikely]]
    return exactly<O, T, T>(c, a, host, pages);
  const T result = F(x, y);
  if (host::is_nan(result)) [[unlikely]]
    return exactly<O, T, T>(c, a, host, pages);
  if constexpr (underflows(O))
    if (host::is_least_normal(result)) [[unlikely]]
      return exactly<O, T, T>(c, a, host, pages);
  note(state, O, bits_of(x), bits_of(y));
  put<T>(c, a->rd, result);
  PSIM_NEXT;
}

template <class T, Operation O>
PSIM_HANDLER(square_root) {
  CpuState& state = *c;
  const T x = get<T>(c, a->rs2);
  if (state.fp_traps) [[unlikely]]
    return exactly<O, T, T>(c, a, host, pages);
  const T result = host::root(x);
  if (host::is_nan(result)) [[unlikely]]
    return exactly<O, T, T>(c, a, host, pages);
  note(state, O, 0, bits_of(x));
  put<T>(c, a->rd, result);
  PSIM_NEXT;
}

// Multiplies exactly: the product of two singles is exact in double precision.
PSIM_HANDLER(single_multiply_double) {
  CpuState& state = *c;
  const float x = get<float>(c, a->rs1), y = get<float>(c, a->rs2);
  constexpr auto O = Operation::Smuld;
  if (state.fp_traps) [[unlikely]]
    return exactly<O, float, double>(c, a, host, pages);
  const double result = host::mul(host::to_double(x), host::to_double(y));
  if (host::is_nan(result)) [[unlikely]]
    return exactly<O, float, double>(c, a, host, pages);
  note(state, O, bits_of(x), bits_of(y));
  put<double>(c, a->rd, result);
  PSIM_NEXT;
}

template <class T>
T negative(T value) {
  return __builtin_bit_cast(T, static_cast<Bits<T>>(bits_of(value) ^ bits_of(T{-0.0})));
}

/// A result, and whether the host may have missed an underflow.
template <class T>
struct MultiplyAdd {
  T result;
  bool least_normal;
};

// Rounds once: the negative forms negate the rounded result, as in VIS 3 machines, gcc and later qemu.
template <class T, bool Subtract, bool Negate>
MultiplyAdd<T> fused(T x, T y, T z) {
  const T result = Subtract ? host::multiply_sub(x, y, z) : host::multiply_add(x, y, z);
  return {Negate ? negative(result) : result, host::is_least_normal(result)};
}

// Rounds twice: the negative forms negate the rounded product (JPS1-V p. 51). The sum cannot be tiny and
// inexact.
template <class T, bool Subtract, bool Negate>
MultiplyAdd<T> unfused(T x, T y, T z) {
  T first = host::mul(x, y);
  const bool least_normal = host::is_least_normal(first);
  if (Negate) first = negative(first);
  return {Subtract ? host::sub(first, z) : host::add(first, z), least_normal};
}

template <class T, MultiplyAdd<T> (*F)(T, T, T), Operation O>
PSIM_HANDLER(multiply_add) {
  CpuState& state = *c;
  const T x = get<T>(c, a->rs1), y = get<T>(c, a->rs2), z = get<T>(c, a->rs3);
  if (state.fp_traps) [[unlikely]]
    return exactly<O, T, T>(c, a, host, pages);
  const auto [result, least_normal] = F(x, y, z);
  if (host::is_nan(result) || least_normal) [[unlikely]]
    return exactly<O, T, T>(c, a, host, pages);
  note(state, O, bits_of(x), bits_of(y));
  state.fp_c = bits_of(z);
  put<T>(c, a->rd, result);
  PSIM_NEXT;
}

/// Fused on the host if it can, otherwise in exact arithmetic. Rounded twice, the negative forms are those
/// with the other sign.
template <class T, bool Subtract, bool Negate, Operation Once, Operation Twice>
Binding multiply_adds(FmaRounding rounding) {
  const auto on_host = [](Handler handler, Operation operation) {
    return Binding{.handler = handler,
                   .floating = true,
                   .meaning = Meaning::Arithmetic,
                   .operation = static_cast<std::uint8_t>(operation)};
  };
  if (rounding == FmaRounding::Unfused)
    return on_host(multiply_add<T, unfused<T, Subtract != Negate, Negate>, Twice>, Twice);
  if (host::has_multiply_add()) return on_host(multiply_add<T, fused<T, Subtract, Negate>, Once>, Once);
  return {.handler = exactly<Once, T, T>, .floating = true};
}

template <class T, T (*F)(T, T), Operation O, Binding (*InSimd)(FmaRounding)>
constexpr Execution kBinary{{.handler = binary<T, F, O>,
                             .floating = true,
                             .meaning = Meaning::Arithmetic,
                             .operation = static_cast<std::uint8_t>(O)},
                            InSimd};
template <class T, Operation O>
constexpr Execution kSquareRoot{{.handler = square_root<T, O>, .floating = true}, simd::refuses_division};
constexpr Execution kSingleMultiplyDouble{{.handler = single_multiply_double, .floating = true}};
template <class T, bool Subtract, bool Negate, Operation Once, Operation Twice>
constexpr Execution kMultiplyAdd{.in_simd = simd::multiply_adds<T, Subtract, Negate>,
                                 .rounded = multiply_adds<T, Subtract, Negate, Once, Twice>};

}  // namespace
}  // namespace psim::isa::fp

namespace psim::isa::table {
using namespace fp;

namespace {
// clang-format off
constexpr Spec kFpArithmeticRows[] = {
    // Arithmetic.
    row("fadds", "10 ddddd 110100 sssss 001000001 ttttt", kSss, kFpAdd, "V9 A.12", kBinary<float, host::add, Adds, simd::computes<float, simd::Add>>, effect::kReadFsr | effect::kOneFlop),
    row("faddd", "10 ddddd 110100 sssss 001000010 ttttt", kDdd, kFpAdd, "V9 A.12", kBinary<double, host::add, Addd, simd::computes<double, simd::Add>>, effect::kReadFsr | effect::kOneFlop),
    row("faddq", "10 ddddd 110100 sssss 001000011 ttttt", kQqq, kFpQuad, "V9 A.12", quad::kBinary<sum, QuadBits, QuadBits>, effect::kReadFsr | effect::kOneFlop),
    row("fsubs", "10 ddddd 110100 sssss 001000101 ttttt", kSss, kFpAdd, "V9 A.12", kBinary<float, host::sub, Subs, simd::computes<float, simd::Sub>>, effect::kReadFsr | effect::kOneFlop),
    row("fsubd", "10 ddddd 110100 sssss 001000110 ttttt", kDdd, kFpAdd, "V9 A.12", kBinary<double, host::sub, Subd, simd::computes<double, simd::Sub>>, effect::kReadFsr | effect::kOneFlop),
    row("fsubq", "10 ddddd 110100 sssss 001000111 ttttt", kQqq, kFpQuad, "V9 A.12", quad::kBinary<difference, QuadBits, QuadBits>, effect::kReadFsr | effect::kOneFlop),
    row("fmuls", "10 ddddd 110100 sssss 001001001 ttttt", kSss, kFpMultiply, "V9 A.18", kBinary<float, host::mul, Muls, simd::computes<float, simd::Mul>>, effect::kReadFsr | effect::kOneFlop),
    row("fmuld", "10 ddddd 110100 sssss 001001010 ttttt", kDdd, kFpMultiply, "V9 A.18", kBinary<double, host::mul, Muld, simd::computes<double, simd::Mul>>, effect::kReadFsr | effect::kOneFlop),
    row("fmulq", "10 ddddd 110100 sssss 001001011 ttttt", kQqq, kFpQuad, "V9 A.18", quad::kBinary<product, QuadBits, QuadBits>, effect::kReadFsr | effect::kOneFlop),
    row("fdivs", "10 ddddd 110100 sssss 001001101 ttttt", kSss, kFpDivideSingle, "V9 A.18", kBinary<float, host::div, Divs, simd::refuses_division>, effect::kReadFsr | effect::kOneFlop),
    row("fdivd", "10 ddddd 110100 sssss 001001110 ttttt", kDdd, kFpDivideDouble, "V9 A.18", kBinary<double, host::div, Divd, simd::refuses_division>, effect::kReadFsr | effect::kOneFlop),
    row("fdivq", "10 ddddd 110100 sssss 001001111 ttttt", kQqq, kFpQuad, "V9 A.18", quad::kBinary<quotient, QuadBits, QuadBits, simd::refuses_division>, effect::kReadFsr | effect::kOneFlop),
    row("fsmuld", "10 ddddd 110100 sssss 001101001 ttttt", kSsd, kFpMultiply, "V9 A.18", kSingleMultiplyDouble, effect::kReadFsr | effect::kOneFlop, 0, hwcap::kFsmuld),
    row("fdmulq", "10 ddddd 110100 sssss 001101110 ttttt", kDdq, kFpQuad, "V9 A.18", quad::kBinary<product, double, QuadBits>, effect::kReadFsr | effect::kOneFlop),
    row("fsqrts", "10 ddddd 110100 00000 000101001 ttttt", kSs, kFpSqrtSingle, "V9 A.19", kSquareRoot<float, Sqrts>, effect::kReadFsr | effect::kOneFlop),
    row("fsqrtd", "10 ddddd 110100 00000 000101010 ttttt", kDd, kFpSqrtDouble, "V9 A.19", kSquareRoot<double, Sqrtd>, effect::kReadFsr | effect::kOneFlop),
    row("fsqrtq", "10 ddddd 110100 00000 000101011 ttttt", kQq, kFpQuad, "V9 A.19", quad::kUnary<quad::root_of, QuadBits, QuadBits, simd::refuses_division>, effect::kReadFsr | effect::kOneFlop),
    // Multiply-add; rounded once or twice, see FmaRounding.
    row("fmadds", "10 ddddd 110111 sssss uuuuu 0001 ttttt", kSsss, kFpMultiplyAdd, "JPS1-V p. 51", kMultiplyAdd<float, false, false, Madds, UnfusedMadds>, effect::kReadFsr | effect::kTwoFlops, 0, hwcap::kFmaf),
    row("fmaddd", "10 ddddd 110111 sssss uuuuu 0010 ttttt", kDddd, kFpMultiplyAdd, "JPS1-V p. 51", kMultiplyAdd<double, false, false, Maddd, UnfusedMaddd>, effect::kReadFsr | effect::kTwoFlops, 0, hwcap::kFmaf),
    row("fmsubs", "10 ddddd 110111 sssss uuuuu 0101 ttttt", kSsss, kFpMultiplyAdd, "JPS1-V p. 51", kMultiplyAdd<float, true, false, Msubs, UnfusedMsubs>, effect::kReadFsr | effect::kTwoFlops, 0, hwcap::kFmaf),
    row("fmsubd", "10 ddddd 110111 sssss uuuuu 0110 ttttt", kDddd, kFpMultiplyAdd, "JPS1-V p. 51", kMultiplyAdd<double, true, false, Msubd, UnfusedMsubd>, effect::kReadFsr | effect::kTwoFlops, 0, hwcap::kFmaf),
    row("fnmsubs", "10 ddddd 110111 sssss uuuuu 1001 ttttt", kSsss, kFpMultiplyAdd, "JPS1-V p. 51", kMultiplyAdd<float, true, true, Nmsubs, UnfusedNmsubs>, effect::kReadFsr | effect::kTwoFlops, 0, hwcap::kFmaf),
    row("fnmsubd", "10 ddddd 110111 sssss uuuuu 1010 ttttt", kDddd, kFpMultiplyAdd, "JPS1-V p. 51", kMultiplyAdd<double, true, true, Nmsubd, UnfusedNmsubd>, effect::kReadFsr | effect::kTwoFlops, 0, hwcap::kFmaf),
    row("fnmadds", "10 ddddd 110111 sssss uuuuu 1101 ttttt", kSsss, kFpMultiplyAdd, "JPS1-V p. 51", kMultiplyAdd<float, false, true, Nmadds, UnfusedNmadds>, effect::kReadFsr | effect::kTwoFlops, 0, hwcap::kFmaf),
    row("fnmaddd", "10 ddddd 110111 sssss uuuuu 1110 ttttt", kDddd, kFpMultiplyAdd, "JPS1-V p. 51", kMultiplyAdd<double, false, true, Nmaddd, UnfusedNmaddd>, effect::kReadFsr | effect::kTwoFlops, 0, hwcap::kFmaf),
};
// clang-format on
static_assert(disjoint(kFpArithmeticRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> fp_arithmetic_rows() { return kFpArithmeticRows; }

}  // namespace psim::isa::table
