// SPDX-License-Identifier: Apache-2.0
// Software traps.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kTrapRows[] = {
    row(Op::Tcc, "t", "10 - cccc 111010 sssss 0 k0 ------ ttttt", kTccR, kSerial, "V9 A.61", effect::kTimed),
    row(Op::Tcc, "t", "10 - cccc 111010 sssss 1 k0 ---- iiiiiii", kTccI, kSerial, "V9 A.61", effect::kTimed),
    row(Op::Illtrap, "illtrap", "00 00000 000 iiiiiiiiiiiiiiiiiiiiii", kConst22, kSerial, "V9 A.22"),
};
// clang-format on

}  // namespace psim::isa::table
