// SPDX-License-Identifier: Apache-2.0
// VIS 3.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kVis3Rows[] = {
    // Integer registers.
    row(Op::Addxc, "addxc", "10 ddddd 110110 sssss 000010001 ttttt", kRrr, kSimple, "OSA2011 ADDXC", effect::kReadCc),
    row(Op::Addxccc, "addxccc", "10 ddddd 110110 sssss 000010011 ttttt", kRrr, kSimple, "OSA2011 ADDXC", effect::kReadCc | effect::kWriteCc),
    row(Op::Umulxhi, "umulxhi", "10 ddddd 110110 sssss 000010110 ttttt", kRrr, kMultiply, "OSA2011 UMULXHI"),
    row(Op::Xmulx, "xmulx", "10 ddddd 110110 sssss 100010101 ttttt", kRrr, kMultiply, "OSA2011 XMULX"),
    row(Op::Xmulxhi, "xmulxhi", "10 ddddd 110110 sssss 100010110 ttttt", kRrr, kMultiply, "OSA2011 XMULX"),
    row(Op::Lzcnt, "lzcnt", "10 ddddd 110110 ----- 000010111 ttttt", kRr, kSimple, "OSA2011 LZCNT"),
    row(Op::Cmask8, "cmask8", "10 ----- 110110 ----- 000011011 ttttt", kR2, kSimple, "OSA2011 CMASK", effect::kReadGsr | effect::kWriteGsr),
    row(Op::Cmask16, "cmask16", "10 ----- 110110 ----- 000011101 ttttt", kR2, kSimple, "OSA2011 CMASK", effect::kReadGsr | effect::kWriteGsr),
    row(Op::Cmask32, "cmask32", "10 ----- 110110 ----- 000011111 ttttt", kR2, kSimple, "OSA2011 CMASK", effect::kReadGsr | effect::kWriteGsr),
    // Between the register files.
    row(Op::Movdtox, "movdtox", "10 ddddd 110110 ----- 100010000 ttttt", kD2R, kFpMove, "OSA2011 MOVfTOi"),
    row(Op::Movstouw, "movstouw", "10 ddddd 110110 ----- 100010001 ttttt", kS2R, kFpMove, "OSA2011 MOVfTOi"),
    row(Op::Movstosw, "movstosw", "10 ddddd 110110 ----- 100010011 ttttt", kS2R, kFpMove, "OSA2011 MOVfTOi"),
    row(Op::Movxtod, "movxtod", "10 ddddd 110110 ----- 100011000 ttttt", kR2D, kFpMove, "OSA2011 MOViTOf"),
    row(Op::Movwtos, "movwtos", "10 ddddd 110110 ----- 100011001 ttttt", kR2S, kFpMove, "OSA2011 MOViTOf"),
    // Partitioned shifts, means, sums and distances.
    row(Op::Fsll16, "fsll16", "10 ddddd 110110 sssss 000100001 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT"),
    row(Op::Fsrl16, "fsrl16", "10 ddddd 110110 sssss 000100011 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT"),
    row(Op::Fslas16, "fslas16", "10 ddddd 110110 sssss 000101001 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT"),
    row(Op::Fsra16, "fsra16", "10 ddddd 110110 sssss 000101011 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT"),
    row(Op::Fsll32, "fsll32", "10 ddddd 110110 sssss 000100101 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT"),
    row(Op::Fsrl32, "fsrl32", "10 ddddd 110110 sssss 000100111 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT"),
    row(Op::Fslas32, "fslas32", "10 ddddd 110110 sssss 000101101 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT"),
    row(Op::Fsra32, "fsra32", "10 ddddd 110110 sssss 000101111 ttttt", kDdd, kFpMove, "OSA2011 FSHIFT"),
    row(Op::Fchksm16, "fchksm16", "10 ddddd 110110 sssss 001000100 ttttt", kDdd, kFpMove, "OSA2011 FCHKSM16"),
    row(Op::Fmean16, "fmean16", "10 ddddd 110110 sssss 001000000 ttttt", kDdd, kFpMove, "OSA2011 FMEAN16"),
    row(Op::Pdistn, "pdistn", "10 ddddd 110110 sssss 000111111 ttttt", kDdR, kFpMultiply, "OSA2011 PDISTN"),
    row(Op::Fpadd64, "fpadd64", "10 ddddd 110110 sssss 001000010 ttttt", kDdd, kFpMove, "OSA2011 FPADD"),
    row(Op::Fpsub64, "fpsub64", "10 ddddd 110110 sssss 001000110 ttttt", kDdd, kFpMove, "OSA2011 FPSUB"),
    row(Op::Fpadds16, "fpadds16", "10 ddddd 110110 sssss 001011000 ttttt", kDdd, kFpMove, "OSA2011 FPADDS"),
    row(Op::Fpadds16s, "fpadds16s", "10 ddddd 110110 sssss 001011001 ttttt", kSss, kFpMove, "OSA2011 FPADDS"),
    row(Op::Fpadds32, "fpadds32", "10 ddddd 110110 sssss 001011010 ttttt", kDdd, kFpMove, "OSA2011 FPADDS"),
    row(Op::Fpadds32s, "fpadds32s", "10 ddddd 110110 sssss 001011011 ttttt", kSss, kFpMove, "OSA2011 FPADDS"),
    row(Op::Fpsubs16, "fpsubs16", "10 ddddd 110110 sssss 001011100 ttttt", kDdd, kFpMove, "OSA2011 FPSUBS"),
    row(Op::Fpsubs16s, "fpsubs16s", "10 ddddd 110110 sssss 001011101 ttttt", kSss, kFpMove, "OSA2011 FPSUBS"),
    row(Op::Fpsubs32, "fpsubs32", "10 ddddd 110110 sssss 001011110 ttttt", kDdd, kFpMove, "OSA2011 FPSUBS"),
    row(Op::Fpsubs32s, "fpsubs32s", "10 ddddd 110110 sssss 001011111 ttttt", kSss, kFpMove, "OSA2011 FPSUBS"),
    row(Op::Fpcmpule8, "fpcmpule8", "10 ddddd 110110 sssss 100100000 ttttt", kDdR, kFpMove, "OSA2011 FPCMPU"),
    row(Op::Fpcmpune8, "fpcmpune8", "10 ddddd 110110 sssss 100100010 ttttt", kDdR, kFpMove, "OSA2011 FPCMPU"),
    row(Op::Fpcmpugt8, "fpcmpugt8", "10 ddddd 110110 sssss 100101000 ttttt", kDdR, kFpMove, "OSA2011 FPCMPU"),
    row(Op::Fpcmpueq8, "fpcmpueq8", "10 ddddd 110110 sssss 100101010 ttttt", kDdR, kFpMove, "OSA2011 FPCMPU"),
    // Floating point: negated and halved sums and products.
    row(Op::Fnadds, "fnadds", "10 ddddd 110100 sssss 001010001 ttttt", kSss, kFpAdd, "OSA2011 FNADD", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fnaddd, "fnaddd", "10 ddddd 110100 sssss 001010010 ttttt", kDdd, kFpAdd, "OSA2011 FNADD", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fnmuls, "fnmuls", "10 ddddd 110100 sssss 001011001 ttttt", kSss, kFpMultiply, "OSA2011 FNMUL", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fnmuld, "fnmuld", "10 ddddd 110100 sssss 001011010 ttttt", kDdd, kFpMultiply, "OSA2011 FNMUL", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fnsmuld, "fnsmuld", "10 ddddd 110100 sssss 001111001 ttttt", kSsd, kFpMultiply, "OSA2011 FNMUL", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fhadds, "fhadds", "10 ddddd 110100 sssss 001100001 ttttt", kSss, kFpAdd, "OSA2011 FHADD", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fhaddd, "fhaddd", "10 ddddd 110100 sssss 001100010 ttttt", kDdd, kFpAdd, "OSA2011 FHADD", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fhsubs, "fhsubs", "10 ddddd 110100 sssss 001100101 ttttt", kSss, kFpAdd, "OSA2011 FHSUB", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fhsubd, "fhsubd", "10 ddddd 110100 sssss 001100110 ttttt", kDdd, kFpAdd, "OSA2011 FHSUB", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fnhadds, "fnhadds", "10 ddddd 110100 sssss 001110001 ttttt", kSss, kFpAdd, "OSA2011 FNHADD", effect::kReadFsr | effect::kOneFlop),
    row(Op::Fnhaddd, "fnhaddd", "10 ddddd 110100 sssss 001110010 ttttt", kDdd, kFpAdd, "OSA2011 FNHADD", effect::kReadFsr | effect::kOneFlop),
    // Integer multiply-add in floating-point registers.
    row(Op::Fpmaddx, "fpmaddx", "10 ddddd 110111 sssss uuuuu 0000 ttttt", kDddd, kFpMultiplyAdd, "OSA2011 FPMADDX"),
    row(Op::Fpmaddxhi, "fpmaddxhi", "10 ddddd 110111 sssss uuuuu 0100 ttttt", kDddd, kFpMultiplyAdd, "OSA2011 FPMADDX"),
};
// clang-format on

}  // namespace psim::isa::table
