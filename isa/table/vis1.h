// SPDX-License-Identifier: Apache-2.0
// VIS 1.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kVis1Rows[] = {
    // Edges and addresses of arrays.
    row(Op::Edge8cc, "edge8cc", "10 ddddd 110110 sssss 000000000 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", effect::kWriteCc),
    row(Op::Edge8lcc, "edge8lcc", "10 ddddd 110110 sssss 000000010 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", effect::kWriteCc),
    row(Op::Edge16cc, "edge16cc", "10 ddddd 110110 sssss 000000100 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", effect::kWriteCc),
    row(Op::Edge16lcc, "edge16lcc", "10 ddddd 110110 sssss 000000110 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", effect::kWriteCc),
    row(Op::Edge32cc, "edge32cc", "10 ddddd 110110 sssss 000001000 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", effect::kWriteCc),
    row(Op::Edge32lcc, "edge32lcc", "10 ddddd 110110 sssss 000001010 ttttt", kRrr, kSimple, "OSA2011 EDGEcc", effect::kWriteCc),
    row(Op::Array8, "array8", "10 ddddd 110110 sssss 000010000 ttttt", kRrr, kSimple, "OSA2011 ARRAY"),
    row(Op::Array16, "array16", "10 ddddd 110110 sssss 000010010 ttttt", kRrr, kSimple, "OSA2011 ARRAY"),
    row(Op::Array32, "array32", "10 ddddd 110110 sssss 000010100 ttttt", kRrr, kSimple, "OSA2011 ARRAY"),
    row(Op::Alignaddr, "alignaddr", "10 ddddd 110110 sssss 000011000 ttttt", kRrr, kSimple, "OSA2011 ALIGNADDRESS", effect::kReadGsr | effect::kWriteGsr),
    row(Op::Alignaddrl, "alignaddrl", "10 ddddd 110110 sssss 000011010 ttttt", kRrr, kSimple, "OSA2011 ALIGNADDRESS", effect::kReadGsr | effect::kWriteGsr),
    row(Op::Faligndata, "faligndata", "10 ddddd 110110 sssss 001001000 ttttt", kDdd, kFpMove, "OSA2011 FALIGNDATA", effect::kReadGsr),
    // Compares to an integer register.
    row(Op::Fpcmple16, "fpcmple16", "10 ddddd 110110 sssss 000100000 ttttt", kDdR, kFpMove, "OSA2011 FPCMP"),
    row(Op::Fpcmpne16, "fpcmpne16", "10 ddddd 110110 sssss 000100010 ttttt", kDdR, kFpMove, "OSA2011 FPCMP"),
    row(Op::Fpcmpgt16, "fpcmpgt16", "10 ddddd 110110 sssss 000101000 ttttt", kDdR, kFpMove, "OSA2011 FPCMP"),
    row(Op::Fpcmpeq16, "fpcmpeq16", "10 ddddd 110110 sssss 000101010 ttttt", kDdR, kFpMove, "OSA2011 FPCMP"),
    row(Op::Fpcmple32, "fpcmple32", "10 ddddd 110110 sssss 000100100 ttttt", kDdR, kFpMove, "OSA2011 FPCMP"),
    row(Op::Fpcmpne32, "fpcmpne32", "10 ddddd 110110 sssss 000100110 ttttt", kDdR, kFpMove, "OSA2011 FPCMP"),
    row(Op::Fpcmpgt32, "fpcmpgt32", "10 ddddd 110110 sssss 000101100 ttttt", kDdR, kFpMove, "OSA2011 FPCMP"),
    row(Op::Fpcmpeq32, "fpcmpeq32", "10 ddddd 110110 sssss 000101110 ttttt", kDdR, kFpMove, "OSA2011 FPCMP"),
    // Multiplication, packing and expansion.
    row(Op::Fmul8x16, "fmul8x16", "10 ddddd 110110 sssss 000110001 ttttt", kSdd, kFpMultiply, "OSA2011 FMUL8"),
    row(Op::Fmul8x16au, "fmul8x16au", "10 ddddd 110110 sssss 000110011 ttttt", kSsd, kFpMultiply, "OSA2011 FMUL8"),
    row(Op::Fmul8x16al, "fmul8x16al", "10 ddddd 110110 sssss 000110101 ttttt", kSsd, kFpMultiply, "OSA2011 FMUL8"),
    row(Op::Fmul8sux16, "fmul8sux16", "10 ddddd 110110 sssss 000110110 ttttt", kDdd, kFpMultiply, "OSA2011 FMUL8"),
    row(Op::Fmul8ulx16, "fmul8ulx16", "10 ddddd 110110 sssss 000110111 ttttt", kDdd, kFpMultiply, "OSA2011 FMUL8"),
    row(Op::Fmuld8sux16, "fmuld8sux16", "10 ddddd 110110 sssss 000111000 ttttt", kSsd, kFpMultiply, "OSA2011 FMUL8"),
    row(Op::Fmuld8ulx16, "fmuld8ulx16", "10 ddddd 110110 sssss 000111001 ttttt", kSsd, kFpMultiply, "OSA2011 FMUL8"),
    row(Op::Fpack16, "fpack16", "10 ddddd 110110 00000 000111011 ttttt", kDs, kFpMove, "OSA2011 FPACK", effect::kReadGsr),
    row(Op::Fpack32, "fpack32", "10 ddddd 110110 sssss 000111010 ttttt", kDdd, kFpMove, "OSA2011 FPACK", effect::kReadGsr),
    row(Op::Fpackfix, "fpackfix", "10 ddddd 110110 00000 000111101 ttttt", kDs, kFpMove, "OSA2011 FPACK", effect::kReadGsr),
    row(Op::Fexpand, "fexpand", "10 ddddd 110110 00000 001001101 ttttt", kSd, kFpMove, "OSA2011 FEXPAND"),
    row(Op::Fpmerge, "fpmerge", "10 ddddd 110110 sssss 001001011 ttttt", kSsd, kFpMove, "OSA2011 FPMERGE"),
    row(Op::Pdist, "pdist", "10 ddddd 110110 sssss 000111110 ttttt", kDdd, kFpMultiply, "OSA2011 PDIST", effect::kReadRd),
    // Partitioned addition and subtraction.
    row(Op::Fpadd16, "fpadd16", "10 ddddd 110110 sssss 001010000 ttttt", kDdd, kFpMove, "OSA2011 FPADD"),
    row(Op::Fpadd16s, "fpadd16s", "10 ddddd 110110 sssss 001010001 ttttt", kSss, kFpMove, "OSA2011 FPADD"),
    row(Op::Fpadd32, "fpadd32", "10 ddddd 110110 sssss 001010010 ttttt", kDdd, kFpMove, "OSA2011 FPADD"),
    row(Op::Fpadd32s, "fpadd32s", "10 ddddd 110110 sssss 001010011 ttttt", kSss, kFpMove, "OSA2011 FPADD"),
    row(Op::Fpsub16, "fpsub16", "10 ddddd 110110 sssss 001010100 ttttt", kDdd, kFpMove, "OSA2011 FPSUB"),
    row(Op::Fpsub16s, "fpsub16s", "10 ddddd 110110 sssss 001010101 ttttt", kSss, kFpMove, "OSA2011 FPSUB"),
    row(Op::Fpsub32, "fpsub32", "10 ddddd 110110 sssss 001010110 ttttt", kDdd, kFpMove, "OSA2011 FPSUB"),
    row(Op::Fpsub32s, "fpsub32s", "10 ddddd 110110 sssss 001010111 ttttt", kSss, kFpMove, "OSA2011 FPSUB"),
    // Logic.
    row(Op::Fzerod, "fzerod", "10 ddddd 110110 ----- 001100000 -----", kD, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fzeros, "fzeros", "10 ddddd 110110 ----- 001100001 -----", kS, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Foned, "foned", "10 ddddd 110110 ----- 001111110 -----", kD, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fones, "fones", "10 ddddd 110110 ----- 001111111 -----", kS, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fsrc1d, "fsrc1d", "10 ddddd 110110 sssss 001110100 -----", kD1d, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fsrc1s, "fsrc1s", "10 ddddd 110110 sssss 001110101 -----", kS1s, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fsrc2d, "fsrc2d", "10 ddddd 110110 ----- 001111000 ttttt", kDd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fsrc2s, "fsrc2s", "10 ddddd 110110 ----- 001111001 ttttt", kSs, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fnot1d, "fnot1d", "10 ddddd 110110 sssss 001101010 -----", kD1d, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fnot1s, "fnot1s", "10 ddddd 110110 sssss 001101011 -----", kS1s, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fnot2d, "fnot2d", "10 ddddd 110110 ----- 001100110 ttttt", kDd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fnot2s, "fnot2s", "10 ddddd 110110 ----- 001100111 ttttt", kSs, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fandd, "fandd", "10 ddddd 110110 sssss 001110000 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fands, "fands", "10 ddddd 110110 sssss 001110001 ttttt", kSss, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fandnot1d, "fandnot1d", "10 ddddd 110110 sssss 001101000 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fandnot1s, "fandnot1s", "10 ddddd 110110 sssss 001101001 ttttt", kSss, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fandnot2d, "fandnot2d", "10 ddddd 110110 sssss 001100100 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fandnot2s, "fandnot2s", "10 ddddd 110110 sssss 001100101 ttttt", kSss, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fnandd, "fnandd", "10 ddddd 110110 sssss 001101110 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fnands, "fnands", "10 ddddd 110110 sssss 001101111 ttttt", kSss, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Ford, "ford", "10 ddddd 110110 sssss 001111100 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fors, "fors", "10 ddddd 110110 sssss 001111101 ttttt", kSss, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fornot1d, "fornot1d", "10 ddddd 110110 sssss 001111010 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fornot1s, "fornot1s", "10 ddddd 110110 sssss 001111011 ttttt", kSss, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fornot2d, "fornot2d", "10 ddddd 110110 sssss 001110110 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fornot2s, "fornot2s", "10 ddddd 110110 sssss 001110111 ttttt", kSss, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fnord, "fnord", "10 ddddd 110110 sssss 001100010 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fnors, "fnors", "10 ddddd 110110 sssss 001100011 ttttt", kSss, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fxord, "fxord", "10 ddddd 110110 sssss 001101100 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fxors, "fxors", "10 ddddd 110110 sssss 001101101 ttttt", kSss, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fxnord, "fxnord", "10 ddddd 110110 sssss 001110010 ttttt", kDdd, kFpMove, "OSA2011 F Register Logical"),
    row(Op::Fxnors, "fxnors", "10 ddddd 110110 sssss 001110011 ttttt", kSss, kFpMove, "OSA2011 F Register Logical"),
};
// clang-format on

}  // namespace psim::isa::table
