// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/graph_routes.h"

namespace psim::net {

std::vector<std::uint32_t> distances(const Graph& graph, std::uint32_t router) {
  std::vector<std::uint32_t> distance(graph.routers(), kNoRoute), queue{router};
  distance[router] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (std::uint32_t port = 0; port < graph.ports(queue[i]); ++port) {
      const std::uint32_t next = graph.channel(queue[i], port).to_router;
      if (next == Channel::kNowhere || distance[next] != kNoRoute) continue;
      distance[next] = distance[queue[i]] + 1;
      queue.push_back(next);
    }
  return distance;
}

std::vector<std::uint16_t> link_ports(const Graph& graph) {
  std::vector<std::uint16_t> links(graph.routers());
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    links[router] = static_cast<std::uint16_t>(graph.ports(router));
  for (const std::uint32_t router : graph.node_router)
    links[router] = static_cast<std::uint16_t>(links[router] - graph.node_ports);
  return links;
}

std::vector<std::uint32_t> port_addresses(const Graph& graph) {
  std::vector<std::uint32_t> addresses(graph.nodes());
  for (std::uint32_t node = 0; node < graph.nodes(); ++node)
    addresses[node] = graph.node_router[node] << 16 | graph.node_port[node];
  return addresses;
}

}  // namespace psim::net
