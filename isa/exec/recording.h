// SPDX-License-Identifier: Apache-2.0
// The actions of blocks that tell an ExecutionRecorder what they do.
#pragma once

#include "isa/exec/decoded.h"
#include "isa/exec/execution_recorder.h"

namespace psim::isa {

/// Before an instruction with an effective address: compares it, and whether it is in SBM, with what the site
/// expects. `order` is the number of instructions of the block before it.
Action address_recorder(const Decoded& d, AddressSite& site, unsigned order, bool simd);
/// After a jump: the same for Context::target.
Action target_recorder(AddressSite& site, unsigned order);
/// The site of an action that address_recorder() made; null for any other action.
AddressSite* recorded_site(const Action* action);

}  // namespace psim::isa
