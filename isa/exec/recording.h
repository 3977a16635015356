// SPDX-License-Identifier: Apache-2.0
// The actions of blocks that report to an ExecutionRecorder.
#pragma once

#include "isa/exec/execution_recorder.h"
#include "isa/state/decoded.h"

namespace psim::isa {

/// Returns the action before an instruction with an effective address. It compares the address, and whether
/// it is in SBM, with the site's prediction. `order` is the number of instructions of the block before it.
Action address_recorder(const Decoded& d, AddressSite& site, unsigned order, bool simd);
/// Returns the same for Context::target, after a jump.
Action target_recorder(AddressSite& site, unsigned order);
/// Returns the site of an action of address_recorder(); null for any other action.
AddressSite* recorded_site(const Action* action);

}  // namespace psim::isa
