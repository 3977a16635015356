// SPDX-License-Identifier: Apache-2.0
// The deadlock check for bubble flow control. A ring is a set of virtual channels in which packets wait for
// each other without entering again. It never fills: one of its packets can always move. So each ring counts
// as one resource, and the waits to enter one ring from another must not form a circle.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/routing/deadlock_check.h"

namespace psim::net {

/// Returns one channel of each ring of a circle in which each ring waits for the next and the last for the
/// first; empty if there is none. Memory: some 40 bytes for each virtual channel of the graph.
std::vector<ChannelVc> find_circle_of_rings(const Graph& graph, const Routing& routing,
                                            std::uint32_t virtual_channels);

}  // namespace psim::net
