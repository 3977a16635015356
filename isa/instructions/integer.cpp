// SPDX-License-Identifier: Apache-2.0
// Integer addition, subtraction, logic and constants (V9 manual, A.2, A.31, A.40, A.41, A.48, A.56, A.59,
// A.60).
#include <bit>

#include "isa/instructions/integer_shapes.h"
#include "isa/table/fields.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::integer {
namespace {

constexpr u64 add(u64 a, u64 b) { return a + b; }
constexpr u64 sub(u64 a, u64 b) { return a - b; }
constexpr u64 and_(u64 a, u64 b) { return a & b; }
constexpr u64 andn(u64 a, u64 b) { return a & ~b; }
constexpr u64 or_(u64 a, u64 b) { return a | b; }
constexpr u64 orn(u64 a, u64 b) { return a | ~b; }
constexpr u64 xor_(u64 a, u64 b) { return a ^ b; }
constexpr u64 xnor(u64 a, u64 b) { return ~(a ^ b); }
constexpr u64 popc(u64 b) { return static_cast<u64>(std::popcount(b)); }

/// taddcc, tsubcc: icc.v is also set if a tag (the two low bits) was not zero, or the 32-bit sum overflowed.
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

template <bool Subtract, bool Trap>
constexpr Execution kTagged{
    {.handler = tagged<Subtract, Trap, false>, .immediate = tagged<Subtract, Trap, true>}};

PSIM_HANDLER(set_immediate) {
  put(c, a->rd, static_cast<u64>(a->imm));
  PSIM_NEXT;
}
PSIM_HANDLER(nothing) { PSIM_NEXT; }

constexpr Execution kSetHigh{
    {.handler = set_immediate,
     .prepare = [](Action& a) { a.imm = static_cast<s64>(u64{imm22(a.word)} << 10); },
     .meaning = Meaning::Set}};
constexpr Execution kDoNothing{{.handler = nothing, .meaning = Meaning::Nothing}};

}  // namespace
}  // namespace psim::isa::integer

namespace psim::isa::table {
using namespace integer;

namespace {
// clang-format off
constexpr Spec kIntegerRows[] = {
    // Arithmetic.
    row("add", "10 ddddd 000000 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.2", kBinary<add, Meaning::Add>),
    row("add", "10 ddddd 000000 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.2", kBinary<add, Meaning::Add>),
    row("addcc", "10 ddddd 010000 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.2", kBinaryCc<add, CcKind::Add, Meaning::Add>, effect::kWriteCc),
    row("addcc", "10 ddddd 010000 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.2", kBinaryCc<add, CcKind::Add, Meaning::Add>, effect::kWriteCc),
    row("addc", "10 ddddd 001000 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.2", kCarry<false, false, false>, effect::kReadCc),
    row("addc", "10 ddddd 001000 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.2", kCarry<false, false, false>, effect::kReadCc),
    row("addccc", "10 ddddd 011000 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.2", kCarry<false, false, true>, effect::kReadCc | effect::kWriteCc),
    row("addccc", "10 ddddd 011000 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.2", kCarry<false, false, true>, effect::kReadCc | effect::kWriteCc),
    row("sub", "10 ddddd 000100 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.56", kBinary<sub, Meaning::Sub>),
    row("sub", "10 ddddd 000100 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.56", kBinary<sub, Meaning::Sub>),
    row("subcc", "10 ddddd 010100 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.56", kBinaryCc<sub, CcKind::Sub, Meaning::Sub>, effect::kWriteCc),
    row("subcc", "10 ddddd 010100 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.56", kBinaryCc<sub, CcKind::Sub, Meaning::Sub>, effect::kWriteCc),
    row("subc", "10 ddddd 001100 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.56", kCarry<true, false, false>, effect::kReadCc),
    row("subc", "10 ddddd 001100 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.56", kCarry<true, false, false>, effect::kReadCc),
    row("subccc", "10 ddddd 011100 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.56", kCarry<true, false, true>, effect::kReadCc | effect::kWriteCc),
    row("subccc", "10 ddddd 011100 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.56", kCarry<true, false, true>, effect::kReadCc | effect::kWriteCc),
    // Logic.
    row("and", "10 ddddd 000001 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinary<and_, Meaning::And>),
    row("and", "10 ddddd 000001 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinary<and_, Meaning::And>),
    row("andcc", "10 ddddd 010001 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinaryCc<and_, CcKind::Logic, Meaning::And>, effect::kWriteCc),
    row("andcc", "10 ddddd 010001 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinaryCc<and_, CcKind::Logic, Meaning::And>, effect::kWriteCc),
    row("or", "10 ddddd 000010 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinary<or_, Meaning::Or>),
    row("or", "10 ddddd 000010 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinary<or_, Meaning::Or>),
    row("orcc", "10 ddddd 010010 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinaryCc<or_, CcKind::Logic, Meaning::Or>, effect::kWriteCc),
    row("orcc", "10 ddddd 010010 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinaryCc<or_, CcKind::Logic, Meaning::Or>, effect::kWriteCc),
    row("xor", "10 ddddd 000011 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinary<xor_, Meaning::Xor>),
    row("xor", "10 ddddd 000011 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinary<xor_, Meaning::Xor>),
    row("xorcc", "10 ddddd 010011 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinaryCc<xor_, CcKind::Logic, Meaning::Xor>, effect::kWriteCc),
    row("xorcc", "10 ddddd 010011 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinaryCc<xor_, CcKind::Logic, Meaning::Xor>, effect::kWriteCc),
    row("andn", "10 ddddd 000101 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinary<andn, Meaning::AndNot>),
    row("andn", "10 ddddd 000101 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinary<andn, Meaning::AndNot>),
    row("andncc", "10 ddddd 010101 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinaryCc<andn, CcKind::Logic, Meaning::AndNot>, effect::kWriteCc),
    row("andncc", "10 ddddd 010101 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinaryCc<andn, CcKind::Logic, Meaning::AndNot>, effect::kWriteCc),
    row("orn", "10 ddddd 000110 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinary<orn, Meaning::OrNot>),
    row("orn", "10 ddddd 000110 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinary<orn, Meaning::OrNot>),
    row("orncc", "10 ddddd 010110 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinaryCc<orn, CcKind::Logic, Meaning::OrNot>, effect::kWriteCc),
    row("orncc", "10 ddddd 010110 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinaryCc<orn, CcKind::Logic, Meaning::OrNot>, effect::kWriteCc),
    row("xnor", "10 ddddd 000111 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinary<xnor, Meaning::XorNot>),
    row("xnor", "10 ddddd 000111 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinary<xnor, Meaning::XorNot>),
    row("xnorcc", "10 ddddd 010111 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", kBinaryCc<xnor, CcKind::Logic, Meaning::XorNot>, effect::kWriteCc),
    row("xnorcc", "10 ddddd 010111 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", kBinaryCc<xnor, CcKind::Logic, Meaning::XorNot>, effect::kWriteCc),
    // Tagged arithmetic.
    row("taddcc", "10 ddddd 100000 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.59", kTagged<false, false>, effect::kWriteCc),
    row("taddcc", "10 ddddd 100000 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.59", kTagged<false, false>, effect::kWriteCc),
    row("tsubcc", "10 ddddd 100001 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.60", kTagged<true, false>, effect::kWriteCc),
    row("tsubcc", "10 ddddd 100001 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.60", kTagged<true, false>, effect::kWriteCc),
    row("taddcctv", "10 ddddd 100010 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.59", kTagged<false, true>, effect::kWriteCc),
    row("taddcctv", "10 ddddd 100010 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.59", kTagged<false, true>, effect::kWriteCc),
    row("tsubcctv", "10 ddddd 100011 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.60", kTagged<true, true>, effect::kWriteCc),
    row("tsubcctv", "10 ddddd 100011 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.60", kTagged<true, true>, effect::kWriteCc),
    // Constants and counts.
    row("nop", "00 00000 100 0000000000000000000000", kNoOperands, kNothing, "V9 A.40", kDoNothing, effect::kRefines),
    row("sethi", "00 ddddd 100 iiiiiiiiiiiiiiiiiiiiii", kSethi, kSimple, "V9 A.48", kSetHigh),
    row("popc", "10 ddddd 101110 00000 0 00000000 ttttt", kRr, kMultiply, "V9 A.41", kUnary<popc>, 0, 0, hwcap::kPopc),
    row("popc", "10 ddddd 101110 00000 1 iiiiiiiiiiiii", kIr, kMultiply, "V9 A.41", kUnary<popc>, 0, 0, hwcap::kPopc),
};
// clang-format on
static_assert(disjoint(kIntegerRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> integer_rows() { return kIntegerRows; }

}  // namespace psim::isa::table
