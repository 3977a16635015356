// SPDX-License-Identifier: Apache-2.0
// fmov, fneg, fabs of singles, doubles and quads. No rounding, no exceptions: cexc becomes 0.
#include "isa/fp/registers.h"

namespace psim::isa::fp {
namespace {

template <class T>
T same(T value) {
  return value;
}
template <class T>
T negated(T value) {
  if constexpr (std::is_same_v<T, QuadBits>)
    return {value.high ^ std::uint64_t{1} << 63, value.low};
  else
    return value ^ T { 1 } << (8 * sizeof(T) - 1);
}
template <class T>
T absolute(T value) {
  if constexpr (std::is_same_v<T, QuadBits>)
    return {value.high & ~(std::uint64_t{1} << 63), value.low};
  else
    return value & ~(T{1} << (8 * sizeof(T) - 1));
}

template <class T, T (*F)(T)>
PSIM_HANDLER(move) {
  c->fp_last = static_cast<std::uint8_t>(Operation::Move);
  put<T>(c, a->rd, F(get<T>(c, a->rs2)));
  PSIM_NEXT;
}

template <class T>
void bind_moves_of(Bindings& b, Op mov, Op neg, Op abs) {
  const auto unary = [](Handler handler) {
    Binding binding{.handler = handler, .rd = kBank<T>, .rs2 = kBank<T>};
    if (kBank<T> == Bank::Quad) binding.prepare = prepare_quad<true, false, true>;
    return binding;
  };
  b[mov] = unary(move<T, same<T>>);
  b[neg] = unary(move<T, negated<T>>);
  b[abs] = unary(move<T, absolute<T>>);
}

}  // namespace

void bind_moves(Bindings& b) {
  bind_moves_of<std::uint32_t>(b, Op::Fmovs, Op::Fnegs, Op::Fabss);
  bind_moves_of<std::uint64_t>(b, Op::Fmovd, Op::Fnegd, Op::Fabsd);
  bind_moves_of<QuadBits>(b, Op::Fmovq, Op::Fnegq, Op::Fabsq);
}

}  // namespace psim::isa::fp
