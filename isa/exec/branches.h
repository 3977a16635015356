// SPDX-License-Identifier: Apache-2.0
// The actions that end a block, chosen when it is built. There is one small handler for each condition and
// each known form of the condition codes, so that only the condition itself is decided at run time.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/exec/block.h"
#include "isa/state/decoded.h"
#include "isa/state/handler.h"

namespace psim::isa {

/// The condition that a conditional branch tests.
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

/// Returns the condition of a conditional branch. `cc`: the form of the condition codes, if it is known.
Condition condition_of(const Decoded& branch, const std::optional<CcKind>& cc = std::nullopt);
/// Returns an action with the operands of the condition, and no handler.
Action condition_operands(const Decoded& branch);

/// The meaning of the handler of a branch, for the translator to host code.
struct BranchMeaning {
  enum class Role : std::uint8_t { Branch, WarmingBranch, Annulling, WarmingAnnulling, Decide };
  Role role;
  Condition condition;
};
/// Returns the meaning of a handler of a branch or of decide_handler(), unless it reports to a recorder; null
/// for all others.
const BranchMeaning* branch_meaning(Handler handler);

/// Returns the handler of a branch whose two successors follow at once and whose delay slot runs before it.
/// Action::rs3 is the number of instructions retired by then. The Exits follow the action.
Handler branch_handler(const Condition& condition);
/// Returns the handler that also reports to the recorder.
Handler recording_branch_handler(const Condition& condition);
/// Returns the handler that also updates the branch history of the warmer; Action::word is the number of the
/// site.
Handler warming_branch_handler(const Condition& condition);
/// Returns the handler of a conditional branch with the annul bit. Not taken, it leaves by exit 0 with rs3
/// retired; taken, it continues with the delay slot after Exits and stubs.
Handler annulling_branch_handler(const Condition& condition);
/// Does the same by Context::taken. It reports only "not taken"; the recording_go_handler after the delay
/// slot, which may fault first, reports "taken".
PSIM_HANDLER(recording_annulling_branch_handler);
PSIM_HANDLER(recording_go_handler);
/// Does the same for the warmer. "Taken" is reported by warming_always(), after the delay slot.
PSIM_HANDLER(warming_annulling_branch_handler);
/// Returns the handler that puts the decision into Context::taken, for a delay slot that would change the
/// condition.
Handler decide_handler(const Condition& condition);

/// Leaves by exit rd of the Exits that imm points to, with rs3 retired.
PSIM_HANDLER(go_handler);
/// Returns the handler that leaves to Context::target, with rs3 retired, for blocks of one state.
Handler go_indirect_handler(bool simd);
/// call: r15 = imm, the pc; target.
PSIM_HANDLER(link_handler);
/// Returns the handler of jmpl: target = r[rs1] + r[rs2] or rs3's immediate in the word; rd = imm, the pc.
Handler jump_handler(bool immediate);
/// Returns the handler of return: sets the target, and restores the previous window.
Handler return_handler(bool immediate);
/// Always leaves the block so that the instruction runs alone.
PSIM_HANDLER(alone_handler);

}  // namespace psim::isa
