// SPDX-License-Identifier: Apache-2.0
// The sixteen logical operations on double and single registers (OSA2011 F Register Logical).
#pragma once

#include "isa/vis/handlers.h"

namespace psim::isa::vis {

template <class R>
constexpr R and_(R a, R b) {
  return a & b;
}
template <class R>
constexpr R or_(R a, R b) {
  return a | b;
}
template <class R>
constexpr R xor_(R a, R b) {
  return a ^ b;
}
template <class R>
constexpr R nand_(R a, R b) {
  return ~(a & b);
}
template <class R>
constexpr R nor_(R a, R b) {
  return ~(a | b);
}
template <class R>
constexpr R xnor_(R a, R b) {
  return ~(a ^ b);
}
template <class R>
constexpr R andnot1(R a, R b) {
  return ~a & b;
}
template <class R>
constexpr R andnot2(R a, R b) {
  return a & ~b;
}
template <class R>
constexpr R ornot1(R a, R b) {
  return ~a | b;
}
template <class R>
constexpr R ornot2(R a, R b) {
  return a | ~b;
}
template <class R>
constexpr R same(R a) {
  return a;
}
template <class R>
constexpr R not_(R a) {
  return ~a;
}

template <class R, R Value>
PSIM_HANDLER(constant) {
  put<R>(c, a->rd, Value);
  PSIM_NEXT;
}
/// rd = F(rs1)
template <auto F>
PSIM_HANDLER(unary_first) {
  put(c, a->rd, F(get<Operand<F, 0>>(c, a->rs1)));
  PSIM_NEXT;
}

/// Operations on rs1 alone, and on rs2 alone.
template <auto F>
inline constexpr Execution kLogicalFirst{
    {.handler = unary_first<F>}, simd::bitwise<Result<F>, [](Result<F> a, Result<F>) { return F(a); }>};
template <auto F>
inline constexpr Execution kLogicalSecond{
    {.handler = unary<F>}, simd::bitwise<Result<F>, [](Result<F>, Result<F> b) { return F(b); }>};
template <class R, R Value>
inline constexpr Execution kFill{{.handler = constant<R, Value>},
                                 simd::bitwise<R, [](R, R) { return Value; }>};

}  // namespace psim::isa::vis
