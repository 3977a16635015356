// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic, logic, shifts, conditional moves (V9 manual, A.2, A.31–A.35, A.41, A.49, A.57;
// OSA2011 for VIS 3 forms), each a small function over operands put into a handler shape.
#include <bit>

#include "isa/exec/conditions.h"
#include "isa/exec/context.h"
#include "isa/exec/handler.h"
#include "isa/exec/windows.h"
#include "isa/fields.h"

namespace psim::isa {

namespace {
using u64 = std::uint64_t;
using u32 = std::uint32_t;
using s64 = std::int64_t;

/// Operand 2.
template <bool I>
u64 second(const Context* c, const Action* a) {
  return I ? static_cast<u64>(a->imm) : get(c, a->rs2);
}

constexpr u64 add(u64 a, u64 b) { return a + b; }
constexpr u64 sub(u64 a, u64 b) { return a - b; }
constexpr u64 and_(u64 a, u64 b) { return a & b; }
constexpr u64 andn(u64 a, u64 b) { return a & ~b; }
constexpr u64 or_(u64 a, u64 b) { return a | b; }
constexpr u64 orn(u64 a, u64 b) { return a | ~b; }
constexpr u64 xor_(u64 a, u64 b) { return a ^ b; }
constexpr u64 xnor(u64 a, u64 b) { return ~(a ^ b); }
constexpr u64 sll(u64 a, u64 b) { return a << (b & 31); }
constexpr u64 srl(u64 a, u64 b) { return static_cast<u32>(a) >> (b & 31); }
constexpr u64 sra(u64 a, u64 b) { return static_cast<u64>(s64{static_cast<std::int32_t>(a)} >> (b & 31)); }
constexpr u64 sllx(u64 a, u64 b) { return a << (b & 63); }
constexpr u64 srlx(u64 a, u64 b) { return a >> (b & 63); }
constexpr u64 srax(u64 a, u64 b) { return static_cast<u64>(static_cast<s64>(a) >> (b & 63)); }
constexpr u64 mulx(u64 a, u64 b) { return a * b; }
constexpr u64 umulxhi(u64 a, u64 b) {
  return static_cast<u64>((static_cast<unsigned __int128>(a) * b) >> 64);
}

/// rd = F(rs1, operand 2).
template <auto F, bool I>
PSIM_HANDLER(binary) {
  put(c, a->rd, F(get(c, a->rs1), second<I>(c, a)));
  PSIM_NEXT;
}
/// The same, defining CCR as Kind says.
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
/// A binary operation whose operand 2 is a register only, or rs2 alone.
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
constexpr u64 popc(u64 b) { return static_cast<u64>(std::popcount(b)); }
constexpr u64 lzcnt(u64 b) { return static_cast<u64>(std::countl_zero(b)); }

constexpr std::uint8_t nibble(bool n, bool z, bool v, bool c) {
  return static_cast<std::uint8_t>(n << 3 | z << 2 | v << 1 | c);
}
/// Flags of x + y + carry or x - y - carry, given the result.
constexpr Ccr flags_of(u64 x, u64 y, u64 result, bool subtract) {
  const u64 carries = subtract ? (~x & y) | ((~x | y) & result) : (x & y) | ((x | y) & ~result);
  const u64 overflows = subtract ? (x ^ y) & (x ^ result) : (x ^ result) & (y ^ result);
  return {nibble(result >> 31 & 1, static_cast<u32>(result) == 0, overflows >> 31 & 1, carries >> 31 & 1),
          nibble(result >> 63, result == 0, overflows >> 63, carries >> 63)};
}

/// addc, subc (icc.c comes in) and, with X, addxc (xcc.c).
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

/// taddcc, tsubcc: icc.v also says that a tag (the two low bits) was not zero, or the 32-bit sum overflowed.
template <bool Subtract, bool Trap, bool I>
PSIM_HANDLER(tagged) {
  const u64 x = get(c, a->rs1), y = second<I>(c, a), result = Subtract ? x - y : x + y;
  Ccr flags = flags_of(x, y, result, Subtract);
  if (((x | y) & 3) != 0) flags.icc |= 2;
  if (Trap && (flags.icc & 2) != 0) PSIM_TROUBLE(FaultKind::TagOverflow);
  c->set_cc(flags);
  put(c, a->rd, result);
  PSIM_NEXT;
}

template <bool I>
PSIM_HANDLER(mulscc) {
  const u64 rs1 = get(c, a->rs1);
  const unsigned icc = nzvc(*c, 0);
  const u32 shifted = static_cast<u32>(rs1) >> 1 | static_cast<u32>((icc >> 3 ^ icc >> 1) & 1) << 31;
  const u32 addend = (c->y & 1) != 0 ? static_cast<u32>(second<I>(c, a)) : 0;
  // rd and xcc: the manual leaves the upper half undefined (A.39); the 33-bit sum is what parts give.
  const u64 result = u64{shifted} + addend;
  const u32 low = static_cast<u32>(result);
  const bool overflow = ((shifted ^ low) & (addend ^ low)) >> 31;
  c->set_cc({nibble(low >> 31, low == 0, overflow, result >> 32), nibble(false, result == 0, false, false)});
  c->y = static_cast<u32>(c->y) >> 1 | static_cast<u32>(rs1 & 1) << 31;
  put(c, a->rd, result);
  PSIM_NEXT;
}

/// umul, smul: 32 × 32 → 64 bits; Y takes the high half.
template <bool Signed, bool SetCc, bool I>
PSIM_HANDLER(multiply32) {
  const u64 x = get(c, a->rs1), y = second<I>(c, a);
  const u64 product =
      Signed ? static_cast<u64>(s64{static_cast<std::int32_t>(x)} * s64{static_cast<std::int32_t>(y)})
             : u64{static_cast<u32>(x)} * u64{static_cast<u32>(y)};
  c->y = product >> 32;
  if constexpr (SetCc) c->cc_kind = CcKind::Logic, c->cc_a = product;
  put(c, a->rd, product);
  PSIM_NEXT;
}

/// udiv, sdiv: Y:rs1 / operand 2, saturated to 32 bits; overflow sets icc.v (V9 A.10).
template <bool Signed, bool SetCc, bool I>
PSIM_HANDLER(divide32) {
  const u64 dividend = c->y << 32 | static_cast<u32>(get(c, a->rs1));
  const u32 divisor = static_cast<u32>(second<I>(c, a));
  if (divisor == 0) PSIM_TROUBLE(FaultKind::DivisionByZero);
  u64 result;
  bool overflow = false;
  if constexpr (Signed) {
    const s64 x = static_cast<s64>(dividend), y = static_cast<std::int32_t>(divisor);
    // INT64_MIN / -1 has no quotient of 64 bits; it overflows like any other too large one.
    const bool unrepresentable = x == INT64_MIN && y == -1;
    const s64 quotient = unrepresentable ? INT64_MAX : x / y;
    overflow = quotient != static_cast<std::int32_t>(quotient);
    result = !overflow ? static_cast<u64>(quotient) : quotient < 0 ? ~u64{0x7fffffff} : u64{0x7fffffff};
  } else {
    result = dividend / divisor;
    if (result >> 32 != 0) overflow = true, result = 0xffffffff;
  }
  if constexpr (SetCc)
    c->set_cc({nibble(result >> 31 & 1, static_cast<u32>(result) == 0, overflow, false),
               nibble(result >> 63, result == 0, false, false)});
  put(c, a->rd, result);
  PSIM_NEXT;
}

template <bool Signed, bool I>
PSIM_HANDLER(divide64) {
  const u64 x = get(c, a->rs1), y = second<I>(c, a);
  if (y == 0) PSIM_TROUBLE(FaultKind::DivisionByZero);
  if constexpr (!Signed) {
    put(c, a->rd, x / y);
  } else if (y == ~u64{0}) {  // also INT64_MIN / -1 = INT64_MIN
    put(c, a->rd, -x);
  } else {
    put(c, a->rd, static_cast<u64>(static_cast<s64>(x) / static_cast<s64>(y)));
  }
  PSIM_NEXT;
}

PSIM_HANDLER(set_immediate) {
  put(c, a->rd, static_cast<u64>(a->imm));
  PSIM_NEXT;
}
PSIM_HANDLER(nothing) { PSIM_NEXT; }

// Conditional moves: rs3 of the action is the destination as a source, so that the move is a select.
template <bool I>
PSIM_HANDLER(move_on_icc) {
  const bool holds = icc_mask(move_cond(a->word)) >> nzvc(*c, move_cc(a->word)) & 1;
  put(c, a->rd, holds ? second<I>(c, a) : get(c, a->rs3));
  PSIM_NEXT;
}
template <unsigned Cond, bool X, bool I>
PSIM_HANDLER(move_on_icc_of) {
  bool holds;
  if (c->cc_kind == CcKind::Sub) [[likely]]
    holds = X ? holds_after_sub<Cond, u64>(c->cc_a, c->cc_b)
              : holds_after_sub<Cond, u32>(static_cast<u32>(c->cc_a), static_cast<u32>(c->cc_b));
  else
    holds = icc_mask(Cond) >> nzvc(*c, X ? 2 : 0) & 1;
  put(c, a->rd, holds ? second<I>(c, a) : get(c, a->rs3));
  PSIM_NEXT;
}
template <bool I>
PSIM_HANDLER(move_on_fcc) {
  const bool holds = fcc_mask(move_cond(a->word)) >> fcc(*c, move_cc(a->word)) & 1;
  put(c, a->rd, holds ? second<I>(c, a) : get(c, a->rs3));
  PSIM_NEXT;
}
template <bool I>
PSIM_HANDLER(move_on_register) {
  const bool holds = register_condition(move_rcond(a->word), static_cast<s64>(get(c, a->rs1)));
  put(c, a->rd, holds ? second<I>(c, a) : get(c, a->rs3));
  PSIM_NEXT;
}
void old_destination(Action& a) { a.rs3 = a.rd; }

template <bool X, bool I>
constexpr auto kMoves = []<std::size_t... cond>(std::index_sequence<cond...>) {
  return std::array<Handler, 16>{move_on_icc_of<cond, X, I>...};
}
(std::make_index_sequence<16>{});
void prepare_movcc(Action& a) {
  const bool immediate = has_immediate(a.word);
  const unsigned condition = move_cond(a.word);
  a.rs3 = a.rd, a.imm = simm11(a.word);
  if (move_cc(a.word) == 2)
    a.handler = immediate ? kMoves<true, true>[condition] : kMoves<true, false>[condition];
  else
    a.handler = immediate ? kMoves<false, true>[condition] : kMoves<false, false>[condition];
}

/// save, restore: rd is in the new window, the operands in the old one.
template <bool I>
PSIM_HANDLER(save) {
  if (c->cansave == 0 && (c->recorder != nullptr || !spill_plainly(*c, *c->memory))) [[unlikely]]
    return do_alone(c, a);
  const u64 sum = get(c, a->rs1) + second<I>(c, a);
  --c->cansave, ++c->canrestore;
  enter_next_window(*c);
  put(c, a->rd, sum);
  PSIM_NEXT;
}
template <bool I>
PSIM_HANDLER(restore) {
  if (c->canrestore == 0 && (c->recorder != nullptr || !fill_previous(*c, *c->memory).done)) [[unlikely]]
    return do_alone(c, a);
  const u64 sum = get(c, a->rs1) + second<I>(c, a);
  ++c->cansave, --c->canrestore;
  enter_previous_window(*c);
  put(c, a->rd, sum);
  PSIM_NEXT;
}
PSIM_HANDLER(flushw) {
  if (c->canrestore != 0) return do_alone(c, a);
  PSIM_NEXT;
}

constexpr Binding rrr(Handler by_register, Handler by_immediate) {
  return {
      .handler = by_register, .immediate = by_immediate, .rd = Bank::Int, .rs1 = Bank::Int, .rs2 = Bank::Int};
}
template <auto F>
constexpr Binding kBinary = rrr(binary<F, false>, binary<F, true>);
template <auto F, CcKind K>
constexpr Binding kBinaryCc = rrr(binary_cc<F, K, false>, binary_cc<F, K, true>);
template <bool Sub, bool X, bool Cc>
constexpr Binding kCarry = rrr(with_carry<Sub, X, Cc, false>, with_carry<Sub, X, Cc, true>);

Binding with(Binding binding, void (*prepare)(Action&)) {
  binding.prepare = prepare;
  return binding;
}
}  // namespace

void bind_integer(Bindings& b) {
  b[Op::Add] = kBinary<add>, b[Op::Addcc] = kBinaryCc<add, CcKind::Add>;
  b[Op::Sub] = kBinary<sub>, b[Op::Subcc] = kBinaryCc<sub, CcKind::Sub>;
  b[Op::Addc] = kCarry<false, false, false>, b[Op::Addccc] = kCarry<false, false, true>;
  b[Op::Subc] = kCarry<true, false, false>, b[Op::Subccc] = kCarry<true, false, true>;
  b[Op::Addxc] = kCarry<false, true, false>, b[Op::Addxccc] = kCarry<false, true, true>;
  b[Op::And] = kBinary<and_>, b[Op::Andcc] = kBinaryCc<and_, CcKind::Logic>;
  b[Op::Andn] = kBinary<andn>, b[Op::Andncc] = kBinaryCc<andn, CcKind::Logic>;
  b[Op::Or] = kBinary<or_>, b[Op::Orcc] = kBinaryCc<or_, CcKind::Logic>;
  b[Op::Orn] = kBinary<orn>, b[Op::Orncc] = kBinaryCc<orn, CcKind::Logic>;
  b[Op::Xor] = kBinary<xor_>, b[Op::Xorcc] = kBinaryCc<xor_, CcKind::Logic>;
  b[Op::Xnor] = kBinary<xnor>, b[Op::Xnorcc] = kBinaryCc<xnor, CcKind::Logic>;
  b[Op::Sll] = kBinary<sll>, b[Op::Srl] = kBinary<srl>, b[Op::Sra] = kBinary<sra>;
  b[Op::Sllx] = kBinary<sllx>, b[Op::Srlx] = kBinary<srlx>, b[Op::Srax] = kBinary<srax>;
  b[Op::Mulx] = kBinary<mulx>, b[Op::Umulxhi] = kBinary<umulxhi>;
  b[Op::Taddcc] = rrr(tagged<false, false, false>, tagged<false, false, true>);
  b[Op::Taddcctv] = rrr(tagged<false, true, false>, tagged<false, true, true>);
  b[Op::Tsubcc] = rrr(tagged<true, false, false>, tagged<true, false, true>);
  b[Op::Tsubcctv] = rrr(tagged<true, true, false>, tagged<true, true, true>);
  b[Op::Mulscc] = rrr(mulscc<false>, mulscc<true>);
  b[Op::Umul] = rrr(multiply32<false, false, false>, multiply32<false, false, true>);
  b[Op::Umulcc] = rrr(multiply32<false, true, false>, multiply32<false, true, true>);
  b[Op::Smul] = rrr(multiply32<true, false, false>, multiply32<true, false, true>);
  b[Op::Smulcc] = rrr(multiply32<true, true, false>, multiply32<true, true, true>);
  b[Op::Udiv] = rrr(divide32<false, false, false>, divide32<false, false, true>);
  b[Op::Udivcc] = rrr(divide32<false, true, false>, divide32<false, true, true>);
  b[Op::Sdiv] = rrr(divide32<true, false, false>, divide32<true, false, true>);
  b[Op::Sdivcc] = rrr(divide32<true, true, false>, divide32<true, true, true>);
  b[Op::Udivx] = rrr(divide64<false, false>, divide64<false, true>);
  b[Op::Sdivx] = rrr(divide64<true, false>, divide64<true, true>);
  b[Op::Popc] = rrr(unary<popc>, unary_immediate<popc>);
  b[Op::Lzcnt] = rrr(unary<lzcnt>, nullptr);
  b[Op::Sethi] = {.handler = set_immediate, .rd = Bank::Int, .prepare = [](Action& a) {
                    a.handler = set_immediate;
                    a.imm = static_cast<s64>(u64{imm22(a.word)} << 10);
                  }};
  b[Op::Nop] = {.handler = nothing};
  b[Op::Movcc] = with(rrr(move_on_icc<false>, move_on_icc<true>), prepare_movcc);
  b[Op::Movfcc] = with(rrr(move_on_fcc<false>, move_on_fcc<true>),
                       [](Action& a) { old_destination(a), a.imm = simm11(a.word); });
  b[Op::Movr] = with(rrr(move_on_register<false>, move_on_register<true>),
                     [](Action& a) { old_destination(a), a.imm = simm10(a.word); });
  b[Op::Save] = rrr(save<false>, save<true>), b[Op::Restore] = rrr(restore<false>, restore<true>);
  b[Op::Flushw] = {.handler = flushw};
}

}  // namespace psim::isa
