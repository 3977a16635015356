// SPDX-License-Identifier: Apache-2.0
// The actions of blocks that keep a timing model warm (isa/state/execution_warmer.h).
#pragma once

#include <array>
#include <optional>

#include "isa/exec/branches.h"
#include "isa/state/decoded.h"
#include "isa/state/execution_warmer.h"

namespace psim::isa {

/// The meaning of an action of warming, for the translator to host code.
struct WarmingMeaning {
  enum class Kind : std::uint8_t { Access, Fetch, Always, Accesses, Operations };
  Kind kind;
  bool by_register = false;  ///< Access: the address is r[rs1] + r[rs2]; otherwise r[rs1] + rd
  bool write = false;        ///< Access
};
/// Returns it for actions of warming_fetch(), warming_always(), warming_counts(), and warming_access() if
/// they cannot go to SBM.
std::optional<WarmingMeaning> warming_meaning(const Action& action);
/// Returns the action that updates the history for a branch, taken or not as in Context::taken.
Action warming_decided(std::uint32_t site);

/// Returns the actions that add their imm to ExecutionWarmer::Counts::accesses and operations.
std::array<Action, 2> warming_counts();
/// Returns the action before a memory access, a prefetch among them.
Action warming_access(const Decoded& d, const StaticInstruction& instruction, bool simd);
/// Returns the action before the first instruction of a block in the line of `pc`.
Action warming_fetch(std::uint64_t pc);
/// Returns the action after a branch that is always taken, and its delay slot. `site`: as from
/// ExecutionWarmer::add_site().
Action warming_always(std::uint32_t site);
/// Returns the action after a call, a return or an indirect jump, and its delay slot, when Context::target is
/// set. `site`: likewise.
Action warming_jump(std::uint32_t site);

}  // namespace psim::isa
