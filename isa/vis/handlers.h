// SPDX-License-Identifier: Apache-2.0
// Shapes of the VIS handlers: a pure function over the bits of its operands, put into a handler. What banks
// the operands are in follows from the function's signature and, for 64 bits, from the choice of F (%d) or R.
#pragma once

#include <tuple>

#include "isa/exec/context.h"
#include "isa/vis/lanes.h"

namespace psim::isa::vis {

/// The parameters of a function pointer.
template <class>
struct Signature;
template <class To, class... From>
struct Signature<To (*)(From...)> {
  using Result = To;
  template <unsigned N>
  using Operand = std::tuple_element_t<N, std::tuple<From...>>;
};
template <auto F>
using Result = typename Signature<decltype(F)>::Result;
template <auto F, unsigned N>
using Operand = typename Signature<decltype(F)>::template Operand<N>;

/// rd = F(rs2)
template <auto F>
PSIM_HANDLER(unary) {
  put(c, a->rd, F(get<Operand<F, 0>>(c, a->rs2)));
  PSIM_NEXT;
}
/// rd = F(rs1)
template <auto F>
PSIM_HANDLER(unary_first) {
  put(c, a->rd, F(get<Operand<F, 0>>(c, a->rs1)));
  PSIM_NEXT;
}
/// rd = F(rs1, rs2)
template <auto F>
PSIM_HANDLER(binary) {
  put(c, a->rd, F(get<Operand<F, 0>>(c, a->rs1), get<Operand<F, 1>>(c, a->rs2)));
  PSIM_NEXT;
}
/// rd = F(rs2, GSR)
template <auto F>
PSIM_HANDLER(unary_gsr) {
  put(c, a->rd, F(get<Operand<F, 0>>(c, a->rs2), c->gsr));
  PSIM_NEXT;
}
/// rd = F(rs1, rs2, GSR)
template <auto F>
PSIM_HANDLER(binary_gsr) {
  put(c, a->rd, F(get<Operand<F, 0>>(c, a->rs1), get<Operand<F, 1>>(c, a->rs2), c->gsr));
  PSIM_NEXT;
}
/// rd = F(rs1, rs2, rd)
template <auto F>
PSIM_HANDLER(accumulate) {
  put(c, a->rd, F(get(c, a->rs1), get(c, a->rs2), get(c, a->rd)));
  PSIM_NEXT;
}
/// rd = F(rs1, rs2, rs3)
template <auto F>
PSIM_HANDLER(ternary) {
  put(c, a->rd, F(get(c, a->rs1), get(c, a->rs2), get(c, a->rs3)));
  PSIM_NEXT;
}

template <class T>
inline constexpr Bank kFpBank = sizeof(T) == 4 ? Bank::Single : Bank::Double;

/// Bindings with all operands in floating-point registers.
template <auto F>
constexpr Binding fp_unary() {
  return {.handler = unary<F>, .rd = kFpBank<Result<F>>, .rs2 = kFpBank<Operand<F, 0>>};
}
template <auto F>
constexpr Binding fp_unary_first() {
  return {.handler = unary_first<F>, .rd = kFpBank<Result<F>>, .rs1 = kFpBank<Operand<F, 0>>};
}
template <auto F>
constexpr Binding fp_binary() {
  return {.handler = binary<F>,
          .rd = kFpBank<Result<F>>,
          .rs1 = kFpBank<Operand<F, 0>>,
          .rs2 = kFpBank<Operand<F, 1>>};
}
template <auto F>
constexpr Binding fp_unary_gsr() {
  return {.handler = unary_gsr<F>, .rd = kFpBank<Result<F>>, .rs2 = kFpBank<Operand<F, 0>>};
}
template <auto F>
constexpr Binding fp_binary_gsr() {
  return {.handler = binary_gsr<F>,
          .rd = kFpBank<Result<F>>,
          .rs1 = kFpBank<Operand<F, 0>>,
          .rs2 = kFpBank<Operand<F, 1>>};
}
/// Doubles compared, the result in an integer register.
template <auto F>
constexpr Binding fp_to_int() {
  return {.handler = binary<F>, .rd = Bank::Int, .rs1 = Bank::Double, .rs2 = Bank::Double};
}
template <auto F>
constexpr Binding int_binary() {
  return {.handler = binary<F>, .rd = Bank::Int, .rs1 = Bank::Int, .rs2 = Bank::Int};
}

// Each file binds its part.
void bind_partitioned(Bindings& b);  ///< adds, shifts, multiplies, compares, packs
void bind_logical(Bindings& b);      ///< F register logical
void bind_address(Bindings& b);      ///< edge, array, alignaddr, and writers of GSR
void bind_moves(Bindings& b);        ///< between register files; flcmp

}  // namespace psim::isa::vis
