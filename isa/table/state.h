// SPDX-License-Identifier: Apache-2.0
// State registers that user programs read and write.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kStateRows[] = {
    // Reads.
    row(Op::Rdy, "rd", "10 ddddd 101000 00000 0 0000000000000", kRead<Y>, kSimple, "V9 A.44", effect::kReadY),
    row(Op::Rdccr, "rd", "10 ddddd 101000 00010 0 0000000000000", kRead<Ccr>, kSimple, "V9 A.44", effect::kReadCc),
    row(Op::Rdasi, "rd", "10 ddddd 101000 00011 0 0000000000000", kRead<Asi>, kSimple, "V9 A.44", effect::kReadAsi),
    row(Op::Rdtick, "rd", "10 ddddd 101000 00100 0 0000000000000", kRead<Tick>, kSerial, "V9 A.44", effect::kTimed),
    row(Op::Rdpc, "rd", "10 ddddd 101000 00101 0 0000000000000", kRead<Pc>, kSimple, "V9 A.44"),
    row(Op::Rdfprs, "rd", "10 ddddd 101000 00110 0 0000000000000", kRead<Fprs>, kSimple, "V9 A.44", effect::kReadFprs),
    row(Op::Rdgsr, "rd", "10 ddddd 101000 10011 0 0000000000000", kRead<Gsr>, kSimple, "JPS1 A.44", effect::kReadGsr),
    row(Op::Rdstick, "rd", "10 ddddd 101000 11000 0 0000000000000", kRead<Stick>, kSerial, "JPS1 A.44", effect::kTimed),
    // Writes: the value is rs1 xor the second operand.
    row(Op::Wry, "wr", "10 00000 110000 sssss 0 00000000 ttttt", kWriteR<Y>, kSimple, "V9 A.63", effect::kWriteY),
    row(Op::Wry, "wr", "10 00000 110000 sssss 1 iiiiiiiiiiiii", kWriteI<Y>, kSimple, "V9 A.63", effect::kWriteY),
    row(Op::Wrccr, "wr", "10 00010 110000 sssss 0 00000000 ttttt", kWriteR<Ccr>, kSimple, "V9 A.63", effect::kWriteCc),
    row(Op::Wrccr, "wr", "10 00010 110000 sssss 1 iiiiiiiiiiiii", kWriteI<Ccr>, kSimple, "V9 A.63", effect::kWriteCc),
    row(Op::Wrasi, "wr", "10 00011 110000 sssss 0 00000000 ttttt", kWriteR<Asi>, kSerial, "V9 A.63", effect::kWriteAsi),
    row(Op::Wrasi, "wr", "10 00011 110000 sssss 1 iiiiiiiiiiiii", kWriteI<Asi>, kSerial, "V9 A.63", effect::kWriteAsi),
    row(Op::Wrfprs, "wr", "10 00110 110000 sssss 0 00000000 ttttt", kWriteR<Fprs>, kSerial, "V9 A.63", effect::kWriteFprs),
    row(Op::Wrfprs, "wr", "10 00110 110000 sssss 1 iiiiiiiiiiiii", kWriteI<Fprs>, kSerial, "V9 A.63", effect::kWriteFprs),
    row(Op::Wrgsr, "wr", "10 10011 110000 sssss 0 00000000 ttttt", kWriteR<Gsr>, kSerial, "JPS1 A.63", effect::kWriteGsr),
    row(Op::Wrgsr, "wr", "10 10011 110000 sssss 1 iiiiiiiiiiiii", kWriteI<Gsr>, kSerial, "JPS1 A.63", effect::kWriteGsr),
    row(Op::Wrpause, "wr", "10 11011 110000 sssss 0 00000000 ttttt", kWriteR<Pause>, kSerial, "OSA2011 WRPAUSE"),
    row(Op::Wrpause, "wr", "10 11011 110000 sssss 1 iiiiiiiiiiiii", kWriteI<Pause>, kSerial, "OSA2011 WRPAUSE"),
};
// clang-format on

}  // namespace psim::isa::table
