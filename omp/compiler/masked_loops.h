// SPDX-License-Identifier: Apache-2.0
// Inner loops that end by data of a PE (`while`, `break`). All PEs execute such a loop until the last of them
// is done.
#ifndef PSIM_OMP_COMPILER_MASKED_LOOPS_H
#define PSIM_OMP_COMPILER_MASKED_LOOPS_H

#include <functional>

#include "target_loop.h"

namespace psim_omp {

/// True for a branch that each PE takes by data of its own.
using Decides = std::function<bool(gimple*)>;

/// True if a loop inside of the shared one ends by data.
bool ends_by_data(loop_p shared, const Decides& decides);

/// True if all loops that end by data can be masked. Closed SSA form is needed.
bool can_mask_loops(loop_p shared, const Decides& decides);

/// Makes these loops go on until no PE is active. Values that code behind a loop uses are those of each PE's
/// own end.
void mask_loops(loop_p shared, const Decides& decides);

}  // namespace psim_omp

#endif
