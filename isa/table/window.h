// SPDX-License-Identifier: Apache-2.0
// Register windows.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kWindowRows[] = {
    row(Op::Save, "save", "10 ddddd 111100 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.46", effect::kSaveWindow),
    row(Op::Save, "save", "10 ddddd 111100 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.46", effect::kSaveWindow),
    row(Op::Restore, "restore", "10 ddddd 111101 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.46", effect::kRestoreWindow),
    row(Op::Restore, "restore", "10 ddddd 111101 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.46", effect::kRestoreWindow),
    row(Op::Flushw, "flushw", "10 00000 101011 00000 0 0000000000000", kNoOperands, kSerial, "V9 A.21"),
};
// clang-format on

}  // namespace psim::isa::table
