// SPDX-License-Identifier: Apache-2.0
#include "isa/state/block_windows.h"

#include "isa/state/execution_warmer.h"
#include "isa/state/windows.h"

namespace psim::isa {

bool spill_in_block(Context& c) {
  if (c.recorder != nullptr) return false;
  const WindowTrap trap = spill_plainly(c, *c.memory);
  if (trap.done && c.warmer != nullptr) c.warmer->window_trap(trap.address, kWindowBytes, true);
  return trap.done;
}

bool fill_in_block(Context& c) {
  if (c.recorder != nullptr) return false;
  const WindowTrap trap = fill_previous(c, *c.memory);
  if (trap.done && c.warmer != nullptr) c.warmer->window_trap(trap.address, kWindowBytes, false);
  return trap.done;
}

}  // namespace psim::isa
