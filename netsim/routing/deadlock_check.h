// SPDX-License-Identifier: Apache-2.0
// The check that packets cannot wait for each other in a circle; run on every network before its use.
//
// The resources are the buffers of virtual channels between routers. A whole packet lies in one and waits for
// another (virtual cut-through). Deterministic schemes are free of deadlock if these waits, for any
// destination, form no circle (Dally and Seitz, 1987). Adaptive schemes are free of deadlock if every packet
// may always take a channel of an escape set, and the waits between escape channels form no circle. In
// virtual cut-through a waiting packet holds one buffer only, so no waits pass through adaptive channels
// (Duato, 1996). The fabric must then call route() again whenever it considers a waiting packet. Under bubble
// flow control a ring never fills: packets may wait for each other around it, but no circle may contain a
// wait to enter a ring (Route::enters).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

/// A virtual channel of the channel that leaves `router` by `port`.
struct ChannelVc {
  std::uint32_t router = 0;
  std::uint16_t port = 0;
  std::uint8_t vc = 0;
  bool operator==(const ChannelVc&) const = default;
};

using RouterName = std::function<std::string(std::uint32_t router)>;

/// Throws UserError with a circle if there is one, or with an adaptive channel that offers no escape. The
/// error names router.virtual_channels if the scheme needs more of them, else topology.routing = `name`.
void check_deadlock(const Graph& graph, const Routing& routing, const std::string& name,
                    std::uint32_t virtual_channels, const RouterName& router_name);

/// Returns channels that each wait for the next, and the last for the first; empty if there is no circle.
/// Memory: a byte for each virtual channel of the graph, and 16 for each one of the longest chain of waits.
std::vector<ChannelVc> find_circle(const Graph& graph, const Routing& routing,
                                   std::uint32_t virtual_channels);
/// Returns an adaptive channel whose packets have no escape channel; empty if there is none.
std::optional<ChannelVc> find_trap(const Graph& graph, const Routing& routing,
                                   std::uint32_t virtual_channels);

/// Returns "(3,1,0)+X vc0".
std::string channel_name(const Graph& graph, const ChannelVc& channel, const RouterName& router_name);

}  // namespace psim::net
