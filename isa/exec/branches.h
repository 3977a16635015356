// SPDX-License-Identifier: Apache-2.0
// The actions that end a block, chosen when it is built: one small handler for each condition and each way
// the condition codes are known, so that nothing is decided at run time but the condition itself.
#pragma once

#include <cstdint>

#include "isa/exec/block.h"
#include "isa/exec/handler.h"

namespace psim::isa {

/// What a conditional branch looks at.
struct Condition {
  enum class Kind : std::uint8_t {
    Icc,  ///< icc or xcc, whatever set them
    Add,  ///< icc or xcc of the lazy sum, difference, result that CpuState::cc_a and cc_b hold
    Sub,
    Logic,
    Compare,      ///< r[rs1] with r[rs2] or imm, 32 or 64 bits, also setting the lazy condition codes
    CompareOnly,  ///< the same without setting them: cwb, cxb
    Fcc,          ///< imm: the mask of fcc_mask(); rs2: the number of the fcc
    Register,     ///< r[rs1] by a register condition
    Taken,        ///< Context::taken
  };
  Kind kind = Kind::Icc;
  unsigned cond = 0;       ///< or rcond
  bool wide = false;       ///< xcc, 64 bits
  bool immediate = false;  ///< Compare, CompareOnly
};

/// A branch whose two successors follow at once, its delay slot executed before it. Action::rs3 is what has
/// retired then. The Exits follow the action.
Handler branch_handler(const Condition& condition);
/// The same, told to the recorder.
Handler recording_branch_handler(const Condition& condition);
/// A conditional branch with the annul bit: not taken, it leaves by exit 0 with rs3 retired; taken, it goes
/// on after Exits and stubs, where the delay slot is.
Handler annulling_branch_handler(const Condition& condition);
/// The same by Context::taken, of which only "not taken" is told here, and "taken" by the
/// recording_go_handler after the delay slot, which may be in trouble first.
PSIM_HANDLER(recording_annulling_branch_handler);
PSIM_HANDLER(recording_go_handler);
/// Puts the decision into Context::taken, for a delay slot that would change it.
Handler decide_handler(const Condition& condition);

/// Leaves by exit rd of the Exits that imm points to, with rs3 retired.
PSIM_HANDLER(go_handler);
/// Leaves to Context::target, with rs3 retired; a block of one state to one of the same.
Handler go_indirect_handler(bool simd);
/// call: r15 = imm, the pc; target.
PSIM_HANDLER(link_handler);
/// jmpl: target = r[rs1] + r[rs2] or rs3's immediate in the word; rd = imm, the pc.
Handler jump_handler(bool immediate);
/// return: target, and the previous window.
Handler return_handler(bool immediate);
/// Tcc: done alone when the condition holds.
PSIM_HANDLER(software_trap_handler);
/// Always done alone.
PSIM_HANDLER(alone_handler);

}  // namespace psim::isa
