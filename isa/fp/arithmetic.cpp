// SPDX-License-Identifier: Apache-2.0
// fadd, fsub, fmul, fdiv, fsqrt, fsmuld in single and double precision, and the VIS 3 forms that negate or
// halve.
#include "isa/fp/host.h"
#include "isa/fp/registers.h"

namespace psim::isa::fp {
namespace {

/// Products and quotients can be inexact and tiny; sums, differences and roots cannot.
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

// The product of two singles is exact in double precision.
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

constexpr Binding singles(Handler handler) {
  return {.handler = handler, .rd = Bank::Single, .rs1 = Bank::Single, .rs2 = Bank::Single, .floating = true};
}
constexpr Binding doubles(Handler handler) {
  return {.handler = handler, .rd = Bank::Double, .rs1 = Bank::Double, .rs2 = Bank::Double, .floating = true};
}
constexpr Binding singles_to_double(Handler handler) {
  return {.handler = handler, .rd = Bank::Double, .rs1 = Bank::Single, .rs2 = Bank::Single, .floating = true};
}

}  // namespace

void bind_arithmetic(Bindings& b) {
  using enum Operation;
  b[Op::Fadds] = singles(binary<float, host::add, Adds>);
  b[Op::Faddd] = doubles(binary<double, host::add, Addd>);
  b[Op::Fsubs] = singles(binary<float, host::sub, Subs>);
  b[Op::Fsubd] = doubles(binary<double, host::sub, Subd>);
  b[Op::Fmuls] = singles(binary<float, host::mul, Muls>);
  b[Op::Fmuld] = doubles(binary<double, host::mul, Muld>);
  b[Op::Fdivs] = singles(binary<float, host::div, Divs>);
  b[Op::Fdivd] = doubles(binary<double, host::div, Divd>);
  b[Op::Fsmuld] = singles_to_double(single_multiply_double);
  b[Op::Fsqrts] = {
      .handler = square_root<float, Sqrts>, .rd = Bank::Single, .rs2 = Bank::Single, .floating = true};
  b[Op::Fsqrtd] = {
      .handler = square_root<double, Sqrtd>, .rd = Bank::Double, .rs2 = Bank::Double, .floating = true};

  // VIS 3 (OSA2011): rare, so always exact.
  b[Op::Fnadds] = singles(exactly<Nadds, float, float>);
  b[Op::Fnaddd] = doubles(exactly<Naddd, double, double>);
  b[Op::Fnmuls] = singles(exactly<Nmuls, float, float>);
  b[Op::Fnmuld] = doubles(exactly<Nmuld, double, double>);
  b[Op::Fnsmuld] = singles_to_double(exactly<Nsmuld, float, double>);
  b[Op::Fhadds] = singles(exactly<Hadds, float, float>);
  b[Op::Fhaddd] = doubles(exactly<Haddd, double, double>);
  b[Op::Fhsubs] = singles(exactly<Hsubs, float, float>);
  b[Op::Fhsubd] = doubles(exactly<Hsubd, double, double>);
  b[Op::Fnhadds] = singles(exactly<Nhadds, float, float>);
  b[Op::Fnhaddd] = doubles(exactly<Nhaddd, double, double>);
}

}  // namespace psim::isa::fp
