// SPDX-License-Identifier: Apache-2.0
// The SIMD extension: what it adds beside the second meaning that SIMD state gives to floating-point rows.
// Codes are of the space that no SPARC processor known to GNU binutils uses, nor Fujitsu's HPC-ACE: ancillary
// state registers 8–10, opf 0x090–0x0FF of IMPDEP1, op3 0x1D of op 2, op3 0x28 and 0x38–0x3A of op 3.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Format kScalarToPeS{{Fs2, PeS}}, kScalarToPeD{{Fd2, PeD}}, kPeToScalarS{{PeS2, Fs}}, kPeToScalarD{{PeD2, Fd}};
inline constexpr Format kPutS{{Rs1, Fs2, PeS}}, kPutD{{Rs1, Fd2, PeD}}, kGetS{{Rs1, PeS2, Fs}}, kGetD{{Rs1, PeD2, Fd}}, kPeIndex{{PeD}};
inline constexpr Format kPeSs{{PeS2, PeS}}, kPeDd{{PeD2, PeD}}, kPeSss{{PeS1, PeS2, PeS}}, kPeDdd{{PeD1, PeD2, PeD}};
inline constexpr Format kPeSsss{{PeS1, PeS2, PeS3, PeS}}, kPeDddd{{PeD1, PeD2, PeD3, PeD}};

inline constexpr Timing kPeMove{Unit::Simd, LatencyClass::PeMove};
inline constexpr Timing kPeSum{Unit::Simd, LatencyClass::PeSum};
inline constexpr Timing kSimdAdd{Unit::Simd, LatencyClass::FpAdd};
inline constexpr Timing kSimdMultiply{Unit::Simd, LatencyClass::FpMultiply};
inline constexpr Timing kSimdMultiplyAdd{Unit::Simd, LatencyClass::FpMultiplyAdd};
inline constexpr Timing kBlockTransfer{Unit::Address, LatencyClass::BlockTransfer, effect::kLoad};
inline constexpr Timing kTransferSync{Unit::Address, LatencyClass::TransferSync};

inline constexpr Spec kSimdRows[] = {
    // State: the value written is rs1 xor the second operand.
    row(Op::Rdsimd, "rd", "10 ddddd 101000 01000 0 0000000000000", kRead<Simd>, kSimple, "PSIM state", effect::kReadSimd),
    row(Op::Rdpemask, "rd", "10 ddddd 101000 01001 0 0000000000000", kRead<PeMask>, kSimple, "PSIM state", effect::kReadSimd),
    row(Op::Rdsimdstack, "rd", "10 ddddd 101000 01010 0 0000000000000", kRead<SimdStack>, kSimple, "PSIM state", effect::kReadSimd),
    row(Op::Wrsimd, "wr", "10 01000 110000 sssss 0 00000000 ttttt", kWriteR<Simd>, kSerial, "PSIM state", effect::kWriteSimd),
    row(Op::Wrsimd, "wr", "10 01000 110000 sssss 1 iiiiiiiiiiiii", kWriteI<Simd>, kSerial, "PSIM state", effect::kWriteSimd),
    row(Op::Wrpemask, "wr", "10 01001 110000 sssss 0 00000000 ttttt", kWriteR<PeMask>, kSerial, "PSIM state", effect::kWriteSimd),
    row(Op::Wrpemask, "wr", "10 01001 110000 sssss 1 iiiiiiiiiiiii", kWriteI<PeMask>, kSerial, "PSIM state", effect::kWriteSimd),
    row(Op::Wrsimdstack, "wr", "10 01010 110000 sssss 0 00000000 ttttt", kWriteR<SimdStack>, kSerial, "PSIM state", effect::kWriteSimd),
    row(Op::Wrsimdstack, "wr", "10 01010 110000 sssss 1 iiiiiiiiiiiii", kWriteI<SimdStack>, kSerial, "PSIM state", effect::kWriteSimd),
    // Between scalar registers and those of PEs, in either state; rs1 is the number of the PE.
    row(Op::Fbcasts, "fbcasts", "10 ddddd 110110 00000 010010001 ttttt", kScalarToPeS, kPeMove, "PSIM moves"),
    row(Op::Fbcastd, "fbcastd", "10 ddddd 110110 00000 010010010 ttttt", kScalarToPeD, kPeMove, "PSIM moves"),
    row(Op::Fputs, "fputs", "10 ddddd 110110 sssss 010010101 ttttt", kPutS, kPeMove, "PSIM moves", effect::kReadRd),
    row(Op::Fputd, "fputd", "10 ddddd 110110 sssss 010010110 ttttt", kPutD, kPeMove, "PSIM moves", effect::kReadRd),
    row(Op::Fgets, "fgets", "10 ddddd 110110 sssss 010011001 ttttt", kGetS, kPeMove, "PSIM moves"),
    row(Op::Fgetd, "fgetd", "10 ddddd 110110 sssss 010011010 ttttt", kGetD, kPeMove, "PSIM moves"),
    row(Op::Fpeid, "fpeid", "10 ddddd 110110 00000 010011110 00000", kPeIndex, kPeMove, "PSIM moves"),
    // Sums across PEs: to the scalar register, to that of every PE.
    row(Op::Fsums, "fsums", "10 ddddd 110110 00000 010100001 ttttt", kPeToScalarS, kPeSum, "PSIM sums", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fsumd, "fsumd", "10 ddddd 110110 00000 010100010 ttttt", kPeToScalarD, kPeSum, "PSIM sums", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fsumbs, "fsumbs", "10 ddddd 110110 00000 010100101 ttttt", kPeSs, kPeSum, "PSIM sums", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fsumbd, "fsumbd", "10 ddddd 110110 00000 010100110 ttttt", kPeDd, kPeSum, "PSIM sums", effect::kReadFsr | effect::kOneFlop),
    // Cross operations, only in SIMD state: moves, sums, differences, products.
    // The odd pe takes rs2 from its partner.
    row(Op::Fxadds, "fxadds", "10 ddddd 110110 sssss 011000001 ttttt", kPeSss, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxaddd, "fxaddd", "10 ddddd 110110 sssss 011000010 ttttt", kPeDdd, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxsubs, "fxsubs", "10 ddddd 110110 sssss 011000101 ttttt", kPeSss, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxsubd, "fxsubd", "10 ddddd 110110 sssss 011000110 ttttt", kPeDdd, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxmuls, "fxmuls", "10 ddddd 110110 sssss 011001001 ttttt", kPeSss, kSimdMultiply, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxmuld, "fxmuld", "10 ddddd 110110 sssss 011001010 ttttt", kPeDdd, kSimdMultiply, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxmovs, "fxmovs", "10 ddddd 110110 00000 011001101 ttttt", kPeSs, kPeMove, "PSIM cross"),
    row(Op::Fxmovd, "fxmovd", "10 ddddd 110110 00000 011001110 ttttt", kPeDd, kPeMove, "PSIM cross"),
    // The even pe takes rs2 from its partner.
    row(Op::Fxeadds, "fxeadds", "10 ddddd 110110 sssss 011010001 ttttt", kPeSss, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxeaddd, "fxeaddd", "10 ddddd 110110 sssss 011010010 ttttt", kPeDdd, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxesubs, "fxesubs", "10 ddddd 110110 sssss 011010101 ttttt", kPeSss, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxesubd, "fxesubd", "10 ddddd 110110 sssss 011010110 ttttt", kPeDdd, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxemuls, "fxemuls", "10 ddddd 110110 sssss 011011001 ttttt", kPeSss, kSimdMultiply, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxemuld, "fxemuld", "10 ddddd 110110 sssss 011011010 ttttt", kPeDdd, kSimdMultiply, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxemovs, "fxemovs", "10 ddddd 110110 00000 011011101 ttttt", kPeSs, kPeMove, "PSIM cross"),
    row(Op::Fxemovd, "fxemovd", "10 ddddd 110110 00000 011011110 ttttt", kPeDd, kPeMove, "PSIM cross"),
    // Both pes take rs2 from their partner.
    row(Op::Fxbadds, "fxbadds", "10 ddddd 110110 sssss 011100001 ttttt", kPeSss, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxbaddd, "fxbaddd", "10 ddddd 110110 sssss 011100010 ttttt", kPeDdd, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxbsubs, "fxbsubs", "10 ddddd 110110 sssss 011100101 ttttt", kPeSss, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxbsubd, "fxbsubd", "10 ddddd 110110 sssss 011100110 ttttt", kPeDdd, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxbmuls, "fxbmuls", "10 ddddd 110110 sssss 011101001 ttttt", kPeSss, kSimdMultiply, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxbmuld, "fxbmuld", "10 ddddd 110110 sssss 011101010 ttttt", kPeDdd, kSimdMultiply, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxbmovs, "fxbmovs", "10 ddddd 110110 00000 011101101 ttttt", kPeSs, kPeMove, "PSIM cross"),
    row(Op::Fxbmovd, "fxbmovd", "10 ddddd 110110 00000 011101110 ttttt", kPeDd, kPeMove, "PSIM cross"),
    // Both take rs2 from their partner; the even (c) or the odd (j) PE subtracts it.
    row(Op::Fxcadds, "fxcadds", "10 ddddd 110110 sssss 011110001 ttttt", kPeSss, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxcaddd, "fxcaddd", "10 ddddd 110110 sssss 011110010 ttttt", kPeDdd, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxjadds, "fxjadds", "10 ddddd 110110 sssss 011110101 ttttt", kPeSss, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fxjaddd, "fxjaddd", "10 ddddd 110110 sssss 011110110 ttttt", kPeDdd, kSimdAdd, "PSIM cross", effect::kReadFsr | effect::kOneFlop),
    // Multiply-adds: rs1 × rs2 of the partner ± rs3, rounded as the scalar ones.
    row(Op::Fxmadds, "fxmadds", "10 ddddd 011101 sssss uuuuu 0001 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxmaddd, "fxmaddd", "10 ddddd 011101 sssss uuuuu 0010 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxmsubs, "fxmsubs", "10 ddddd 011101 sssss uuuuu 0101 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxmsubd, "fxmsubd", "10 ddddd 011101 sssss uuuuu 0110 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxnmsubs, "fxnmsubs", "10 ddddd 011101 sssss uuuuu 1001 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxnmsubd, "fxnmsubd", "10 ddddd 011101 sssss uuuuu 1010 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxnmadds, "fxnmadds", "10 ddddd 011101 sssss uuuuu 1101 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxnmaddd, "fxnmaddd", "10 ddddd 011101 sssss uuuuu 1110 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxemadds, "fxemadds", "10 ddddd 011101 sssss uuuuu 0000 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxemaddd, "fxemaddd", "10 ddddd 011101 sssss uuuuu 0011 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxemsubs, "fxemsubs", "10 ddddd 011101 sssss uuuuu 0100 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxemsubd, "fxemsubd", "10 ddddd 011101 sssss uuuuu 0111 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxenmsubs, "fxenmsubs", "10 ddddd 011101 sssss uuuuu 1000 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxenmsubd, "fxenmsubd", "10 ddddd 011101 sssss uuuuu 1011 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxenmadds, "fxenmadds", "10 ddddd 011101 sssss uuuuu 1100 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxenmaddd, "fxenmaddd", "10 ddddd 011101 sssss uuuuu 1111 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxbmadds, "fxbmadds", "11 ddddd 101000 sssss uuuuu 0001 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxbmaddd, "fxbmaddd", "11 ddddd 101000 sssss uuuuu 0010 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxbmsubs, "fxbmsubs", "11 ddddd 101000 sssss uuuuu 0101 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxbmsubd, "fxbmsubd", "11 ddddd 101000 sssss uuuuu 0110 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxbnmsubs, "fxbnmsubs", "11 ddddd 101000 sssss uuuuu 1001 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxbnmsubd, "fxbnmsubd", "11 ddddd 101000 sssss uuuuu 1010 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxbnmadds, "fxbnmadds", "11 ddddd 101000 sssss uuuuu 1101 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxbnmaddd, "fxbnmaddd", "11 ddddd 101000 sssss uuuuu 1110 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxcmadds, "fxcmadds", "11 ddddd 101000 sssss uuuuu 0000 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxcmaddd, "fxcmaddd", "11 ddddd 101000 sssss uuuuu 0011 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxjmadds, "fxjmadds", "11 ddddd 101000 sssss uuuuu 0100 ttttt", kPeSsss, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    row(Op::Fxjmaddd, "fxjmaddd", "11 ddddd 101000 sssss uuuuu 0111 ttttt", kPeDddd, kSimdMultiplyAdd, "PSIM cross", effect::kReadFsr | effect::kTwoFlops),
    // Block transfers: the descriptor is in memory, 48 bytes.
    row(Op::Sbmget, "sbmget", "11 00000 111000 sssss 0 00000000 ttttt", kFlushR, kBlockTransfer, "PSIM transfers", effect::kReadSimd, 48),
    row(Op::Sbmget, "sbmget", "11 00000 111000 sssss 1 iiiiiiiiiiiii", kFlushI, kBlockTransfer, "PSIM transfers", effect::kReadSimd, 48),
    row(Op::Sbmput, "sbmput", "11 00000 111001 sssss 0 00000000 ttttt", kFlushR, kBlockTransfer, "PSIM transfers", effect::kReadSimd, 48),
    row(Op::Sbmput, "sbmput", "11 00000 111001 sssss 1 iiiiiiiiiiiii", kFlushI, kBlockTransfer, "PSIM transfers", effect::kReadSimd, 48),
    row(Op::Sbmsync, "sbmsync", "11 00000 111010 00000 0 00000000 ttttt", kR2, kTransferSync, "PSIM transfers"),
    row(Op::Sbmsync, "sbmsync", "11 00000 111010 00000 1 iiiiiiiiiiiii", kSir, kTransferSync, "PSIM transfers"),
};
// clang-format on

}  // namespace psim::isa::table
