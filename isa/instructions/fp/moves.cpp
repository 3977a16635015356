// SPDX-License-Identifier: Apache-2.0
// fmov, fneg, fabs (no rounding, no exceptions: cexc becomes 0), and fmovcc, fmovfcc, fmovr (V9 A.33, A.34),
// of singles, doubles and quads.
#include "isa/simd/moves.h"
#include "isa/fp/registers.h"
#include "isa/state/conditions.h"
#include "isa/state/traps.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::fp {
namespace {

template <class T>
constexpr T same(T value) {
  return value;
}
template <class T>
constexpr T negated(T value) {
  if constexpr (std::is_same_v<T, QuadBits>)
    return {value.high ^ std::uint64_t{1} << 63, value.low};
  else
    return value ^ T { 1 } << (8 * sizeof(T) - 1);
}
template <class T>
constexpr T absolute(T value) {
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
PSIM_HANDLER(on_icc) {
  c->fp_last = static_cast<std::uint8_t>(Operation::Move);
  if (a->imm >> nzvc(*c, move_cc(a->word)) & 1) put<T>(c, a->rd, get<T>(c, a->rs2));
  PSIM_NEXT;
}
template <class T>
PSIM_HANDLER(on_fcc) {
  c->fp_last = static_cast<std::uint8_t>(Operation::Move);
  if (a->imm >> fcc(*c, move_cc(a->word)) & 1) put<T>(c, a->rd, get<T>(c, a->rs2));
  PSIM_NEXT;
}
template <class T>
PSIM_HANDLER(on_register) {
  c->fp_last = static_cast<std::uint8_t>(Operation::Move);
  if (register_condition(static_cast<unsigned>(a->imm), get<std::int64_t>(c, a->rs1)))
    put<T>(c, a->rd, get<T>(c, a->rs2));
  PSIM_NEXT;
}

/// Action::imm: the mask or the number of the condition.
template <class T, auto Imm>
void prepare(Action& a) {
  a.imm = Imm(a.word);
  if constexpr (std::is_same_v<T, QuadBits>) prepare_quad<true, false, true>(a);
}
std::int64_t icc_imm(std::uint32_t word) { return icc_mask(move_cond(word)); }
std::int64_t fcc_imm(std::uint32_t word) { return fcc_mask(move_cond(word)); }
std::int64_t register_imm(std::uint32_t word) { return move_rcond(word); }

template <class T>
constexpr auto kPrepareMove = std::is_same_v<T, QuadBits> ? prepare_quad<true, false, true> : nullptr;
template <class T, T (*F)(T)>
constexpr Binding (*kMoveInSimd)(FmaRounding) = simd::bitwise<T, [](T, T value) { return F(value); }>;
template <QuadBits (*F)(QuadBits)>
constexpr Binding (*kMoveInSimd<QuadBits, F>)(FmaRounding) = nullptr;

template <class T, T (*F)(T)>
constexpr Meaning kMoveMeaning = Meaning::Other;
template <>
constexpr Meaning kMoveMeaning<std::uint64_t, same<std::uint64_t>> = Meaning::CopyDouble;
template <class T, T (*F)(T)>
constexpr Execution kMove{{.handler = move<T, F>, .prepare = kPrepareMove<T>, .meaning = kMoveMeaning<T, F>},
                          kMoveInSimd<T, F>};
template <class T>
constexpr Execution kFpMoveOnIcc{{.handler = on_icc<T>, .prepare = prepare<T, icc_imm>}};
template <class T>
constexpr Execution kFpMoveOnFcc{{.handler = on_fcc<T>, .prepare = prepare<T, fcc_imm>},
                                 std::is_same_v<T, std::uint64_t> ? simd::moves_doubles_on_fcc : nullptr};
template <class T>
constexpr Execution kFpMoveOnRegister{{.handler = on_register<T>, .prepare = prepare<T, register_imm>}};

}  // namespace
}  // namespace psim::isa::fp

namespace psim::isa::table {
using namespace fp;

namespace {
// clang-format off
constexpr Spec kFpMoveRows[] = {
    // Moves and sign operations: no rounding, no exceptions.
    row("fmovs", "10 ddddd 110100 00000 000000001 ttttt", kSs, kFpMove, "V9 A.17", kMove<std::uint32_t, same<std::uint32_t>>),
    row("fmovd", "10 ddddd 110100 00000 000000010 ttttt", kDd, kFpMove, "V9 A.17", kMove<std::uint64_t, same<std::uint64_t>>),
    row("fmovq", "10 ddddd 110100 00000 000000011 ttttt", kQq, kFpQuad, "V9 A.17", kMove<QuadBits, same<QuadBits>>),
    row("fnegs", "10 ddddd 110100 00000 000000101 ttttt", kSs, kFpMove, "V9 A.17", kMove<std::uint32_t, negated<std::uint32_t>>),
    row("fnegd", "10 ddddd 110100 00000 000000110 ttttt", kDd, kFpMove, "V9 A.17", kMove<std::uint64_t, negated<std::uint64_t>>),
    row("fnegq", "10 ddddd 110100 00000 000000111 ttttt", kQq, kFpQuad, "V9 A.17", kMove<QuadBits, negated<QuadBits>>),
    row("fabss", "10 ddddd 110100 00000 000001001 ttttt", kSs, kFpMove, "V9 A.17", kMove<std::uint32_t, absolute<std::uint32_t>>),
    row("fabsd", "10 ddddd 110100 00000 000001010 ttttt", kDd, kFpMove, "V9 A.17", kMove<std::uint64_t, absolute<std::uint64_t>>),
    row("fabsq", "10 ddddd 110100 00000 000001011 ttttt", kQq, kFpQuad, "V9 A.17", kMove<QuadBits, absolute<QuadBits>>),
    // Conditional moves.
    row("fmovs", "10 ddddd 110101 0 cccc 1 k0 000001 ttttt", kMovIccS, kFpMove, "V9 A.33", kFpMoveOnIcc<std::uint32_t>, effect::kReadRd),
    row("fmovs", "10 ddddd 110101 0 cccc 0 kk 000001 ttttt", kMovFccS, kFpMove, "V9 A.33", kFpMoveOnFcc<std::uint32_t>, effect::kReadRd),
    row("fmovrs", "10 ddddd 110101 sssss - ccc 00101 ttttt", kMovRS, kFpMove, "V9 A.34", kFpMoveOnRegister<std::uint32_t>, effect::kReadRd),
    row("fmovd", "10 ddddd 110101 0 cccc 1 k0 000010 ttttt", kMovIccD, kFpMove, "V9 A.33", kFpMoveOnIcc<std::uint64_t>, effect::kReadRd),
    row("fmovd", "10 ddddd 110101 0 cccc 0 kk 000010 ttttt", kMovFccD, kFpMove, "V9 A.33", kFpMoveOnFcc<std::uint64_t>, effect::kReadRd),
    row("fmovrd", "10 ddddd 110101 sssss - ccc 00110 ttttt", kMovRD, kFpMove, "V9 A.34", kFpMoveOnRegister<std::uint64_t>, effect::kReadRd),
    row("fmovq", "10 ddddd 110101 0 cccc 1 k0 000011 ttttt", kMovIccQ, kFpQuad, "V9 A.33", kFpMoveOnIcc<QuadBits>, effect::kReadRd),
    row("fmovq", "10 ddddd 110101 0 cccc 0 kk 000011 ttttt", kMovFccQ, kFpQuad, "V9 A.33", kFpMoveOnFcc<QuadBits>, effect::kReadRd),
    row("fmovrq", "10 ddddd 110101 sssss - ccc 00111 ttttt", kMovRQ, kFpQuad, "V9 A.34", kFpMoveOnRegister<QuadBits>, effect::kReadRd),
    // Reserved register conditions.
    row("illegal", "10 ----- 110101 ----- - -00 00101 -----", kNoOperands, kSerial, "V9 A.34", kIllegal, effect::kRefines | effect::kTraps | effect::kReserved),
    row("illegal", "10 ----- 110101 ----- - -00 00110 -----", kNoOperands, kSerial, "V9 A.34", kIllegal, effect::kRefines | effect::kTraps | effect::kReserved),
    row("illegal", "10 ----- 110101 ----- - -00 00111 -----", kNoOperands, kSerial, "V9 A.34", kIllegal, effect::kRefines | effect::kTraps | effect::kReserved),
};
// clang-format on
static_assert(disjoint(kFpMoveRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> fp_move_rows() { return kFpMoveRows; }

}  // namespace psim::isa::table
