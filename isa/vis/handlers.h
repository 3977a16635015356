// SPDX-License-Identifier: Apache-2.0
// Templates that make VIS handlers from pure functions over the bits of their operands.
#pragma once

#include <tuple>

#include "isa/simd/moves.h"
#include "isa/state/context.h"
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
template <auto F>
inline constexpr Execution kUnary{{.handler = unary<F>}};
template <auto F>
inline constexpr Execution kUnaryGsr{{.handler = unary_gsr<F>}};
template <auto F>
inline constexpr Execution kVisBinary{{.handler = binary<F>}};
/// Operands and result have one size.
template <auto F>
inline constexpr Execution kInLanes{{.handler = binary<F>}, simd::bitwise<Result<F>, F>};
template <auto F>
inline constexpr Execution kBinaryGsr{{.handler = binary_gsr<F>}};

}  // namespace psim::isa::vis
