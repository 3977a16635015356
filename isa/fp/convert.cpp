// SPDX-License-Identifier: Apache-2.0
// Conversions between single, double, and 32- and 64-bit signed integers.
#include <limits>

#include "isa/fp/host.h"
#include "isa/fp/registers.h"

namespace psim::isa::fp {
namespace {

template <class From, class To>
constexpr bool odd_result(To result) {
  if constexpr (std::is_same_v<To, float> && std::is_same_v<From, double>)
    return host::is_nan(result) || host::is_least_normal(result);
  else if constexpr (std::is_floating_point_v<To>)
    return host::is_nan(result);
  else  // the host's answer for everything out of range; exact arithmetic knows which bound is meant
    return result == std::numeric_limits<To>::min();
}

template <class From, class To, To (*F)(From), Operation O>
PSIM_HANDLER(convert) {
  CpuState& state = *c;
  const From x = get<From>(c, a->rs2);
  if (state.fp_traps) [[unlikely]]
    return exactly<O, From, To>(c, a, host, pages);
  const To result = F(x);
  if constexpr (std::is_floating_point_v<From>)
    if (odd_result<From>(result)) [[unlikely]]
      return exactly<O, From, To>(c, a, host, pages);
  note(state, O, 0, bits_of(x));
  put<To>(c, a->rd, result);
  PSIM_NEXT;
}

constexpr Binding from_to(Bank from, Bank to, Handler handler) {
  return {.handler = handler, .rd = to, .rs2 = from, .floating = true};
}

}  // namespace

void bind_convert(Bindings& b) {
  using enum Operation;
  using I = std::int32_t;
  using X = std::int64_t;
  constexpr Bank s = Bank::Single, d = Bank::Double;
  b[Op::Fstod] = from_to(s, d, convert<float, double, host::to_double, Stod>);
  b[Op::Fdtos] = from_to(d, s, convert<double, float, host::to_single, Dtos>);
  b[Op::Fstoi] = from_to(s, s, convert<float, I, host::to_int32, Stoi>);
  b[Op::Fdtoi] = from_to(d, s, convert<double, I, host::to_int32, Dtoi>);
  b[Op::Fstox] = from_to(s, d, convert<float, X, host::to_int64, Stox>);
  b[Op::Fdtox] = from_to(d, d, convert<double, X, host::to_int64, Dtox>);
  b[Op::Fitos] = from_to(s, s, convert<I, float, host::to_single, Itos>);
  b[Op::Fitod] = from_to(s, d, convert<I, double, host::to_double, Itod>);
  b[Op::Fxtos] = from_to(d, s, convert<X, float, host::to_single, Xtos>);
  b[Op::Fxtod] = from_to(d, d, convert<X, double, host::to_double, Xtod>);
}

}  // namespace psim::isa::fp
