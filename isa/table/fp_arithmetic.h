// SPDX-License-Identifier: Apache-2.0
// Floating-point arithmetic.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kFpArithmeticRows[] = {
    // Arithmetic.
    row(Op::Fadds, "fadds", "10 ddddd 110100 sssss 001000001 ttttt", kSss, kFpAdd, "V9 A.12", effect::kReadFsr | effect::kOneFlop),
    row(Op::Faddd, "faddd", "10 ddddd 110100 sssss 001000010 ttttt", kDdd, kFpAdd, "V9 A.12", effect::kReadFsr | effect::kOneFlop),
    row(Op::Faddq, "faddq", "10 ddddd 110100 sssss 001000011 ttttt", kQqq, kFpQuad, "V9 A.12", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fsubs, "fsubs", "10 ddddd 110100 sssss 001000101 ttttt", kSss, kFpAdd, "V9 A.12", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fsubd, "fsubd", "10 ddddd 110100 sssss 001000110 ttttt", kDdd, kFpAdd, "V9 A.12", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fsubq, "fsubq", "10 ddddd 110100 sssss 001000111 ttttt", kQqq, kFpQuad, "V9 A.12", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fmuls, "fmuls", "10 ddddd 110100 sssss 001001001 ttttt", kSss, kFpMultiply, "V9 A.18", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fmuld, "fmuld", "10 ddddd 110100 sssss 001001010 ttttt", kDdd, kFpMultiply, "V9 A.18", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fmulq, "fmulq", "10 ddddd 110100 sssss 001001011 ttttt", kQqq, kFpQuad, "V9 A.18", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fdivs, "fdivs", "10 ddddd 110100 sssss 001001101 ttttt", kSss, kFpDivideSingle, "V9 A.18", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fdivd, "fdivd", "10 ddddd 110100 sssss 001001110 ttttt", kDdd, kFpDivideDouble, "V9 A.18", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fdivq, "fdivq", "10 ddddd 110100 sssss 001001111 ttttt", kQqq, kFpQuad, "V9 A.18", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fsmuld, "fsmuld", "10 ddddd 110100 sssss 001101001 ttttt", kSsd, kFpMultiply, "V9 A.18", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fdmulq, "fdmulq", "10 ddddd 110100 sssss 001101110 ttttt", kDdq, kFpQuad, "V9 A.18", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fsqrts, "fsqrts", "10 ddddd 110100 00000 000101001 ttttt", kSs, kFpSqrtSingle, "V9 A.19", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fsqrtd, "fsqrtd", "10 ddddd 110100 00000 000101010 ttttt", kDd, kFpSqrtDouble, "V9 A.19", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fsqrtq, "fsqrtq", "10 ddddd 110100 00000 000101011 ttttt", kQq, kFpQuad, "V9 A.19", effect::kReadFsr | effect::kOneFlop),
    // Multiply-add; rounded once or twice, see FmaRounding.
    row(Op::Fmadds, "fmadds", "10 ddddd 110111 sssss uuuuu 0001 ttttt", kSsss, kFpMultiplyAdd, "JPS1-V p. 51", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fmaddd, "fmaddd", "10 ddddd 110111 sssss uuuuu 0010 ttttt", kDddd, kFpMultiplyAdd, "JPS1-V p. 51", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fmsubs, "fmsubs", "10 ddddd 110111 sssss uuuuu 0101 ttttt", kSsss, kFpMultiplyAdd, "JPS1-V p. 51", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fmsubd, "fmsubd", "10 ddddd 110111 sssss uuuuu 0110 ttttt", kDddd, kFpMultiplyAdd, "JPS1-V p. 51", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fnmsubs, "fnmsubs", "10 ddddd 110111 sssss uuuuu 1001 ttttt", kSsss, kFpMultiplyAdd, "JPS1-V p. 51", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fnmsubd, "fnmsubd", "10 ddddd 110111 sssss uuuuu 1010 ttttt", kDddd, kFpMultiplyAdd, "JPS1-V p. 51", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fnmadds, "fnmadds", "10 ddddd 110111 sssss uuuuu 1101 ttttt", kSsss, kFpMultiplyAdd, "JPS1-V p. 51", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fnmaddd, "fnmaddd", "10 ddddd 110111 sssss uuuuu 1110 ttttt", kDddd, kFpMultiplyAdd, "JPS1-V p. 51", effect::kReadFsr | effect::kTwoFlops),
};
// clang-format on

}  // namespace psim::isa::table
