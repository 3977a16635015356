// SPDX-License-Identifier: Apache-2.0
// Quad precision. Processors with this instruction set trap here (unimplemented_FPop), and the operating
// system computes the result; these handlers do the same, in exact arithmetic.
#pragma once

#include "isa/fp/registers.h"
#include "isa/table/fields.h"

namespace psim::isa::fp::quad {

using Quad = QuadBits;

template <class T>
inline constexpr FloatFormat kFormat = kQuad;
template <>
inline constexpr FloatFormat kFormat<float> = kSingle;
template <>
inline constexpr FloatFormat kFormat<double> = kDouble;

template <class T>
Number load(const Context* c, std::uint16_t offset) {
  if constexpr (std::is_same_v<T, Quad>) {
    const Quad quad = get<Quad>(c, offset);
    return unpack(u128{quad.high} << 64 | quad.low, kQuad);
  } else if constexpr (std::is_integral_v<T>)
    return from_signed(get<T>(c, offset));
  else
    return unpack(get<Bits<T>>(c, offset), kFormat<T>);
}

template <class T>
void store(Context* c, std::uint16_t offset, u128 bits) {
  if constexpr (std::is_same_v<T, Quad>) {
    put(c, offset, Quad{static_cast<std::uint64_t>(bits >> 64), static_cast<std::uint64_t>(bits)});
  } else {
    put(c, offset, static_cast<Bits<T>>(bits));
  }
}

inline Number identity(const Number&, const Number& b, Status&) { return b; }
inline Number root_of(const Number&, const Number& b, Status& status) { return root(b, status); }

/// rd = F(rs1, rs2), rounded to To. From is the type of both sources.
template <auto F, class From, class To>
PSIM_HANDLER(operate) {
  CpuState& state = *c;
  Status status{rounding(state), 0};
  const Number x = F == identity || F == root_of ? Number{} : load<From>(c, a->rs1);
  const u128 result = pack(F(x, load<From>(c, a->rs2), status), kFormat<To>, status);
  if (settle(state, status.flags)) PSIM_TROUBLE(FaultKind::FpIeee);
  store<To>(c, a->rd, result);
  PSIM_NEXT;
}

template <class To>
PSIM_HANDLER(to_integer) {
  CpuState& state = *c;
  Status status{rounding(state), 0};
  const std::int64_t result = to_signed(load<Quad>(c, a->rs2), 8 * sizeof(To), status);
  if (settle(state, status.flags)) PSIM_TROUBLE(FaultKind::FpIeee);
  put<To>(c, a->rd, static_cast<To>(result));
  PSIM_NEXT;
}

template <bool Signalling>
PSIM_HANDLER(compare_quads) {
  CpuState& state = *c;
  Status status{rounding(state), 0};
  const unsigned fcc = compare(load<Quad>(c, a->rs1), load<Quad>(c, a->rs2), Signalling, status);
  if (settle(state, status.flags)) PSIM_TROUBLE(FaultKind::FpIeee);
  put_fcc(state, static_cast<unsigned>(a->imm), fcc);
  PSIM_NEXT;
}

template <class T>
inline constexpr bool kIsQuad = std::is_same_v<T, Quad>;

template <auto F, class From, class To, Binding (*InSimd)(FmaRounding) = nullptr>
inline constexpr Execution kBinary{{.handler = operate<F, From, To>,
                                    .floating = true,
                                    .prepare = prepare_quad<kIsQuad<To>, kIsQuad<From>, kIsQuad<From>>},
                                   InSimd};
template <auto F, class From, class To, Binding (*InSimd)(FmaRounding) = nullptr>
inline constexpr Execution kUnary{{.handler = operate<F, From, To>,
                                   .floating = true,
                                   .prepare = prepare_quad<kIsQuad<To>, false, kIsQuad<From>>},
                                  InSimd};
template <class To>
inline constexpr Execution kToInteger{
    {.handler = to_integer<To>, .floating = true, .prepare = prepare_quad<false, false, true>}};
inline void prepare_quad_compare(Action& a) {
  prepare_compare(a);
  prepare_quad<false, true, true>(a);
}
template <bool Signalling>
inline constexpr Execution kCompare{
    {.handler = compare_quads<Signalling>, .floating = true, .prepare = prepare_quad_compare}};

}  // namespace psim::isa::fp::quad
