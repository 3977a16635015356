// SPDX-License-Identifier: Apache-2.0
// The deadlock check for bubble flow control. A ring, virtual channels in which packets wait for each other
// without entering anew, never fills: one of its packets can always move. So rings count as one resource
// each, and what must not close a circle are the waits to enter one from another.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/routing/deadlock_check.h"

namespace psim::net {

/// One channel of each ring of such a circle, each ring waiting for the next and the last for the first;
/// empty if there is none. Memory: some 40 bytes for each virtual channel of the graph.
std::vector<ChannelVc> find_circle_of_rings(const Graph& graph, const Routing& routing,
                                            std::uint32_t virtual_channels);

}  // namespace psim::net
