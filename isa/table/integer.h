// SPDX-License-Identifier: Apache-2.0
// Integer addition, subtraction, logic and constants.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kIntegerRows[] = {
    // Arithmetic.
    row(Op::Add, "add", "10 ddddd 000000 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.2"),
    row(Op::Add, "add", "10 ddddd 000000 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.2"),
    row(Op::Addcc, "addcc", "10 ddddd 010000 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.2", effect::kWriteCc),
    row(Op::Addcc, "addcc", "10 ddddd 010000 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.2", effect::kWriteCc),
    row(Op::Addc, "addc", "10 ddddd 001000 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.2", effect::kReadCc),
    row(Op::Addc, "addc", "10 ddddd 001000 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.2", effect::kReadCc),
    row(Op::Addccc, "addccc", "10 ddddd 011000 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.2", effect::kReadCc | effect::kWriteCc),
    row(Op::Addccc, "addccc", "10 ddddd 011000 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.2", effect::kReadCc | effect::kWriteCc),
    row(Op::Sub, "sub", "10 ddddd 000100 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.56"),
    row(Op::Sub, "sub", "10 ddddd 000100 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.56"),
    row(Op::Subcc, "subcc", "10 ddddd 010100 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.56", effect::kWriteCc),
    row(Op::Subcc, "subcc", "10 ddddd 010100 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.56", effect::kWriteCc),
    row(Op::Subc, "subc", "10 ddddd 001100 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.56", effect::kReadCc),
    row(Op::Subc, "subc", "10 ddddd 001100 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.56", effect::kReadCc),
    row(Op::Subccc, "subccc", "10 ddddd 011100 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.56", effect::kReadCc | effect::kWriteCc),
    row(Op::Subccc, "subccc", "10 ddddd 011100 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.56", effect::kReadCc | effect::kWriteCc),
    // Logic.
    row(Op::And, "and", "10 ddddd 000001 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31"),
    row(Op::And, "and", "10 ddddd 000001 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31"),
    row(Op::Andcc, "andcc", "10 ddddd 010001 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", effect::kWriteCc),
    row(Op::Andcc, "andcc", "10 ddddd 010001 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", effect::kWriteCc),
    row(Op::Or, "or", "10 ddddd 000010 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31"),
    row(Op::Or, "or", "10 ddddd 000010 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31"),
    row(Op::Orcc, "orcc", "10 ddddd 010010 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", effect::kWriteCc),
    row(Op::Orcc, "orcc", "10 ddddd 010010 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", effect::kWriteCc),
    row(Op::Xor, "xor", "10 ddddd 000011 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31"),
    row(Op::Xor, "xor", "10 ddddd 000011 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31"),
    row(Op::Xorcc, "xorcc", "10 ddddd 010011 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", effect::kWriteCc),
    row(Op::Xorcc, "xorcc", "10 ddddd 010011 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", effect::kWriteCc),
    row(Op::Andn, "andn", "10 ddddd 000101 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31"),
    row(Op::Andn, "andn", "10 ddddd 000101 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31"),
    row(Op::Andncc, "andncc", "10 ddddd 010101 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", effect::kWriteCc),
    row(Op::Andncc, "andncc", "10 ddddd 010101 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", effect::kWriteCc),
    row(Op::Orn, "orn", "10 ddddd 000110 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31"),
    row(Op::Orn, "orn", "10 ddddd 000110 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31"),
    row(Op::Orncc, "orncc", "10 ddddd 010110 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", effect::kWriteCc),
    row(Op::Orncc, "orncc", "10 ddddd 010110 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", effect::kWriteCc),
    row(Op::Xnor, "xnor", "10 ddddd 000111 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31"),
    row(Op::Xnor, "xnor", "10 ddddd 000111 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31"),
    row(Op::Xnorcc, "xnorcc", "10 ddddd 010111 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.31", effect::kWriteCc),
    row(Op::Xnorcc, "xnorcc", "10 ddddd 010111 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.31", effect::kWriteCc),
    // Tagged arithmetic.
    row(Op::Taddcc, "taddcc", "10 ddddd 100000 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.59", effect::kWriteCc),
    row(Op::Taddcc, "taddcc", "10 ddddd 100000 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.59", effect::kWriteCc),
    row(Op::Tsubcc, "tsubcc", "10 ddddd 100001 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.60", effect::kWriteCc),
    row(Op::Tsubcc, "tsubcc", "10 ddddd 100001 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.60", effect::kWriteCc),
    row(Op::Taddcctv, "taddcctv", "10 ddddd 100010 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.59", effect::kWriteCc),
    row(Op::Taddcctv, "taddcctv", "10 ddddd 100010 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.59", effect::kWriteCc),
    row(Op::Tsubcctv, "tsubcctv", "10 ddddd 100011 sssss 0 00000000 ttttt", kRrr, kSimple, "V9 A.60", effect::kWriteCc),
    row(Op::Tsubcctv, "tsubcctv", "10 ddddd 100011 sssss 1 iiiiiiiiiiiii", kRir, kSimple, "V9 A.60", effect::kWriteCc),
    // Constants and counts.
    row(Op::Nop, "nop", "00 00000 100 0000000000000000000000", kNoOperands, kNothing, "V9 A.40", effect::kRefines),
    row(Op::Sethi, "sethi", "00 ddddd 100 iiiiiiiiiiiiiiiiiiiiii", kSethi, kSimple, "V9 A.48"),
    row(Op::Popc, "popc", "10 ddddd 101110 00000 0 00000000 ttttt", kRr, kMultiply, "V9 A.41"),
    row(Op::Popc, "popc", "10 ddddd 101110 00000 1 iiiiiiiiiiiii", kIr, kMultiply, "V9 A.41"),
};
// clang-format on

}  // namespace psim::isa::table
