// SPDX-License-Identifier: Apache-2.0
// How far several simulations at a time are, as a line for base/progress.h.
#pragma once

#include <string>
#include <vector>

#include "base/process_pool.h"

namespace psim {

/// Returns "12 s, 1 min 0 s left: 3 of 18 simulations  paper/dgemm simd 256: 1.5 M cycles". `labels` of the
/// tasks, in order. The estimate takes all simulations for equally long.
std::string progress_line(double seconds, const std::vector<std::string>& labels,
                          const std::vector<TaskView>& views);

}  // namespace psim
