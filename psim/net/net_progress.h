// SPDX-License-Identifier: Apache-2.0
// How far a run on a network is, as lines for base/progress.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ranks/job/rank_load.h"

namespace psim {

/// Returns "12 s, time left unknown: 0.45 ms simulated, 17 of 1024 ranks ended, 35.2 M packet-hops, 2.31
/// M/s": nobody knows what a program still has to do. `done`: of a replay, the share of operations that were
/// begun; else 0.
std::string program_line(double elapsed, const net::Standing& standing, std::uint32_t ranks, double done);

/// Returns "12 s, 35 s left: point 3 of 9, load 0.3". `done` is the share of this point that has been
/// simulated. The time of a point is taken to grow with its load.
std::string traffic_line(double elapsed, const std::vector<double>& loads, std::size_t point, double done);

/// Returns "12 s, at most 20 s left: search step 3 of 8, load 0.75". `step` counts from 0; the first of the
/// `steps` can be the last.
std::string saturation_line(double elapsed, double load, std::size_t step, std::size_t steps, double done);

}  // namespace psim
