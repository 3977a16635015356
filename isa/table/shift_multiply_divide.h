// SPDX-License-Identifier: Apache-2.0
// Shifts, multiplication and division.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kShiftMultiplyDivideRows[] = {
    // Shifts: x = 0 shifts 32 bits, x = 1 64 bits.
    row(Op::Sll, "sll", "10 ddddd 100101 sssss 0 0 0000000 ttttt", kRrr, kSimple, "V9 A.49"),
    row(Op::Sll, "sll", "10 ddddd 100101 sssss 1 0 0000000 iiiii", kShift32, kSimple, "V9 A.49"),
    row(Op::Sllx, "sllx", "10 ddddd 100101 sssss 0 1 0000000 ttttt", kRrr, kSimple, "V9 A.49"),
    row(Op::Sllx, "sllx", "10 ddddd 100101 sssss 1 1 000000 iiiiii", kShift64, kSimple, "V9 A.49"),
    row(Op::Srl, "srl", "10 ddddd 100110 sssss 0 0 0000000 ttttt", kRrr, kSimple, "V9 A.49"),
    row(Op::Srl, "srl", "10 ddddd 100110 sssss 1 0 0000000 iiiii", kShift32, kSimple, "V9 A.49"),
    row(Op::Srlx, "srlx", "10 ddddd 100110 sssss 0 1 0000000 ttttt", kRrr, kSimple, "V9 A.49"),
    row(Op::Srlx, "srlx", "10 ddddd 100110 sssss 1 1 000000 iiiiii", kShift64, kSimple, "V9 A.49"),
    row(Op::Sra, "sra", "10 ddddd 100111 sssss 0 0 0000000 ttttt", kRrr, kSimple, "V9 A.49"),
    row(Op::Sra, "sra", "10 ddddd 100111 sssss 1 0 0000000 iiiii", kShift32, kSimple, "V9 A.49"),
    row(Op::Srax, "srax", "10 ddddd 100111 sssss 0 1 0000000 ttttt", kRrr, kSimple, "V9 A.49"),
    row(Op::Srax, "srax", "10 ddddd 100111 sssss 1 1 000000 iiiiii", kShift64, kSimple, "V9 A.49"),
    // Multiplication.
    row(Op::Mulscc, "mulscc", "10 ddddd 100100 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.39", effect::kReadCc | effect::kWriteCc | effect::kReadY | effect::kWriteY),
    row(Op::Mulscc, "mulscc", "10 ddddd 100100 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.39", effect::kReadCc | effect::kWriteCc | effect::kReadY | effect::kWriteY),
    row(Op::Umul, "umul", "10 ddddd 001010 sssss 0 00000000 ttttt", kRrr, kMultiply, "V9 A.38", effect::kWriteY),
    row(Op::Umul, "umul", "10 ddddd 001010 sssss 1 iiiiiiiiiiiii", kRir, kMultiply, "V9 A.38", effect::kWriteY),
    row(Op::Umulcc, "umulcc", "10 ddddd 011010 sssss 0 00000000 ttttt", kRrr, kMultiply, "V9 A.38", effect::kWriteY | effect::kWriteCc),
    row(Op::Umulcc, "umulcc", "10 ddddd 011010 sssss 1 iiiiiiiiiiiii", kRir, kMultiply, "V9 A.38", effect::kWriteY | effect::kWriteCc),
    row(Op::Smul, "smul", "10 ddddd 001011 sssss 0 00000000 ttttt", kRrr, kMultiply, "V9 A.38", effect::kWriteY),
    row(Op::Smul, "smul", "10 ddddd 001011 sssss 1 iiiiiiiiiiiii", kRir, kMultiply, "V9 A.38", effect::kWriteY),
    row(Op::Smulcc, "smulcc", "10 ddddd 011011 sssss 0 00000000 ttttt", kRrr, kMultiply, "V9 A.38", effect::kWriteY | effect::kWriteCc),
    row(Op::Smulcc, "smulcc", "10 ddddd 011011 sssss 1 iiiiiiiiiiiii", kRir, kMultiply, "V9 A.38", effect::kWriteY | effect::kWriteCc),
    row(Op::Mulx, "mulx", "10 ddddd 001001 sssss 0 00000000 ttttt", kRrr, kMultiply, "V9 A.37"),
    row(Op::Mulx, "mulx", "10 ddddd 001001 sssss 1 iiiiiiiiiiiii", kRir, kMultiply, "V9 A.37"),
    // Division.
    row(Op::Udiv, "udiv", "10 ddddd 001110 sssss 0 00000000 ttttt", kRrr, kDivide, "V9 A.10", effect::kReadY),
    row(Op::Udiv, "udiv", "10 ddddd 001110 sssss 1 iiiiiiiiiiiii", kRir, kDivide, "V9 A.10", effect::kReadY),
    row(Op::Udivcc, "udivcc", "10 ddddd 011110 sssss 0 00000000 ttttt", kRrr, kDivide, "V9 A.10", effect::kReadY | effect::kWriteCc),
    row(Op::Udivcc, "udivcc", "10 ddddd 011110 sssss 1 iiiiiiiiiiiii", kRir, kDivide, "V9 A.10", effect::kReadY | effect::kWriteCc),
    row(Op::Sdiv, "sdiv", "10 ddddd 001111 sssss 0 00000000 ttttt", kRrr, kDivide, "V9 A.10", effect::kReadY),
    row(Op::Sdiv, "sdiv", "10 ddddd 001111 sssss 1 iiiiiiiiiiiii", kRir, kDivide, "V9 A.10", effect::kReadY),
    row(Op::Sdivcc, "sdivcc", "10 ddddd 011111 sssss 0 00000000 ttttt", kRrr, kDivide, "V9 A.10", effect::kReadY | effect::kWriteCc),
    row(Op::Sdivcc, "sdivcc", "10 ddddd 011111 sssss 1 iiiiiiiiiiiii", kRir, kDivide, "V9 A.10", effect::kReadY | effect::kWriteCc),
    row(Op::Udivx, "udivx", "10 ddddd 001101 sssss 0 00000000 ttttt", kRrr, kDivide, "V9 A.37"),
    row(Op::Udivx, "udivx", "10 ddddd 001101 sssss 1 iiiiiiiiiiiii", kRir, kDivide, "V9 A.37"),
    row(Op::Sdivx, "sdivx", "10 ddddd 101101 sssss 0 00000000 ttttt", kRrr, kDivide, "V9 A.37"),
    row(Op::Sdivx, "sdivx", "10 ddddd 101101 sssss 1 iiiiiiiiiiiii", kRir, kDivide, "V9 A.37"),
};
// clang-format on

}  // namespace psim::isa::table
