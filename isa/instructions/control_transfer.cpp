// SPDX-License-Identifier: Apache-2.0
// Calls, branches, traps, and instructions that user programs may not execute (V9 manual, A.3–A.8, A.11,
// A.22, A.24, A.43, A.45, A.47, A.50, A.61, A.62). The effect of a control transfer follows from its row's
// flow: isa/exec/block_builder.cpp does it in blocks, isa/exec/single_step.cpp one at a time.
#include "isa/state/conditions.h"
#include "isa/state/context.h"
#include "isa/state/traps.h"
#include "isa/table/fields.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::table {
namespace {
constexpr Execution kTransfer{};

/// Tcc: leaves the block to run alone when the condition holds.
PSIM_HANDLER(software_trap) {
  if ((icc_mask(cond(a->word)) >> nzvc(*c, move_cc(a->word)) & 1) != 0) [[unlikely]]
    return do_alone(c, a);
  PSIM_NEXT;
}
constexpr Execution kSoftwareTrap{{.handler = software_trap}};
}  // namespace

namespace {
// clang-format off
constexpr auto kBranchRows = rows(
    row("call", "01 oooooooooooooooooooooooooooooo", kCall, kBranch, "V9 A.8", kTransfer, effect::kWriteO7),
    pair<"10 ddddd 111000 sssss">("jmpl", kJmplR, kJmplI, kBranch, "V9 A.24", kTransfer),
    pair<"10 ----- 111001 sssss">("return", kReturnR, kReturnI, kBranch, "V9 A.45", kTransfer, effect::kRestoreWindow),
    row("b", "00 a cccc 010 oooooooooooooooooooooo", kBicc, kBranch, "V9 A.6", kTransfer),
    row("b", "00 a cccc 001 k0 p ooooooooooooooooooo", kBpcc, kBranch, "V9 A.7", kTransfer),
    row("fb", "00 a cccc 110 oooooooooooooooooooooo", kFbfcc, kBranch, "V9 A.4", kTransfer, effect::kReadFcc0),
    row("fb", "00 a cccc 101 kk p ooooooooooooooooooo", kFbpfcc, kBranch, "V9 A.5", kTransfer),
    row("br", "00 a 0 ccc 011 oo p sssss oooooooooooooo", kBpr, kBranch, "V9 A.3", kTransfer),
    // Compare and branch: no delay slot.
    row("cwb", "00 c 1 ccc 011 0 oo sssss 0 oooooooo ttttt", kCbcondR, kBranch, "OSA2011 CBcond", kTransfer, 0, 0, hwcap::kCbcond),
    row("cwb", "00 c 1 ccc 011 0 oo sssss 1 oooooooo iiiii", kCbcondI, kBranch, "OSA2011 CBcond", kTransfer, 0, 0, hwcap::kCbcond),
    row("cxb", "00 c 1 ccc 011 1 oo sssss 0 oooooooo ttttt", kCbcondR, kBranch, "OSA2011 CBcond", kTransfer, 0, 0, hwcap::kCbcond),
    row("cxb", "00 c 1 ccc 011 1 oo sssss 1 oooooooo iiiii", kCbcondI, kBranch, "OSA2011 CBcond", kTransfer, 0, 0, hwcap::kCbcond),
    // Reserved conditions.
    row("illegal", "00 - 0 -00 011 -- - ----- --------------", kNoOperands, kSerial, "V9 A.3", kIllegal, effect::kRefines | effect::kTraps | effect::kReserved),
    row("illegal", "00 - 1 000 011 0 -- ----- 0 -------- -----", kNoOperands, kSerial, "OSA2011 CBcond", kIllegal, effect::kRefines | effect::kTraps | effect::kReserved),
    row("illegal", "00 - 1 000 011 0 -- ----- 1 -------- -----", kNoOperands, kSerial, "OSA2011 CBcond", kIllegal, effect::kRefines | effect::kTraps | effect::kReserved),
    row("illegal", "00 - 1 000 011 1 -- ----- 0 -------- -----", kNoOperands, kSerial, "OSA2011 CBcond", kIllegal, effect::kRefines | effect::kTraps | effect::kReserved),
    row("illegal", "00 - 1 000 011 1 -- ----- 1 -------- -----", kNoOperands, kSerial, "OSA2011 CBcond", kIllegal, effect::kRefines | effect::kTraps | effect::kReserved)
);
// clang-format on
static_assert(disjoint(kBranchRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> branch_rows() { return kBranchRows; }

namespace {
// clang-format off
constexpr Spec kTrapRows[] = {
    row("t", "10 - cccc 111010 sssss 0 k0 ------ ttttt", kTccR, kSerial, "V9 A.61", kSoftwareTrap, effect::kTimed),
    row("t", "10 - cccc 111010 sssss 1 k0 ---- iiiiiii", kTccI, kSerial, "V9 A.61", kSoftwareTrap, effect::kTimed),
    row("illtrap", "00 00000 000 iiiiiiiiiiiiiiiiiiiiii", kConst22, kSerial, "V9 A.22", kIllegal, effect::kTraps),
};
// clang-format on
static_assert(disjoint(kTrapRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> trap_rows() { return kTrapRows; }

namespace {
// clang-format off
constexpr auto kPrivilegedRows = rows(
    // Each raises privileged_opcode (or illegal_instruction where the field is reserved) in user mode.
    row("done", "10 00000 111110 00000 0 0000000000000", kNoOperands, kSerial, "V9 A.11", kPrivileged, effect::kTraps),
    row("retry", "10 00001 111110 00000 0 0000000000000", kNoOperands, kSerial, "V9 A.11", kPrivileged, effect::kTraps),
    row("saved", "10 00000 110001 00000 0 0000000000000", kNoOperands, kSerial, "V9 A.47", kPrivileged, effect::kTraps),
    row("restored", "10 00001 110001 00000 0 0000000000000", kNoOperands, kSerial, "V9 A.47", kPrivileged, effect::kTraps),
    row("allclean", "10 00010 110001 00000 0 0000000000000", kNoOperands, kSerial, "OSA2011 ALLCLEAN", kPrivileged, effect::kTraps),
    row("otherw", "10 00011 110001 00000 0 0000000000000", kNoOperands, kSerial, "OSA2011 OTHERW", kPrivileged, effect::kTraps),
    row("normalw", "10 00100 110001 00000 0 0000000000000", kNoOperands, kSerial, "OSA2011 NORMALW", kPrivileged, effect::kTraps),
    row("invalw", "10 00101 110001 00000 0 0000000000000", kNoOperands, kSerial, "OSA2011 INVALW", kPrivileged, effect::kTraps),
    row("rdpr", "10 ddddd 101010 0nnnn 0 0000000000000", kReadPrivileged, kSerial, "V9 A.43", kPrivileged, effect::kTraps),
    row("rdpr", "10 ddddd 101010 10000 0 0000000000000", kReadPrivileged, kSerial, "OSA2011 RDPR", kPrivileged, effect::kTraps),
    row("rdpr", "10 ddddd 101010 11111 0 0000000000000", kReadPrivileged, kSerial, "V9 A.43", kPrivileged, effect::kTraps),
    pair<"10 0nnnn 110010 sssss", "--------">("wrpr", kWritePrivilegedR, kWritePrivilegedI, kSerial, "V9 A.62", kPrivileged, effect::kTraps),
    pair<"10 10000 110010 sssss", "--------">("wrpr", kWritePrivilegedR, kWritePrivilegedI, kSerial, "OSA2011 WRPR", kPrivileged, effect::kTraps),
    // Ancillary state registers of the supervisor: counters, soft interrupts, compare registers.
    row("rd", "10 ddddd 101000 1000n 0 0000000000000", kReadAsr, kSerial, "JPS1 A.44", kPrivileged, effect::kTraps),
    row("rd", "10 ddddd 101000 10010 0 0000000000000", kReadAsr, kSerial, "JPS1 A.44", kPrivileged, effect::kTraps),
    row("rd", "10 ddddd 101000 10110 0 0000000000000", kReadAsr, kSerial, "JPS1 A.44", kPrivileged, effect::kTraps),
    row("rd", "10 ddddd 101000 10111 0 0000000000000", kReadAsr, kSerial, "JPS1 A.44", kPrivileged, effect::kTraps),
    row("rd", "10 ddddd 101000 11001 0 0000000000000", kReadAsr, kSerial, "JPS1 A.44", kPrivileged, effect::kTraps),
    pair<"10 1000n 110000 sssss">("wr", kWriteAsrR, kWriteAsrI, kSerial, "JPS1 A.63", kPrivileged, effect::kTraps),
    pair<"10 10010 110000 sssss">("wr", kWriteAsrR, kWriteAsrI, kSerial, "JPS1 A.63", kPrivileged, effect::kTraps),
    pair<"10 101nn 110000 sssss">("wr", kWriteAsrR, kWriteAsrI, kSerial, "JPS1 A.63", kPrivileged, effect::kTraps),
    pair<"10 1100n 110000 sssss">("wr", kWriteAsrR, kWriteAsrI, kSerial, "JPS1 A.63", kPrivileged, effect::kTraps),
    row("sir", "10 01111 110000 00000 1 iiiiiiiiiiiii", kSir, kSerial, "V9 A.50", kPrivileged, effect::kTraps),
    row("shutdown", "10 00000 110110 00000 010000000 00000", kNoOperands, kSerial, "JPS1 A.54", kPrivileged, effect::kTraps)
);
// clang-format on
static_assert(disjoint(kPrivilegedRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> privileged_rows() { return kPrivilegedRows; }

namespace {
// clang-format off
constexpr Spec kIllegalRows[] = {
    row("illegal", "-------- -------- -------- --------", kNoOperands, kSerial, "V9 7.6.1", kIllegal, effect::kTraps | effect::kReserved),
};
// clang-format on
}  // namespace

std::span<const Spec> illegal_rows() { return kIllegalRows; }

}  // namespace psim::isa::table
