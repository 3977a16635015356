// SPDX-License-Identifier: Apache-2.0
// Floating-point conversions.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kFpConvertRows[] = {
    // To 64-bit and 32-bit integers.
    row(Op::Fstox, "fstox", "10 ddddd 110100 00000 010000001 ttttt", kSd, kFpAdd, "V9 A.14", effect::kReadFsr),
    row(Op::Fdtox, "fdtox", "10 ddddd 110100 00000 010000010 ttttt", kDd, kFpAdd, "V9 A.14", effect::kReadFsr),
    row(Op::Fqtox, "fqtox", "10 ddddd 110100 00000 010000011 ttttt", kQd, kFpQuad, "V9 A.14", effect::kReadFsr),
    row(Op::Fstoi, "fstoi", "10 ddddd 110100 00000 011010001 ttttt", kSs, kFpAdd, "V9 A.14", effect::kReadFsr),
    row(Op::Fdtoi, "fdtoi", "10 ddddd 110100 00000 011010010 ttttt", kDs, kFpAdd, "V9 A.14", effect::kReadFsr),
    row(Op::Fqtoi, "fqtoi", "10 ddddd 110100 00000 011010011 ttttt", kQs, kFpQuad, "V9 A.14", effect::kReadFsr),
    // From integers.
    row(Op::Fxtos, "fxtos", "10 ddddd 110100 00000 010000100 ttttt", kDs, kFpAdd, "V9 A.16", effect::kReadFsr),
    row(Op::Fxtod, "fxtod", "10 ddddd 110100 00000 010001000 ttttt", kDd, kFpAdd, "V9 A.16", effect::kReadFsr),
    row(Op::Fxtoq, "fxtoq", "10 ddddd 110100 00000 010001100 ttttt", kDq, kFpQuad, "V9 A.16", effect::kReadFsr),
    row(Op::Fitos, "fitos", "10 ddddd 110100 00000 011000100 ttttt", kSs, kFpAdd, "V9 A.16", effect::kReadFsr),
    row(Op::Fitod, "fitod", "10 ddddd 110100 00000 011001000 ttttt", kSd, kFpAdd, "V9 A.16", effect::kReadFsr),
    row(Op::Fitoq, "fitoq", "10 ddddd 110100 00000 011001100 ttttt", kSq, kFpQuad, "V9 A.16", effect::kReadFsr),
    // Between formats.
    row(Op::Fstod, "fstod", "10 ddddd 110100 00000 011001001 ttttt", kSd, kFpAdd, "V9 A.15", effect::kReadFsr),
    row(Op::Fstoq, "fstoq", "10 ddddd 110100 00000 011001101 ttttt", kSq, kFpQuad, "V9 A.15", effect::kReadFsr),
    row(Op::Fdtos, "fdtos", "10 ddddd 110100 00000 011000110 ttttt", kDs, kFpAdd, "V9 A.15", effect::kReadFsr),
    row(Op::Fdtoq, "fdtoq", "10 ddddd 110100 00000 011001110 ttttt", kDq, kFpQuad, "V9 A.15", effect::kReadFsr),
    row(Op::Fqtos, "fqtos", "10 ddddd 110100 00000 011000111 ttttt", kQs, kFpQuad, "V9 A.15", effect::kReadFsr),
    row(Op::Fqtod, "fqtod", "10 ddddd 110100 00000 011001011 ttttt", kQd, kFpQuad, "V9 A.15", effect::kReadFsr),
};
// clang-format on

}  // namespace psim::isa::table
