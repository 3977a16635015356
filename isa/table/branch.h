// SPDX-License-Identifier: Apache-2.0
// Branches, calls and returns.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kBranchRows[] = {
    row(Op::Call, "call", "01 oooooooooooooooooooooooooooooo", kCall, kBranch, "V9 A.8", effect::kWriteO7),
    row(Op::Jmpl, "jmpl", "10 ddddd 111000 sssss 0 00000000 ttttt", kJmplR, kBranch, "V9 A.24"),
    row(Op::Jmpl, "jmpl", "10 ddddd 111000 sssss 1 iiiiiiiiiiiii", kJmplI, kBranch, "V9 A.24"),
    row(Op::Return, "return", "10 ----- 111001 sssss 0 00000000 ttttt", kReturnR, kBranch, "V9 A.45", effect::kRestoreWindow),
    row(Op::Return, "return", "10 ----- 111001 sssss 1 iiiiiiiiiiiii", kReturnI, kBranch, "V9 A.45", effect::kRestoreWindow),
    row(Op::Bicc, "b", "00 a cccc 010 oooooooooooooooooooooo", kBicc, kBranch, "V9 A.6"),
    row(Op::Bpcc, "b", "00 a cccc 001 k0 p ooooooooooooooooooo", kBpcc, kBranch, "V9 A.7"),
    row(Op::Fbfcc, "fb", "00 a cccc 110 oooooooooooooooooooooo", kFbfcc, kBranch, "V9 A.4", effect::kReadFcc0),
    row(Op::Fbpfcc, "fb", "00 a cccc 101 kk p ooooooooooooooooooo", kFbpfcc, kBranch, "V9 A.5"),
    row(Op::Bpr, "br", "00 a 0 ccc 011 oo p sssss oooooooooooooo", kBpr, kBranch, "V9 A.3"),
    // Compare and branch: no delay slot.
    row(Op::Cwb, "cwb", "00 c 1 ccc 011 0 oo sssss 0 oooooooo ttttt", kCbcondR, kBranch, "OSA2011 CBcond"),
    row(Op::Cwb, "cwb", "00 c 1 ccc 011 0 oo sssss 1 oooooooo iiiii", kCbcondI, kBranch, "OSA2011 CBcond"),
    row(Op::Cxb, "cxb", "00 c 1 ccc 011 1 oo sssss 0 oooooooo ttttt", kCbcondR, kBranch, "OSA2011 CBcond"),
    row(Op::Cxb, "cxb", "00 c 1 ccc 011 1 oo sssss 1 oooooooo iiiii", kCbcondI, kBranch, "OSA2011 CBcond"),
    // Reserved conditions.
    row(Op::Illegal, "illegal", "00 - 0 -00 011 -- - ----- --------------", kNoOperands, kSerial, "V9 A.3", effect::kRefines),
    row(Op::Illegal, "illegal", "00 - 1 000 011 0 -- ----- 0 -------- -----", kNoOperands, kSerial, "OSA2011 CBcond", effect::kRefines),
    row(Op::Illegal, "illegal", "00 - 1 000 011 0 -- ----- 1 -------- -----", kNoOperands, kSerial, "OSA2011 CBcond", effect::kRefines),
    row(Op::Illegal, "illegal", "00 - 1 000 011 1 -- ----- 0 -------- -----", kNoOperands, kSerial, "OSA2011 CBcond", effect::kRefines),
    row(Op::Illegal, "illegal", "00 - 1 000 011 1 -- ----- 1 -------- -----", kNoOperands, kSerial, "OSA2011 CBcond", effect::kRefines),
};
// clang-format on

}  // namespace psim::isa::table
