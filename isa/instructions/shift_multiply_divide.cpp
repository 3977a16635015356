// SPDX-License-Identifier: Apache-2.0
// Shifts, multiplication and division of integers (V9 manual, A.10, A.37–A.39, A.49).
#include "isa/instructions/integer_shapes.h"
#include "isa/state/conditions.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::integer {
namespace {

constexpr u64 sll(u64 a, u64 b) { return a << (b & 31); }
constexpr u64 srl(u64 a, u64 b) { return static_cast<u32>(a) >> (b & 31); }
constexpr u64 sra(u64 a, u64 b) { return static_cast<u64>(s64{static_cast<std::int32_t>(a)} >> (b & 31)); }
constexpr u64 sllx(u64 a, u64 b) { return a << (b & 63); }
constexpr u64 srlx(u64 a, u64 b) { return a >> (b & 63); }
constexpr u64 srax(u64 a, u64 b) { return static_cast<u64>(static_cast<s64>(a) >> (b & 63)); }
constexpr u64 mulx(u64 a, u64 b) { return a * b; }

template <bool I>
PSIM_HANDLER(mulscc) {
  const u64 rs1 = get(c, a->rs1);
  const unsigned icc = nzvc(*c, 0);
  const u32 shifted = static_cast<u32>(rs1) >> 1 | static_cast<u32>((icc >> 3 ^ icc >> 1) & 1) << 31;
  const u32 addend = (c->y & 1) != 0 ? static_cast<u32>(second<I>(c, a)) : 0;
  // rd and xcc: the manual leaves the upper half undefined (A.39); processors give the 33-bit sum.
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
    // INT64_MIN / -1 has no quotient of 64 bits; it overflows like any other quotient that is too large.
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

constexpr Execution kMultiplyStep{{.handler = mulscc<false>, .immediate = mulscc<true>}};
template <bool Signed, bool SetCc>
constexpr Execution kMultiply32{{.handler = multiply32<Signed, SetCc, false>,
                                 .immediate = multiply32<Signed, SetCc, true>,
                                 .cc = SetCc ? std::optional(CcKind::Logic) : std::nullopt}};
template <bool Signed, bool SetCc>
constexpr Execution kDivide32{
    {.handler = divide32<Signed, SetCc, false>, .immediate = divide32<Signed, SetCc, true>}};
template <bool Signed>
constexpr Execution kDivide64{{.handler = divide64<Signed, false>,
                               .immediate = divide64<Signed, true>,
                               .meaning = Signed ? Meaning::DivideSigned : Meaning::DivideUnsigned}};

}  // namespace
}  // namespace psim::isa::integer

namespace psim::isa::table {
using namespace integer;

namespace {
// clang-format off
constexpr auto kShiftMultiplyDivideRows = rows(
    // Shifts: x = 0 shifts 32 bits, x = 1 64 bits.
    row("sll", "10 ddddd 100101 sssss 0 0 0000000 ttttt", kRrr, kSimple, "V9 A.49", kBinary<sll, Meaning::ShiftLeft32>),
    row("sll", "10 ddddd 100101 sssss 1 0 0000000 iiiii", kShift32, kSimple, "V9 A.49", kBinary<sll, Meaning::ShiftLeft32>),
    row("sllx", "10 ddddd 100101 sssss 0 1 0000000 ttttt", kRrr, kSimple, "V9 A.49", kBinary<sllx, Meaning::ShiftLeft64>),
    row("sllx", "10 ddddd 100101 sssss 1 1 000000 iiiiii", kShift64, kSimple, "V9 A.49", kBinary<sllx, Meaning::ShiftLeft64>),
    row("srl", "10 ddddd 100110 sssss 0 0 0000000 ttttt", kRrr, kSimple, "V9 A.49", kBinary<srl, Meaning::ShiftRight32>),
    row("srl", "10 ddddd 100110 sssss 1 0 0000000 iiiii", kShift32, kSimple, "V9 A.49", kBinary<srl, Meaning::ShiftRight32>),
    row("srlx", "10 ddddd 100110 sssss 0 1 0000000 ttttt", kRrr, kSimple, "V9 A.49", kBinary<srlx, Meaning::ShiftRight64>),
    row("srlx", "10 ddddd 100110 sssss 1 1 000000 iiiiii", kShift64, kSimple, "V9 A.49", kBinary<srlx, Meaning::ShiftRight64>),
    row("sra", "10 ddddd 100111 sssss 0 0 0000000 ttttt", kRrr, kSimple, "V9 A.49", kBinary<sra, Meaning::ShiftRightSigned32>),
    row("sra", "10 ddddd 100111 sssss 1 0 0000000 iiiii", kShift32, kSimple, "V9 A.49", kBinary<sra, Meaning::ShiftRightSigned32>),
    row("srax", "10 ddddd 100111 sssss 0 1 0000000 ttttt", kRrr, kSimple, "V9 A.49", kBinary<srax, Meaning::ShiftRightSigned64>),
    row("srax", "10 ddddd 100111 sssss 1 1 000000 iiiiii", kShift64, kSimple, "V9 A.49", kBinary<srax, Meaning::ShiftRightSigned64>),
    // Multiplication.
    pair<"10 ddddd 100100 sssss">("mulscc", kRrr, kRir, kSimple, "V9 A.39", kMultiplyStep, effect::kReadCc | effect::kWriteCc | effect::kReadY | effect::kWriteY),
    pair<"10 ddddd 001010 sssss">("umul", kRrr, kRir, kMultiply, "V9 A.38", kMultiply32<false, false>, effect::kWriteY, 0, hwcap::kMul32),
    pair<"10 ddddd 011010 sssss">("umulcc", kRrr, kRir, kMultiply, "V9 A.38", kMultiply32<false, true>, effect::kWriteY | effect::kWriteCc, 0, hwcap::kMul32),
    pair<"10 ddddd 001011 sssss">("smul", kRrr, kRir, kMultiply, "V9 A.38", kMultiply32<true, false>, effect::kWriteY, 0, hwcap::kMul32),
    pair<"10 ddddd 011011 sssss">("smulcc", kRrr, kRir, kMultiply, "V9 A.38", kMultiply32<true, true>, effect::kWriteY | effect::kWriteCc, 0, hwcap::kMul32),
    pair<"10 ddddd 001001 sssss">("mulx", kRrr, kRir, kMultiply, "V9 A.37", kBinary<mulx, Meaning::Multiply>),
    // Division.
    pair<"10 ddddd 001110 sssss">("udiv", kRrr, kRir, kDivide, "V9 A.10", kDivide32<false, false>, effect::kReadY, 0, hwcap::kDiv32),
    pair<"10 ddddd 011110 sssss">("udivcc", kRrr, kRir, kDivide, "V9 A.10", kDivide32<false, true>, effect::kReadY | effect::kWriteCc, 0, hwcap::kDiv32),
    pair<"10 ddddd 001111 sssss">("sdiv", kRrr, kRir, kDivide, "V9 A.10", kDivide32<true, false>, effect::kReadY, 0, hwcap::kDiv32),
    pair<"10 ddddd 011111 sssss">("sdivcc", kRrr, kRir, kDivide, "V9 A.10", kDivide32<true, true>, effect::kReadY | effect::kWriteCc, 0, hwcap::kDiv32),
    pair<"10 ddddd 001101 sssss">("udivx", kRrr, kRir, kDivide, "V9 A.37", kDivide64<false>),
    pair<"10 ddddd 101101 sssss">("sdivx", kRrr, kRir, kDivide, "V9 A.37", kDivide64<true>)
);
// clang-format on
static_assert(disjoint(kShiftMultiplyDivideRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> shift_multiply_divide_rows() { return kShiftMultiplyDivideRows; }

}  // namespace psim::isa::table
