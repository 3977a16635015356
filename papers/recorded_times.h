// SPDX-License-Identifier: Apache-2.0
// Recordings of `psim net --record-compute`: the processor times of ranks between their calls and marks. A
// loaded host lengthens some of them, so that the least of several recordings is nearer to an idle host.
#pragma once

#include <string>
#include <vector>

namespace psim::reproduce {

/// Returns a recording with the least of each time. Throws std::runtime_error if there is no recording, or if
/// they are not of the same program: other ranks, or another number of times on a rank.
std::string least_times(const std::vector<std::string>& recordings);

}  // namespace psim::reproduce
