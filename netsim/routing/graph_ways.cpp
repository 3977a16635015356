// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/graph_ways.h"

namespace psim::net {

std::vector<std::uint32_t> distances(const Graph& graph, std::uint32_t place) {
  std::vector<std::uint32_t> distance(graph.places(), kNoWay), queue{place};
  distance[place] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (std::uint32_t port = 0; port < graph.ports(queue[i]); ++port) {
      const std::uint32_t next = graph.channel(queue[i], port).to_place;
      if (next == Channel::kNowhere || distance[next] != kNoWay) continue;
      distance[next] = distance[queue[i]] + 1;
      queue.push_back(next);
    }
  return distance;
}

std::vector<std::uint16_t> link_ports(const Graph& graph) {
  std::vector<std::uint16_t> links(graph.places());
  for (std::uint32_t place = 0; place < graph.places(); ++place)
    links[place] = static_cast<std::uint16_t>(graph.ports(place));
  for (const std::uint32_t place : graph.node_place)
    links[place] = static_cast<std::uint16_t>(links[place] - graph.node_ports);
  return links;
}

std::vector<std::uint32_t> port_addresses(const Graph& graph) {
  std::vector<std::uint32_t> addresses(graph.nodes());
  for (std::uint32_t node = 0; node < graph.nodes(); ++node)
    addresses[node] = graph.node_place[node] << 16 | graph.node_port[node];
  return addresses;
}

}  // namespace psim::net
