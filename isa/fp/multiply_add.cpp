// SPDX-License-Identifier: Apache-2.0
// fmadd, fmsub, fnmsub, fnmadd (IMPDEP2), rounded once or twice.
#include "isa/exec/executor.h"
#include "isa/fp/host.h"
#include "isa/fp/registers.h"

namespace psim::isa::fp {
namespace {

template <class T>
T negative(T value) {
  return __builtin_bit_cast(T, static_cast<Bits<T>>(bits_of(value) ^ bits_of(T{-0.0})));
}

/// A result, and whether the host may have missed an underflow on the way.
template <class T>
struct MultiplyAdd {
  T result;
  bool least_normal;
};

// Once: the negative forms negate the rounded result, as VIS 3 machines, gcc and later qemu have it.
template <class T, bool Subtract, bool Negate>
MultiplyAdd<T> fused(T x, T y, T z) {
  const T result = Subtract ? host::multiply_sub(x, y, z) : host::multiply_add(x, y, z);
  return {Negate ? negative(result) : result, host::is_least_normal(result)};
}

// Twice: the negative forms negate the rounded product (JPS1-V p. 51). The sum cannot be tiny and inexact.
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

template <class T>
Binding of(Handler handler) {
  constexpr Bank bank = sizeof(T) == 4 ? Bank::Single : Bank::Double;
  return {.handler = handler, .rd = bank, .rs1 = bank, .rs2 = bank, .rs3 = bank, .floating = true};
}

/// Fused on the host where it can, else in exact arithmetic.
template <class T, bool Subtract, bool Negate, Operation O>
Binding once() {
  return of<T>(host::has_multiply_add() ? multiply_add<T, fused<T, Subtract, Negate>, O> : exactly<O, T, T>);
}
template <class T, bool Subtract, bool Negate, Operation O>
Binding twice() {
  return of<T>(multiply_add<T, unfused<T, Subtract, Negate>, O>);
}

}  // namespace

void bind_multiply_add(Bindings& b, FmaRounding rounding) {
  using enum Operation;
  if (rounding == FmaRounding::Fused) {
    b[Op::Fmadds] = once<float, false, false, Madds>();
    b[Op::Fmaddd] = once<double, false, false, Maddd>();
    b[Op::Fmsubs] = once<float, true, false, Msubs>();
    b[Op::Fmsubd] = once<double, true, false, Msubd>();
    b[Op::Fnmsubs] = once<float, true, true, Nmsubs>();
    b[Op::Fnmsubd] = once<double, true, true, Nmsubd>();
    b[Op::Fnmadds] = once<float, false, true, Nmadds>();
    b[Op::Fnmaddd] = once<double, false, true, Nmaddd>();
  } else {
    b[Op::Fmadds] = twice<float, false, false, UnfusedMadds>();
    b[Op::Fmaddd] = twice<double, false, false, UnfusedMaddd>();
    b[Op::Fmsubs] = twice<float, true, false, UnfusedMsubs>();
    b[Op::Fmsubd] = twice<double, true, false, UnfusedMsubd>();
    b[Op::Fnmsubs] = twice<float, false, true, UnfusedNmsubs>();
    b[Op::Fnmsubd] = twice<double, false, true, UnfusedNmsubd>();
    b[Op::Fnmadds] = twice<float, true, true, UnfusedNmadds>();
    b[Op::Fnmaddd] = twice<double, true, true, UnfusedNmaddd>();
  }
}

}  // namespace psim::isa::fp
