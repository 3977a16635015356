// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/up_down_graph.h"

#include <algorithm>

namespace psim::net {

UpDownGraph::UpDownGraph(const Graph& graph, std::uint32_t virtual_channels)
    : routers_(graph.routers()),
      sets_(virtual_channels, 1),
      links_(link_ports(graph)),
      addresses_(port_addresses(graph)),
      first_port_(graph.first_port),
      down_(graph.channels.size()),
      node_ports_(graph.node_ports) {
  const auto root = std::max_element(links_.begin(), links_.end()) - links_.begin();
  const std::vector<std::uint32_t> level = distances(graph, static_cast<std::uint32_t>(root));
  for (std::uint32_t router = 0; router < routers_; ++router)
    for (std::uint32_t port = 0; port < links_[router]; ++port) {
      const std::uint32_t next = graph.channel(router, port).to_router;
      down_[first_port_[router] + port] =
          level[next] != level[router] ? level[next] > level[router] : next > router;
    }
  for (auto& next : next_) next.resize(std::size_t{routers_} * routers_);
  for (std::uint32_t to = 0; to < routers_; ++to) lay_routes_to(graph, to);
}

void UpDownGraph::lay_routes_to(const Graph& graph, std::uint32_t to) {
  // Breadth-first search back from the destination over pairs (router, packet has gone down).
  std::vector<std::uint32_t> distance[2]{std::vector(routers_, kNoRoute), std::vector(routers_, kNoRoute)};
  std::vector<std::pair<std::uint32_t, bool>> queue{{to, false}, {to, true}};
  distance[0][to] = distance[1][to] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto [router, gone_down] = queue[i];
    for (std::uint32_t port = 0; port < links_[router]; ++port) {
      if (arrived_downwards(router, static_cast<std::uint16_t>(port)) != gone_down) continue;
      const std::uint32_t before = graph.channel(router, port).to_router;
      for (const bool was_down : {false, true}) {
        if ((was_down && !gone_down) || distance[was_down][before] != kNoRoute) continue;
        distance[was_down][before] = distance[gone_down][router] + 1;
        queue.emplace_back(before, was_down);
      }
    }
  }
  for (std::uint32_t from = 0; from < routers_; ++from)
    for (const bool gone_down : {false, true}) {
      BestPort best(from, to);
      for (std::uint32_t port = 0; port < links_[from]; ++port) {
        const bool down = down_[first_port_[from] + port];
        if (!gone_down || down) best.offer(port, distance[down][graph.channel(from, port).to_router]);
      }
      next_[gone_down][std::size_t{from} * routers_ + to] = best.port();
    }
}

Route UpDownGraph::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                         const LocalLoad&) const {
  const std::uint32_t here = index(router), to = packet.address >> 16;
  if (here == to) return eject_by_address(packet, node_ports_);
  const bool injected = in_port >= links_[here];
  const bool gone_down = !injected && arrived_downwards(here, in_port);
  return {next_[gone_down][std::size_t{here} * routers_ + to],
          injected ? sets_.choose(flow_bits(packet)) : in_vc};
}

void UpDownGraph::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                               const std::function<void(Route, bool)>& sink) const {
  const std::uint32_t here = index(router);
  const bool injected = in_port >= links_[here];
  const bool gone_down = !injected && arrived_downwards(here, in_port);
  for (std::uint16_t port = 0; port < links_[here]; ++port) {
    if (gone_down && !down_[first_port_[here] + port]) continue;
    if (!injected) sink({port, in_vc}, true);
    for (std::uint32_t set = 0; injected && set < sets_.sets(); ++set)
      sink({port, static_cast<std::uint8_t>(set)}, true);
  }
}

}  // namespace psim::net
