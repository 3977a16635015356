// SPDX-License-Identifier: Apache-2.0
// The actions of blocks that keep a timing model warm (isa/state/execution_warmer.h).
#pragma once

#include "isa/exec/branches.h"
#include "isa/state/decoded.h"
#include "isa/state/execution_warmer.h"

namespace psim::isa {

/// Returns the action before a memory access, a prefetch among them.
Action warming_access(const Decoded& d, const StaticInstruction& instruction, bool simd);
/// Returns the action before the first instruction of a block in the line of `pc`.
Action warming_fetch(std::uint64_t pc);
/// Returns the action after a branch that is always taken, and its delay slot. `site`: as from
/// ExecutionWarmer::site().
Action warming_always(std::uint32_t site);
/// Returns the action after a call or an indirect jump at `pc`, and its delay slot, when Context::target is
/// set.
Action warming_jump(std::uint64_t pc, BranchKind kind);

}  // namespace psim::isa
