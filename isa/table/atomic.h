// SPDX-License-Identifier: Apache-2.0
// Atomic operations.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kAtomicRows[] = {
    row(Op::Ldstub, "ldstub", "11 ddddd 001101 sssss 0 00000000 ttttt", kLoadR, kAtomic, "V9 A.29", 0, 1),
    row(Op::Ldstub, "ldstub", "11 ddddd 001101 sssss 1 iiiiiiiiiiiii", kLoadI, kAtomic, "V9 A.29", 0, 1),
    row(Op::Ldstuba, "ldstuba", "11 ddddd 011101 sssss 0 xxxxxxxx ttttt", kLoadAsiR, kAtomic, "V9 A.30", 0, 1),
    row(Op::Ldstuba, "ldstuba", "11 ddddd 011101 sssss 1 iiiiiiiiiiiii", kLoadAsiI, kAtomic, "V9 A.30", 0, 1),
    row(Op::Swap, "swap", "11 ddddd 001111 sssss 0 00000000 ttttt", kLoadR, kAtomic, "V9 A.57", effect::kReadRd, 4),
    row(Op::Swap, "swap", "11 ddddd 001111 sssss 1 iiiiiiiiiiiii", kLoadI, kAtomic, "V9 A.57", effect::kReadRd, 4),
    row(Op::Swapa, "swapa", "11 ddddd 011111 sssss 0 xxxxxxxx ttttt", kLoadAsiR, kAtomic, "V9 A.58", effect::kReadRd, 4),
    row(Op::Swapa, "swapa", "11 ddddd 011111 sssss 1 iiiiiiiiiiiii", kLoadAsiI, kAtomic, "V9 A.58", effect::kReadRd, 4),
    row(Op::Casa, "casa", "11 ddddd 111100 sssss 0 xxxxxxxx ttttt", kCasR, kAtomic, "V9 A.9", effect::kReadRd, 4),
    row(Op::Casa, "casa", "11 ddddd 111100 sssss 1 -------- ttttt", kCasI, kAtomic, "V9 A.9", effect::kReadRd, 4),
    row(Op::Casxa, "casxa", "11 ddddd 111110 sssss 0 xxxxxxxx ttttt", kCasR, kAtomic, "V9 A.9", effect::kReadRd, 8),
    row(Op::Casxa, "casxa", "11 ddddd 111110 sssss 1 -------- ttttt", kCasI, kAtomic, "V9 A.9", effect::kReadRd, 8),
};
// clang-format on

}  // namespace psim::isa::table
