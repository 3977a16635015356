// SPDX-License-Identifier: Apache-2.0
// Instructions of the supervisor: decoded so that a trap can name them.
#pragma once

#include "isa/table/row.h"

namespace psim::isa::table {

// clang-format off
inline constexpr Spec kPrivilegedRows[] = {
    // Each raises privileged_opcode (or illegal_instruction where the field is reserved) in user mode.
    row(Op::Privileged, "done", "10 00000 111110 00000 0 0000000000000", kNoOperands, kSerial, "V9 A.11"),
    row(Op::Privileged, "retry", "10 00001 111110 00000 0 0000000000000", kNoOperands, kSerial, "V9 A.11"),
    row(Op::Privileged, "saved", "10 00000 110001 00000 0 0000000000000", kNoOperands, kSerial, "V9 A.47"),
    row(Op::Privileged, "restored", "10 00001 110001 00000 0 0000000000000", kNoOperands, kSerial, "V9 A.47"),
    row(Op::Privileged, "allclean", "10 00010 110001 00000 0 0000000000000", kNoOperands, kSerial, "OSA2011 ALLCLEAN"),
    row(Op::Privileged, "otherw", "10 00011 110001 00000 0 0000000000000", kNoOperands, kSerial, "OSA2011 OTHERW"),
    row(Op::Privileged, "normalw", "10 00100 110001 00000 0 0000000000000", kNoOperands, kSerial, "OSA2011 NORMALW"),
    row(Op::Privileged, "invalw", "10 00101 110001 00000 0 0000000000000", kNoOperands, kSerial, "OSA2011 INVALW"),
    row(Op::Privileged, "rdpr", "10 ddddd 101010 0nnnn 0 0000000000000", kReadPrivileged, kSerial, "V9 A.43"),
    row(Op::Privileged, "rdpr", "10 ddddd 101010 10000 0 0000000000000", kReadPrivileged, kSerial, "OSA2011 RDPR"),
    row(Op::Privileged, "rdpr", "10 ddddd 101010 11111 0 0000000000000", kReadPrivileged, kSerial, "V9 A.43"),
    row(Op::Privileged, "wrpr", "10 0nnnn 110010 sssss 0 -------- ttttt", kWritePrivilegedR, kSerial, "V9 A.62"),
    row(Op::Privileged, "wrpr", "10 0nnnn 110010 sssss 1 iiiiiiiiiiiii", kWritePrivilegedI, kSerial, "V9 A.62"),
    row(Op::Privileged, "wrpr", "10 10000 110010 sssss 0 -------- ttttt", kWritePrivilegedR, kSerial, "OSA2011 WRPR"),
    row(Op::Privileged, "wrpr", "10 10000 110010 sssss 1 iiiiiiiiiiiii", kWritePrivilegedI, kSerial, "OSA2011 WRPR"),
    // Ancillary state registers of the supervisor: counters, soft interrupts, compare registers.
    row(Op::Privileged, "rd", "10 ddddd 101000 1000n 0 0000000000000", kReadAsr, kSerial, "JPS1 A.44"),
    row(Op::Privileged, "rd", "10 ddddd 101000 10010 0 0000000000000", kReadAsr, kSerial, "JPS1 A.44"),
    row(Op::Privileged, "rd", "10 ddddd 101000 10110 0 0000000000000", kReadAsr, kSerial, "JPS1 A.44"),
    row(Op::Privileged, "rd", "10 ddddd 101000 10111 0 0000000000000", kReadAsr, kSerial, "JPS1 A.44"),
    row(Op::Privileged, "rd", "10 ddddd 101000 11001 0 0000000000000", kReadAsr, kSerial, "JPS1 A.44"),
    row(Op::Privileged, "wr", "10 1000n 110000 sssss 0 00000000 ttttt", kWriteAsrR, kSerial, "JPS1 A.63"),
    row(Op::Privileged, "wr", "10 1000n 110000 sssss 1 iiiiiiiiiiiii", kWriteAsrI, kSerial, "JPS1 A.63"),
    row(Op::Privileged, "wr", "10 10010 110000 sssss 0 00000000 ttttt", kWriteAsrR, kSerial, "JPS1 A.63"),
    row(Op::Privileged, "wr", "10 10010 110000 sssss 1 iiiiiiiiiiiii", kWriteAsrI, kSerial, "JPS1 A.63"),
    row(Op::Privileged, "wr", "10 101nn 110000 sssss 0 00000000 ttttt", kWriteAsrR, kSerial, "JPS1 A.63"),
    row(Op::Privileged, "wr", "10 101nn 110000 sssss 1 iiiiiiiiiiiii", kWriteAsrI, kSerial, "JPS1 A.63"),
    row(Op::Privileged, "wr", "10 1100n 110000 sssss 0 00000000 ttttt", kWriteAsrR, kSerial, "JPS1 A.63"),
    row(Op::Privileged, "wr", "10 1100n 110000 sssss 1 iiiiiiiiiiiii", kWriteAsrI, kSerial, "JPS1 A.63"),
    row(Op::Privileged, "sir", "10 01111 110000 00000 1 iiiiiiiiiiiii", kSir, kSerial, "V9 A.50"),
    row(Op::Privileged, "shutdown", "10 00000 110110 00000 010000000 00000", kNoOperands, kSerial, "JPS1 A.54"),
};
// clang-format on

}  // namespace psim::isa::table
