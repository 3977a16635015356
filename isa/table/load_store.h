// SPDX-License-Identifier: Apache-2.0
// Loads and stores.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kLoadStoreRows[] = {
    // Loads of integer registers.
    row(Op::Ldsb, "ldsb", "11 ddddd 001001 sssss 0 00000000 ttttt", kLoadR, kLoad, "V9 A.27", 0, 1),
    row(Op::Ldsb, "ldsb", "11 ddddd 001001 sssss 1 iiiiiiiiiiiii", kLoadI, kLoad, "V9 A.27", 0, 1),
    row(Op::Ldsh, "ldsh", "11 ddddd 001010 sssss 0 00000000 ttttt", kLoadR, kLoad, "V9 A.27", 0, 2),
    row(Op::Ldsh, "ldsh", "11 ddddd 001010 sssss 1 iiiiiiiiiiiii", kLoadI, kLoad, "V9 A.27", 0, 2),
    row(Op::Ldsw, "ldsw", "11 ddddd 001000 sssss 0 00000000 ttttt", kLoadR, kLoad, "V9 A.27", 0, 4),
    row(Op::Ldsw, "ldsw", "11 ddddd 001000 sssss 1 iiiiiiiiiiiii", kLoadI, kLoad, "V9 A.27", 0, 4),
    row(Op::Ldub, "ldub", "11 ddddd 000001 sssss 0 00000000 ttttt", kLoadR, kLoad, "V9 A.27", 0, 1),
    row(Op::Ldub, "ldub", "11 ddddd 000001 sssss 1 iiiiiiiiiiiii", kLoadI, kLoad, "V9 A.27", 0, 1),
    row(Op::Lduh, "lduh", "11 ddddd 000010 sssss 0 00000000 ttttt", kLoadR, kLoad, "V9 A.27", 0, 2),
    row(Op::Lduh, "lduh", "11 ddddd 000010 sssss 1 iiiiiiiiiiiii", kLoadI, kLoad, "V9 A.27", 0, 2),
    row(Op::Lduw, "ld", "11 ddddd 000000 sssss 0 -------- ttttt", kLoadR, kLoad, "V9 A.27", 0, 4),
    row(Op::Lduw, "ld", "11 ddddd 000000 sssss 1 iiiiiiiiiiiii", kLoadI, kLoad, "V9 A.27", 0, 4),
    row(Op::Ldx, "ldx", "11 ddddd 001011 sssss 0 00000000 ttttt", kLoadR, kLoad, "V9 A.27", 0, 8),
    row(Op::Ldx, "ldx", "11 ddddd 001011 sssss 1 iiiiiiiiiiiii", kLoadI, kLoad, "V9 A.27", 0, 8),
    row(Op::Ldtw, "ldtw", "11 ddddd 000011 sssss 0 00000000 ttttt", kLoadPairR, kLoad, "V9 A.27", 0, 8),
    row(Op::Ldtw, "ldtw", "11 ddddd 000011 sssss 1 iiiiiiiiiiiii", kLoadPairI, kLoad, "V9 A.27", 0, 8),
    // Stores of integer registers.
    row(Op::Stb, "stb", "11 ddddd 000101 sssss 0 00000000 ttttt", kStoreR, kStore, "V9 A.54", 0, 1),
    row(Op::Stb, "stb", "11 ddddd 000101 sssss 1 iiiiiiiiiiiii", kStoreI, kStore, "V9 A.54", 0, 1),
    row(Op::Sth, "sth", "11 ddddd 000110 sssss 0 00000000 ttttt", kStoreR, kStore, "V9 A.54", 0, 2),
    row(Op::Sth, "sth", "11 ddddd 000110 sssss 1 iiiiiiiiiiiii", kStoreI, kStore, "V9 A.54", 0, 2),
    row(Op::Stw, "st", "11 ddddd 000100 sssss 0 00000000 ttttt", kStoreR, kStore, "V9 A.54", 0, 4),
    row(Op::Stw, "st", "11 ddddd 000100 sssss 1 iiiiiiiiiiiii", kStoreI, kStore, "V9 A.54", 0, 4),
    row(Op::Stx, "stx", "11 ddddd 001110 sssss 0 00000000 ttttt", kStoreR, kStore, "V9 A.54", 0, 8),
    row(Op::Stx, "stx", "11 ddddd 001110 sssss 1 iiiiiiiiiiiii", kStoreI, kStore, "V9 A.54", 0, 8),
    row(Op::Sttw, "sttw", "11 ddddd 000111 sssss 0 00000000 ttttt", kStorePairR, kStore, "V9 A.54", 0, 8),
    row(Op::Sttw, "sttw", "11 ddddd 000111 sssss 1 iiiiiiiiiiiii", kStorePairI, kStore, "V9 A.54", 0, 8),
    // Loads and stores of floating-point registers.
    row(Op::Ldf, "ld", "11 ddddd 100000 sssss 0 -------- ttttt", kLoadFsR, kLoad, "V9 A.25", 0, 4),
    row(Op::Ldf, "ld", "11 ddddd 100000 sssss 1 iiiiiiiiiiiii", kLoadFsI, kLoad, "V9 A.25", 0, 4),
    row(Op::Lddf, "ldd", "11 ddddd 100011 sssss 0 00000000 ttttt", kLoadFdR, kLoad, "V9 A.25", 0, 8),
    row(Op::Lddf, "ldd", "11 ddddd 100011 sssss 1 iiiiiiiiiiiii", kLoadFdI, kLoad, "V9 A.25", 0, 8),
    row(Op::Ldqf, "ldq", "11 ddddd 100010 sssss 0 00000000 ttttt", kLoadFqR, kLoad, "V9 A.25", 0, 16),
    row(Op::Ldqf, "ldq", "11 ddddd 100010 sssss 1 iiiiiiiiiiiii", kLoadFqI, kLoad, "V9 A.25", 0, 16),
    row(Op::Stf, "st", "11 ddddd 100100 sssss 0 00000000 ttttt", kStoreFsR, kStore, "V9 A.52", 0, 4),
    row(Op::Stf, "st", "11 ddddd 100100 sssss 1 iiiiiiiiiiiii", kStoreFsI, kStore, "V9 A.52", 0, 4),
    row(Op::Stdf, "std", "11 ddddd 100111 sssss 0 00000000 ttttt", kStoreFdR, kStore, "V9 A.52", 0, 8),
    row(Op::Stdf, "std", "11 ddddd 100111 sssss 1 iiiiiiiiiiiii", kStoreFdI, kStore, "V9 A.52", 0, 8),
    row(Op::Stqf, "stq", "11 ddddd 100110 sssss 0 00000000 ttttt", kStoreFqR, kStore, "V9 A.52", 0, 16),
    row(Op::Stqf, "stq", "11 ddddd 100110 sssss 1 iiiiiiiiiiiii", kStoreFqI, kStore, "V9 A.52", 0, 16),
    row(Op::Ldfsr, "ld", "11 00000 100001 sssss 0 -------- ttttt", kLoadFsrR, kSerialMemory, "V9 A.25", effect::kLoad | effect::kWriteFsr | effect::kReadFsr, 4),
    row(Op::Ldfsr, "ld", "11 00000 100001 sssss 1 iiiiiiiiiiiii", kLoadFsrI, kSerialMemory, "V9 A.25", effect::kLoad | effect::kWriteFsr | effect::kReadFsr, 4),
    row(Op::Ldxfsr, "ldx", "11 00001 100001 sssss 0 -------- ttttt", kLoadFsrR, kSerialMemory, "V9 A.25", effect::kLoad | effect::kWriteFsr, 8),
    row(Op::Ldxfsr, "ldx", "11 00001 100001 sssss 1 iiiiiiiiiiiii", kLoadFsrI, kSerialMemory, "V9 A.25", effect::kLoad | effect::kWriteFsr, 8),
    row(Op::Stfsr, "st", "11 00000 100101 sssss 0 00000000 ttttt", kStoreFsrR, kSerialMemory, "V9 A.52", effect::kStore | effect::kReadFsr, 4),
    row(Op::Stfsr, "st", "11 00000 100101 sssss 1 iiiiiiiiiiiii", kStoreFsrI, kSerialMemory, "V9 A.52", effect::kStore | effect::kReadFsr, 4),
    row(Op::Stxfsr, "stx", "11 00001 100101 sssss 0 00000000 ttttt", kStoreFsrR, kSerialMemory, "V9 A.52", effect::kStore | effect::kReadFsr, 8),
    row(Op::Stxfsr, "stx", "11 00001 100101 sssss 1 iiiiiiiiiiiii", kStoreFsrI, kSerialMemory, "V9 A.52", effect::kStore | effect::kReadFsr, 8),
};
// clang-format on

}  // namespace psim::isa::table
