// SPDX-License-Identifier: Apache-2.0
// The progress of several concurrent simulations, as a line for base/progress.h.
#pragma once

#include <string>
#include <vector>

#include "base/process_pool.h"

namespace psim {

/// Returns "12 s, 1 min 0 s left: 3 of 18 simulations  paper/dgemm simd 256". `labels` are
/// those of the tasks, in order. The estimate assumes that all simulations take the same time.
std::string progress_line(double seconds, const std::vector<std::string>& labels,
                          const std::vector<TaskView>& views);

/// Does all tasks as do_all() does, and shows that line on a terminal unless `quiet`.
std::vector<std::string> do_all_shown(const std::vector<Task>& tasks, const std::vector<std::string>& labels,
                                      unsigned jobs, bool quiet);

}  // namespace psim
