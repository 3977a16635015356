// SPDX-License-Identifier: Apache-2.0
// All statistics that results may have, without a run, for `psim statistics` and docs/statistics.md.
#pragma once

#include <string>
#include <vector>

#include "base/statistics/registry.h"

namespace psim {

/// Returns the statistics of a core with SIMD-PEs, its caches and memory, each with the value 0. Builds the
/// parts of a machine, so no simulation may run in this process.
std::vector<statistics::Reading> all_statistics();

/// Returns the text of docs/statistics.md.
std::string statistics_manual();

}  // namespace psim
