// SPDX-License-Identifier: Apache-2.0
// All groups joined into one table, with the proofs that it is well formed. Included by isa/spec.cpp alone.
#pragma once

#include <array>

#include "isa/table/alternate_space.h"
#include "isa/table/atomic.h"
#include "isa/table/branch.h"
#include "isa/table/conditional_move.h"
#include "isa/table/fp_arithmetic.h"
#include "isa/table/fp_compare.h"
#include "isa/table/fp_convert.h"
#include "isa/table/fp_move.h"
#include "isa/table/integer.h"
#include "isa/table/load_store.h"
#include "isa/table/ordering.h"
#include "isa/table/privileged.h"
#include "isa/table/shift_multiply_divide.h"
#include "isa/table/simd.h"
#include "isa/table/state.h"
#include "isa/table/trap.h"
#include "isa/table/vis1.h"
#include "isa/table/vis2.h"
#include "isa/table/vis3.h"
#include "isa/table/window.h"

namespace psim::isa::table {

/// The row of words that no other row has.
inline constexpr Spec kIllegalRows[] = {
    row(Op::Illegal, "illegal", "-------- -------- -------- --------", kNoOperands, kSerial, "V9 7.6.1")};

template <std::size_t... sizes>
constexpr auto join(const Spec (&... groups)[sizes]) {
  std::array<Spec, (sizes + ...)> all{};
  std::size_t at = 0;
  const auto append = [&](std::span<const Spec> group) {
    for (const Spec& spec : group) all[at++] = spec;
  };
  (append(groups), ...);
  return all;
}

inline constexpr auto kInstructions =
    join(kIntegerRows, kShiftMultiplyDivideRows, kConditionalMoveRows, kBranchRows, kTrapRows, kWindowRows,
         kLoadStoreRows, kAlternateSpaceRows, kAtomicRows, kOrderingRows, kStateRows, kFpArithmeticRows,
         kFpConvertRows, kFpCompareRows, kFpMoveRows, kVis1Rows, kVis2Rows, kVis3Rows, kSimdRows,
         kPrivilegedRows, kIllegalRows);

/// Every bit that a pattern leaves to a field belongs to an operand or suffix of its format, and conversely.
consteval bool fields_agree() {
  for (const Spec& spec : kInstructions) {
    const std::uint32_t lettered = field_bits(spec.pattern);
    // A row may fix bits of a field (the rows of one state register, say) but not ignore them.
    if ((lettered & ~field_bits(*spec.format)) != 0) return false;
    if ((field_bits(*spec.format) & ~lettered & ~spec.pattern.mask) != 0) return false;
  }
  return true;
}

/// Two rows claim the same word only where the finer says that it takes words out of the coarser.
consteval bool disjoint() {
  for (std::size_t a = 0; a + 1 < kInstructions.size(); ++a) {
    for (std::size_t b = a + 1; b + 1 < kInstructions.size(); ++b) {
      const Spec &one = kInstructions[a], &other = kInstructions[b];
      if (!overlap(one.pattern, other.pattern)) continue;
      const bool refined = (nests(one.pattern, other.pattern) && (one.effects & effect::kRefines) != 0) ||
                           (nests(other.pattern, one.pattern) && (other.effects & effect::kRefines) != 0);
      if (!refined) return false;
    }
  }
  return true;
}

static_assert(fields_agree(), "a pattern and its format disagree about a field");
static_assert(disjoint(), "two instructions claim the same word");

}  // namespace psim::isa::table
