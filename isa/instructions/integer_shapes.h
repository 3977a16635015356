// SPDX-License-Identifier: Apache-2.0
// Templates that make handlers on integer registers from small functions over operands.
#pragma once

#include "isa/state/context.h"
#include "isa/state/handler.h"

namespace psim::isa::integer {

using u64 = std::uint64_t;
using u32 = std::uint32_t;
using s64 = std::int64_t;

/// Returns operand 2.
template <bool I>
u64 second(const Context* c, const Action* a) {
  return I ? static_cast<u64>(a->imm) : get(c, a->rs2);
}

/// rd = F(rs1, operand 2).
template <auto F, bool I>
PSIM_HANDLER(binary) {
  put(c, a->rd, F(get(c, a->rs1), second<I>(c, a)));
  PSIM_NEXT;
}
/// rd = F(rs1, operand 2), setting CCR as Kind defines it.
template <auto F, CcKind Kind, bool I>
PSIM_HANDLER(binary_cc) {
  const u64 x = get(c, a->rs1), y = second<I>(c, a), result = F(x, y);
  c->cc_kind = Kind;
  if constexpr (Kind == CcKind::Logic) {
    c->cc_a = result;
  } else {
    c->cc_a = x, c->cc_b = y;
  }
  put(c, a->rd, result);
  PSIM_NEXT;
}
/// rd = F(operand 2).
template <auto F>
PSIM_HANDLER(unary) {
  put(c, a->rd, F(get(c, a->rs2)));
  PSIM_NEXT;
}
template <auto F>
PSIM_HANDLER(unary_immediate) {
  put(c, a->rd, F(static_cast<u64>(a->imm)));
  PSIM_NEXT;
}
constexpr std::uint8_t nibble(bool n, bool z, bool v, bool c) {
  return static_cast<std::uint8_t>(n << 3 | z << 2 | v << 1 | c);
}
/// Returns the flags of x + y + carry or x - y - carry, given the result.
constexpr Ccr flags_of(u64 x, u64 y, u64 result, bool subtract) {
  const u64 carries = subtract ? (~x & y) | ((~x | y) & result) : (x & y) | ((x | y) & ~result);
  const u64 overflows = subtract ? (x ^ y) & (x ^ result) : (x ^ result) & (y ^ result);
  return {nibble(result >> 31 & 1, static_cast<u32>(result) == 0, overflows >> 31 & 1, carries >> 31 & 1),
          nibble(result >> 63, result == 0, overflows >> 63, carries >> 63)};
}

/// addc, subc (adding or subtracting icc.c) and, with X, addxc (xcc.c).
template <bool Subtract, bool X, bool SetCc, bool I>
PSIM_HANDLER(with_carry) {
  const Ccr old = c->cc();
  const u64 carry = (X ? old.xcc : old.icc) & 1;
  const u64 x = get(c, a->rs1), y = second<I>(c, a);
  const u64 result = Subtract ? x - y - carry : x + y + carry;
  if constexpr (SetCc) c->set_cc(flags_of(x, y, result, Subtract));
  put(c, a->rd, result);
  PSIM_NEXT;
}

template <auto F, Meaning M = Meaning::Other>
inline constexpr Execution kBinary{{.handler = binary<F, false>, .immediate = binary<F, true>, .meaning = M}};
template <auto F, CcKind Kind, Meaning M>
inline constexpr Execution kBinaryCc{
    {.handler = binary_cc<F, Kind, false>, .immediate = binary_cc<F, Kind, true>, .cc = Kind, .meaning = M}};
template <auto F>
inline constexpr Execution kUnary{{.handler = unary<F>, .immediate = unary_immediate<F>}};
template <bool Subtract, bool X, bool SetCc>
inline constexpr Execution kCarry{{.handler = with_carry<Subtract, X, SetCc, false>,
                                   .immediate = with_carry<Subtract, X, SetCc, true>,
                                   .meaning = X || SetCc ? Meaning::Other
                                              : Subtract ? Meaning::SubCarry
                                                         : Meaning::AddCarry}};

}  // namespace psim::isa::integer
