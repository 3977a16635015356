// SPDX-License-Identifier: Apache-2.0
// Moves of integer registers on a condition.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kConditionalMoveRows[] = {
    row(Op::Movcc, "mov", "10 ddddd 101100 1 cccc 0 k0 ------ ttttt", kMovIccR, kSimple, "V9 A.35", effect::kReadRd),
    row(Op::Movcc, "mov", "10 ddddd 101100 1 cccc 1 k0 iiiiiiiiiii", kMovIccI, kSimple, "V9 A.35", effect::kReadRd),
    row(Op::Movfcc, "mov", "10 ddddd 101100 0 cccc 0 kk ------ ttttt", kMovFccR, kSimple, "V9 A.35", effect::kReadRd),
    row(Op::Movfcc, "mov", "10 ddddd 101100 0 cccc 1 kk iiiiiiiiiii", kMovFccI, kSimple, "V9 A.35", effect::kReadRd),
    row(Op::Movr, "movr", "10 ddddd 101111 sssss 0 ccc ----- ttttt", kMovRR, kSimple, "V9 A.36", effect::kReadRd),
    row(Op::Movr, "movr", "10 ddddd 101111 sssss 1 ccc iiiiiiiiii", kMovRI, kSimple, "V9 A.36", effect::kReadRd),
    // Reserved register conditions.
    row(Op::Illegal, "illegal", "10 ----- 101111 ----- 0 -00 ----- -----", kNoOperands, kSerial, "V9 A.36", effect::kRefines),
    row(Op::Illegal, "illegal", "10 ----- 101111 ----- 1 -00 ----------", kNoOperands, kSerial, "V9 A.36", effect::kRefines),
};
// clang-format on

}  // namespace psim::isa::table
