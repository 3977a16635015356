// SPDX-License-Identifier: Apache-2.0
// VIS 2.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kVis2Rows[] = {
    row(Op::Edge8n, "edge8n", "10 ddddd 110110 sssss 000000001 ttttt", kRrr, kSimple, "OSA2011 EDGE"),
    row(Op::Edge8ln, "edge8ln", "10 ddddd 110110 sssss 000000011 ttttt", kRrr, kSimple, "OSA2011 EDGE"),
    row(Op::Edge16n, "edge16n", "10 ddddd 110110 sssss 000000101 ttttt", kRrr, kSimple, "OSA2011 EDGE"),
    row(Op::Edge16ln, "edge16ln", "10 ddddd 110110 sssss 000000111 ttttt", kRrr, kSimple, "OSA2011 EDGE"),
    row(Op::Edge32n, "edge32n", "10 ddddd 110110 sssss 000001001 ttttt", kRrr, kSimple, "OSA2011 EDGE"),
    row(Op::Edge32ln, "edge32ln", "10 ddddd 110110 sssss 000001011 ttttt", kRrr, kSimple, "OSA2011 EDGE"),
    row(Op::Bmask, "bmask", "10 ddddd 110110 sssss 000011001 ttttt", kRrr, kSimple, "OSA2011 BMASK", effect::kReadGsr | effect::kWriteGsr),
    row(Op::Bshuffle, "bshuffle", "10 ddddd 110110 sssss 001001100 ttttt", kDdd, kFpMove, "OSA2011 BSHUFFLE", effect::kReadGsr),
    row(Op::Siam, "siam", "10 00000 110110 00000 010000001 00 iii", kSiam, kSerial, "OSA2011 SIAM", effect::kReadGsr | effect::kWriteGsr),
};
// clang-format on

}  // namespace psim::isa::table
