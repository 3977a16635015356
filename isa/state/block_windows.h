// SPDX-License-Identifier: Apache-2.0
// Spills and fills within a block, where no single step leaves records of them.
#pragma once

#include "isa/state/context.h"

namespace psim::isa {

/// Do spill_plainly() and fill_previous(), and warm the save area. Return false, without effect, if a single
/// step must do it.
[[gnu::noinline]] bool spill_in_block(Context& c);
[[gnu::noinline]] bool fill_in_block(Context& c);

}  // namespace psim::isa
