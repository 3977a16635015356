// SPDX-License-Identifier: Apache-2.0
// The progress of a run on a network, as lines for base/progress.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ranks/job/rank_load.h"

namespace psim {

/// Returns "12 s, time left unknown: 0.45 ms simulated, 17 of 1024 ranks ended, 35.2 M packet-hops, 2.31
/// M/s". The remaining time of a program is unknown. For a replay, `done` is the share of the operations that
/// have begun; otherwise 0.
std::string program_line(double elapsed, const net::Standing& standing, std::uint32_t ranks, double done);

/// Returns "12 s, 35 s left: point 3 of 9, load 0.3". `done` is the share of this point that has been
/// simulated. The time of a point is assumed to grow with its load.
std::string traffic_line(double elapsed, const std::vector<double>& loads, std::size_t point, double done);

/// Returns "12 s, at most 20 s left: search step 3 of 8, load 0.75". `step` counts from 0. The search can end
/// after the first of the `steps`.
std::string saturation_line(double elapsed, double load, std::size_t step, std::size_t steps, double done);

}  // namespace psim
