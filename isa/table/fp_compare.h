// SPDX-License-Identifier: Apache-2.0
// Floating-point compares.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kFpCompareRows[] = {
    // fcmpe raises invalid on quiet NaNs too.
    row(Op::Fcmps, "fcmps", "10 ---kk 110101 sssss 001010001 ttttt", kCompareS, kFpAdd, "V9 A.13", effect::kReadFsr),
    row(Op::Fcmpd, "fcmpd", "10 ---kk 110101 sssss 001010010 ttttt", kCompareD, kFpAdd, "V9 A.13", effect::kReadFsr),
    row(Op::Fcmpq, "fcmpq", "10 ---kk 110101 sssss 001010011 ttttt", kCompareQ, kFpQuad, "V9 A.13", effect::kReadFsr),
    row(Op::Fcmpes, "fcmpes", "10 ---kk 110101 sssss 001010101 ttttt", kCompareS, kFpAdd, "V9 A.13", effect::kReadFsr),
    row(Op::Fcmped, "fcmped", "10 ---kk 110101 sssss 001010110 ttttt", kCompareD, kFpAdd, "V9 A.13", effect::kReadFsr),
    row(Op::Fcmpeq, "fcmpeq", "10 ---kk 110101 sssss 001010111 ttttt", kCompareQ, kFpQuad, "V9 A.13", effect::kReadFsr),
    // Lexicographic compares: no exceptions.
    row(Op::Flcmps, "flcmps", "10 ---kk 110110 sssss 101010001 ttttt", kCompareS, kFpAdd, "OSA2011 FLCMP"),
    row(Op::Flcmpd, "flcmpd", "10 ---kk 110110 sssss 101010010 ttttt", kCompareD, kFpAdd, "OSA2011 FLCMP"),
};
// clang-format on

}  // namespace psim::isa::table
