// SPDX-License-Identifier: Apache-2.0
// Floating-point moves.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kFpMoveRows[] = {
    // Moves and sign operations: no rounding, no exceptions.
    row(Op::Fmovs, "fmovs", "10 ddddd 110100 00000 000000001 ttttt", kSs, kFpMove, "V9 A.17"),
    row(Op::Fmovd, "fmovd", "10 ddddd 110100 00000 000000010 ttttt", kDd, kFpMove, "V9 A.17"),
    row(Op::Fmovq, "fmovq", "10 ddddd 110100 00000 000000011 ttttt", kQq, kFpQuad, "V9 A.17"),
    row(Op::Fnegs, "fnegs", "10 ddddd 110100 00000 000000101 ttttt", kSs, kFpMove, "V9 A.17"),
    row(Op::Fnegd, "fnegd", "10 ddddd 110100 00000 000000110 ttttt", kDd, kFpMove, "V9 A.17"),
    row(Op::Fnegq, "fnegq", "10 ddddd 110100 00000 000000111 ttttt", kQq, kFpQuad, "V9 A.17"),
    row(Op::Fabss, "fabss", "10 ddddd 110100 00000 000001001 ttttt", kSs, kFpMove, "V9 A.17"),
    row(Op::Fabsd, "fabsd", "10 ddddd 110100 00000 000001010 ttttt", kDd, kFpMove, "V9 A.17"),
    row(Op::Fabsq, "fabsq", "10 ddddd 110100 00000 000001011 ttttt", kQq, kFpQuad, "V9 A.17"),
    // Conditional moves.
    row(Op::Fmovscc, "fmovs", "10 ddddd 110101 0 cccc 1 k0 000001 ttttt", kMovIccS, kFpMove, "V9 A.33", effect::kReadRd),
    row(Op::Fmovsfcc, "fmovs", "10 ddddd 110101 0 cccc 0 kk 000001 ttttt", kMovFccS, kFpMove, "V9 A.33", effect::kReadRd),
    row(Op::Fmovrs, "fmovrs", "10 ddddd 110101 sssss - ccc 00101 ttttt", kMovRS, kFpMove, "V9 A.34", effect::kReadRd),
    row(Op::Fmovdcc, "fmovd", "10 ddddd 110101 0 cccc 1 k0 000010 ttttt", kMovIccD, kFpMove, "V9 A.33", effect::kReadRd),
    row(Op::Fmovdfcc, "fmovd", "10 ddddd 110101 0 cccc 0 kk 000010 ttttt", kMovFccD, kFpMove, "V9 A.33", effect::kReadRd),
    row(Op::Fmovrd, "fmovrd", "10 ddddd 110101 sssss - ccc 00110 ttttt", kMovRD, kFpMove, "V9 A.34", effect::kReadRd),
    row(Op::Fmovqcc, "fmovq", "10 ddddd 110101 0 cccc 1 k0 000011 ttttt", kMovIccQ, kFpQuad, "V9 A.33", effect::kReadRd),
    row(Op::Fmovqfcc, "fmovq", "10 ddddd 110101 0 cccc 0 kk 000011 ttttt", kMovFccQ, kFpQuad, "V9 A.33", effect::kReadRd),
    row(Op::Fmovrq, "fmovrq", "10 ddddd 110101 sssss - ccc 00111 ttttt", kMovRQ, kFpQuad, "V9 A.34", effect::kReadRd),
    // Reserved register conditions.
    row(Op::Illegal, "illegal", "10 ----- 110101 ----- - -00 00101 -----", kNoOperands, kSerial, "V9 A.34", effect::kRefines),
    row(Op::Illegal, "illegal", "10 ----- 110101 ----- - -00 00110 -----", kNoOperands, kSerial, "V9 A.34", effect::kRefines),
    row(Op::Illegal, "illegal", "10 ----- 110101 ----- - -00 00111 -----", kNoOperands, kSerial, "V9 A.34", effect::kRefines),
};
// clang-format on

}  // namespace psim::isa::table
