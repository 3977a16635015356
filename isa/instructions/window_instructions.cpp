// SPDX-License-Identifier: Apache-2.0
// Instructions that change the register window (V9 manual, A.21, A.46; return is a control transfer).
#include "isa/instructions/integer_shapes.h"
#include "isa/state/block_windows.h"
#include "isa/state/windows.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::integer {
namespace {

/// save, restore: rd is in the new window, the operands in the old one.
template <bool I>
PSIM_HANDLER(save) {
  if (c->cansave == 0 && !spill_in_block(*c)) [[unlikely]]
    return do_alone(c, a);
  const u64 sum = get(c, a->rs1) + second<I>(c, a);
  --c->cansave, ++c->canrestore;
  enter_next_window(*c);
  put(c, a->rd, sum);
  PSIM_NEXT;
}
template <bool I>
PSIM_HANDLER(restore) {
  if (c->canrestore == 0 && !fill_in_block(*c)) [[unlikely]]
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

constexpr Execution kSave{{.handler = save<false>, .immediate = save<true>}};
constexpr Execution kRestore{{.handler = restore<false>, .immediate = restore<true>}};
constexpr Execution kFlushAll{{.handler = flushw}};

}  // namespace
}  // namespace psim::isa::integer

namespace psim::isa::table {
using namespace integer;

namespace {
// clang-format off
constexpr auto kWindowRows = rows(
    pair<"10 ddddd 111100 sssss">("save", kRrr, kRir, kSimple, "V9 A.46", kSave, effect::kSaveWindow),
    pair<"10 ddddd 111101 sssss">("restore", kRrr, kRir, kSimple, "V9 A.46", kRestore, effect::kRestoreWindow),
    row("flushw", "10 00000 101011 00000 0 0000000000000", kNoOperands, kSerial, "V9 A.21", kFlushAll, effect::kFlushWindows)
);
// clang-format on
static_assert(disjoint(kWindowRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> window_rows() { return kWindowRows; }

}  // namespace psim::isa::table
