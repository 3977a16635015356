// SPDX-License-Identifier: Apache-2.0
// Conditional moves of integer registers (V9 manual, A.35, A.36).
#include <array>
#include <utility>

#include "isa/instructions/integer_shapes.h"
#include "isa/simd/moves.h"
#include "isa/state/conditions.h"
#include "isa/state/traps.h"
#include "isa/table/fields.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::integer {
namespace {

// Action::rs3 is the destination as a source, so that a move is a selection.
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
template <bool X, bool I>
constexpr auto kMoves = []<std::size_t... cond>(std::index_sequence<cond...>) {
  return std::array<Handler, 16>{move_on_icc_of<cond, X, I>...};
}
(std::make_index_sequence<16>{});
void prepare_movcc(Action& a) {
  const bool immediate = has_immediate(a.word);
  const unsigned condition = move_cond(a.word);
  if (move_cc(a.word) == 2)
    a.handler = immediate ? kMoves<true, true>[condition] : kMoves<true, false>[condition];
  else
    a.handler = immediate ? kMoves<false, true>[condition] : kMoves<false, false>[condition];
}

constexpr Execution kMoveOnIcc{{.handler = move_on_icc<false>,
                                .immediate = move_on_icc<true>,
                                .prepare = prepare_movcc,
                                .meaning = Meaning::MoveOnIcc}};
constexpr Execution kMoveOnFcc{{.handler = move_on_fcc<false>, .immediate = move_on_fcc<true>},
                               simd::integer_moves_on_fcc};
constexpr Execution kMoveOnRegister{{.handler = move_on_register<false>,
                                     .immediate = move_on_register<true>,
                                     .meaning = Meaning::MoveOnRegister}};

}  // namespace
}  // namespace psim::isa::integer

namespace psim::isa::table {
using namespace integer;

namespace {
// clang-format off
constexpr Spec kConditionalMoveRows[] = {
    row("mov", "10 ddddd 101100 1 cccc 0 k0 ------ ttttt", kMovIccR, kSimple, "V9 A.35", kMoveOnIcc, effect::kReadRd),
    row("mov", "10 ddddd 101100 1 cccc 1 k0 iiiiiiiiiii", kMovIccI, kSimple, "V9 A.35", kMoveOnIcc, effect::kReadRd),
    row("mov", "10 ddddd 101100 0 cccc 0 kk ------ ttttt", kMovFccR, kSimple, "V9 A.35", kMoveOnFcc, effect::kReadRd),
    row("mov", "10 ddddd 101100 0 cccc 1 kk iiiiiiiiiii", kMovFccI, kSimple, "V9 A.35", kMoveOnFcc, effect::kReadRd),
    row("movr", "10 ddddd 101111 sssss 0 ccc ----- ttttt", kMovRR, kSimple, "V9 A.36", kMoveOnRegister, effect::kReadRd),
    row("movr", "10 ddddd 101111 sssss 1 ccc iiiiiiiiii", kMovRI, kSimple, "V9 A.36", kMoveOnRegister, effect::kReadRd),
    // Reserved register conditions.
    row("illegal", "10 ----- 101111 ----- 0 -00 ----- -----", kNoOperands, kSerial, "V9 A.36", kIllegal, effect::kRefines | effect::kTraps | effect::kReserved),
    row("illegal", "10 ----- 101111 ----- 1 -00 ----------", kNoOperands, kSerial, "V9 A.36", kIllegal, effect::kRefines | effect::kTraps | effect::kReserved),
};
// clang-format on
static_assert(disjoint(kConditionalMoveRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> conditional_move_rows() { return kConditionalMoveRows; }

}  // namespace psim::isa::table
