// SPDX-License-Identifier: Apache-2.0
// Loads and stores with an address space identifier.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kAlternateSpaceRows[] = {
    // Integer registers.
    row(Op::Ldsba, "ldsba", "11 ddddd 011001 sssss 0 xxxxxxxx ttttt", kLoadAsiR, kLoad, "V9 A.28", 0, 1),
    row(Op::Ldsba, "ldsba", "11 ddddd 011001 sssss 1 iiiiiiiiiiiii", kLoadAsiI, kLoad, "V9 A.28", 0, 1),
    row(Op::Ldsha, "ldsha", "11 ddddd 011010 sssss 0 xxxxxxxx ttttt", kLoadAsiR, kLoad, "V9 A.28", 0, 2),
    row(Op::Ldsha, "ldsha", "11 ddddd 011010 sssss 1 iiiiiiiiiiiii", kLoadAsiI, kLoad, "V9 A.28", 0, 2),
    row(Op::Ldswa, "ldswa", "11 ddddd 011000 sssss 0 xxxxxxxx ttttt", kLoadAsiR, kLoad, "V9 A.28", 0, 4),
    row(Op::Ldswa, "ldswa", "11 ddddd 011000 sssss 1 iiiiiiiiiiiii", kLoadAsiI, kLoad, "V9 A.28", 0, 4),
    row(Op::Lduba, "lduba", "11 ddddd 010001 sssss 0 xxxxxxxx ttttt", kLoadAsiR, kLoad, "V9 A.28", 0, 1),
    row(Op::Lduba, "lduba", "11 ddddd 010001 sssss 1 iiiiiiiiiiiii", kLoadAsiI, kLoad, "V9 A.28", 0, 1),
    row(Op::Lduha, "lduha", "11 ddddd 010010 sssss 0 xxxxxxxx ttttt", kLoadAsiR, kLoad, "V9 A.28", 0, 2),
    row(Op::Lduha, "lduha", "11 ddddd 010010 sssss 1 iiiiiiiiiiiii", kLoadAsiI, kLoad, "V9 A.28", 0, 2),
    row(Op::Lduwa, "lda", "11 ddddd 010000 sssss 0 xxxxxxxx ttttt", kLoadAsiR, kLoad, "V9 A.28", 0, 4),
    row(Op::Lduwa, "lda", "11 ddddd 010000 sssss 1 iiiiiiiiiiiii", kLoadAsiI, kLoad, "V9 A.28", 0, 4),
    row(Op::Ldxa, "ldxa", "11 ddddd 011011 sssss 0 xxxxxxxx ttttt", kLoadAsiR, kLoad, "V9 A.28", 0, 8),
    row(Op::Ldxa, "ldxa", "11 ddddd 011011 sssss 1 iiiiiiiiiiiii", kLoadAsiI, kLoad, "V9 A.28", 0, 8),
    row(Op::Ldtwa, "ldtwa", "11 ddddd 010011 sssss 0 xxxxxxxx ttttt", kLoadPairAsiR, kLoad, "V9 A.28", 0, 8),
    row(Op::Ldtwa, "ldtwa", "11 ddddd 010011 sssss 1 iiiiiiiiiiiii", kLoadPairAsiI, kLoad, "V9 A.28", 0, 8),
    row(Op::Stba, "stba", "11 ddddd 010101 sssss 0 xxxxxxxx ttttt", kStoreAsiR, kStore, "V9 A.55", 0, 1),
    row(Op::Stba, "stba", "11 ddddd 010101 sssss 1 iiiiiiiiiiiii", kStoreAsiI, kStore, "V9 A.55", 0, 1),
    row(Op::Stha, "stha", "11 ddddd 010110 sssss 0 xxxxxxxx ttttt", kStoreAsiR, kStore, "V9 A.55", 0, 2),
    row(Op::Stha, "stha", "11 ddddd 010110 sssss 1 iiiiiiiiiiiii", kStoreAsiI, kStore, "V9 A.55", 0, 2),
    row(Op::Stwa, "sta", "11 ddddd 010100 sssss 0 xxxxxxxx ttttt", kStoreAsiR, kStore, "V9 A.55", 0, 4),
    row(Op::Stwa, "sta", "11 ddddd 010100 sssss 1 iiiiiiiiiiiii", kStoreAsiI, kStore, "V9 A.55", 0, 4),
    row(Op::Stxa, "stxa", "11 ddddd 011110 sssss 0 xxxxxxxx ttttt", kStoreAsiR, kStore, "V9 A.55", 0, 8),
    row(Op::Stxa, "stxa", "11 ddddd 011110 sssss 1 iiiiiiiiiiiii", kStoreAsiI, kStore, "V9 A.55", 0, 8),
    row(Op::Sttwa, "sttwa", "11 ddddd 010111 sssss 0 xxxxxxxx ttttt", kStorePairAsiR, kStore, "V9 A.55", 0, 8),
    row(Op::Sttwa, "sttwa", "11 ddddd 010111 sssss 1 iiiiiiiiiiiii", kStorePairAsiI, kStore, "V9 A.55", 0, 8),
    // Floating-point registers; block and short accesses are ASIs of ldda and stda.
    row(Op::Ldfa, "lda", "11 ddddd 110000 sssss 0 xxxxxxxx ttttt", kLoadFsAsiR, kLoad, "V9 A.26", 0, 4),
    row(Op::Ldfa, "lda", "11 ddddd 110000 sssss 1 iiiiiiiiiiiii", kLoadFsAsiI, kLoad, "V9 A.26", 0, 4),
    row(Op::Lddfa, "ldda", "11 ddddd 110011 sssss 0 xxxxxxxx ttttt", kLoadFdAsiR, kLoad, "V9 A.26", 0, 8),
    row(Op::Lddfa, "ldda", "11 ddddd 110011 sssss 1 iiiiiiiiiiiii", kLoadFdAsiI, kLoad, "V9 A.26", 0, 8),
    row(Op::Ldqfa, "ldqa", "11 ddddd 110010 sssss 0 xxxxxxxx ttttt", kLoadFqAsiR, kLoad, "V9 A.26", 0, 16),
    row(Op::Ldqfa, "ldqa", "11 ddddd 110010 sssss 1 iiiiiiiiiiiii", kLoadFqAsiI, kLoad, "V9 A.26", 0, 16),
    row(Op::Stfa, "sta", "11 ddddd 110100 sssss 0 xxxxxxxx ttttt", kStoreFsAsiR, kStore, "V9 A.53", 0, 4),
    row(Op::Stfa, "sta", "11 ddddd 110100 sssss 1 iiiiiiiiiiiii", kStoreFsAsiI, kStore, "V9 A.53", 0, 4),
    row(Op::Stdfa, "stda", "11 ddddd 110111 sssss 0 xxxxxxxx ttttt", kStoreFdAsiR, kStore, "V9 A.53", 0, 8),
    row(Op::Stdfa, "stda", "11 ddddd 110111 sssss 1 iiiiiiiiiiiii", kStoreFdAsiI, kStore, "V9 A.53", 0, 8),
    row(Op::Stqfa, "stqa", "11 ddddd 110110 sssss 0 xxxxxxxx ttttt", kStoreFqAsiR, kStore, "V9 A.53", 0, 16),
    row(Op::Stqfa, "stqa", "11 ddddd 110110 sssss 1 iiiiiiiiiiiii", kStoreFqAsiI, kStore, "V9 A.53", 0, 16),
};
// clang-format on

}  // namespace psim::isa::table
