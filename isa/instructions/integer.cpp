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
constexpr auto kIntegerRows = rows(
    // Arithmetic.
    pair<"10 ddddd 000000 sssss">("add", kRrr, kRir, kSimple, "V9 A.2", kBinary<add, Meaning::Add>),
    pair<"10 ddddd 010000 sssss">("addcc", kRrr, kRir, kSimple, "V9 A.2", kBinaryCc<add, CcKind::Add, Meaning::Add>, effect::kWriteCc),
    pair<"10 ddddd 001000 sssss">("addc", kRrr, kRir, kSimple, "V9 A.2", kCarry<false, false, false>, effect::kReadCc),
    pair<"10 ddddd 011000 sssss">("addccc", kRrr, kRir, kSimple, "V9 A.2", kCarry<false, false, true>, effect::kReadCc | effect::kWriteCc),
    pair<"10 ddddd 000100 sssss">("sub", kRrr, kRir, kSimple, "V9 A.56", kBinary<sub, Meaning::Sub>),
    pair<"10 ddddd 010100 sssss">("subcc", kRrr, kRir, kSimple, "V9 A.56", kBinaryCc<sub, CcKind::Sub, Meaning::Sub>, effect::kWriteCc),
    pair<"10 ddddd 001100 sssss">("subc", kRrr, kRir, kSimple, "V9 A.56", kCarry<true, false, false>, effect::kReadCc),
    pair<"10 ddddd 011100 sssss">("subccc", kRrr, kRir, kSimple, "V9 A.56", kCarry<true, false, true>, effect::kReadCc | effect::kWriteCc),
    // Logic.
    pair<"10 ddddd 000001 sssss">("and", kRrr, kRir, kSimple, "V9 A.31", kBinary<and_, Meaning::And>),
    pair<"10 ddddd 010001 sssss">("andcc", kRrr, kRir, kSimple, "V9 A.31", kBinaryCc<and_, CcKind::Logic, Meaning::And>, effect::kWriteCc),
    pair<"10 ddddd 000010 sssss">("or", kRrr, kRir, kSimple, "V9 A.31", kBinary<or_, Meaning::Or>),
    pair<"10 ddddd 010010 sssss">("orcc", kRrr, kRir, kSimple, "V9 A.31", kBinaryCc<or_, CcKind::Logic, Meaning::Or>, effect::kWriteCc),
    pair<"10 ddddd 000011 sssss">("xor", kRrr, kRir, kSimple, "V9 A.31", kBinary<xor_, Meaning::Xor>),
    pair<"10 ddddd 010011 sssss">("xorcc", kRrr, kRir, kSimple, "V9 A.31", kBinaryCc<xor_, CcKind::Logic, Meaning::Xor>, effect::kWriteCc),
    pair<"10 ddddd 000101 sssss">("andn", kRrr, kRir, kSimple, "V9 A.31", kBinary<andn, Meaning::AndNot>),
    pair<"10 ddddd 010101 sssss">("andncc", kRrr, kRir, kSimple, "V9 A.31", kBinaryCc<andn, CcKind::Logic, Meaning::AndNot>, effect::kWriteCc),
    pair<"10 ddddd 000110 sssss">("orn", kRrr, kRir, kSimple, "V9 A.31", kBinary<orn, Meaning::OrNot>),
    pair<"10 ddddd 010110 sssss">("orncc", kRrr, kRir, kSimple, "V9 A.31", kBinaryCc<orn, CcKind::Logic, Meaning::OrNot>, effect::kWriteCc),
    pair<"10 ddddd 000111 sssss">("xnor", kRrr, kRir, kSimple, "V9 A.31", kBinary<xnor, Meaning::XorNot>),
    pair<"10 ddddd 010111 sssss">("xnorcc", kRrr, kRir, kSimple, "V9 A.31", kBinaryCc<xnor, CcKind::Logic, Meaning::XorNot>, effect::kWriteCc),
    // Tagged arithmetic.
    pair<"10 ddddd 100000 sssss">("taddcc", kRrr, kRir, kSimple, "V9 A.59", kTagged<false, false>, effect::kWriteCc),
    pair<"10 ddddd 100001 sssss">("tsubcc", kRrr, kRir, kSimple, "V9 A.60", kTagged<true, false>, effect::kWriteCc),
    pair<"10 ddddd 100010 sssss">("taddcctv", kRrr, kRir, kSimple, "V9 A.59", kTagged<false, true>, effect::kWriteCc),
    pair<"10 ddddd 100011 sssss">("tsubcctv", kRrr, kRir, kSimple, "V9 A.60", kTagged<true, true>, effect::kWriteCc),
    // Constants and counts.
    row("nop", "00 00000 100 0000000000000000000000", kNoOperands, kNothing, "V9 A.40", kDoNothing, effect::kRefines),
    row("sethi", "00 ddddd 100 iiiiiiiiiiiiiiiiiiiiii", kSethi, kSimple, "V9 A.48", kSetHigh),
    pair<"10 ddddd 101110 00000">("popc", kRr, kIr, kMultiply, "V9 A.41", kUnary<popc>, 0, 0, hwcap::kPopc)
);
// clang-format on
static_assert(disjoint(kIntegerRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> integer_rows() { return kIntegerRows; }

}  // namespace psim::isa::table
