// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/table_routing.h"

#include <algorithm>

#include "netsim/routing/graph_routes.h"

namespace psim::net {

PortTable shortest_routes(const Graph& graph) {
  const std::uint32_t routers = graph.routers();
  PortTable table;
  table.next.resize(std::size_t{routers} * routers);
  for (std::uint32_t to = 0; to < routers; ++to) {
    const std::vector<std::uint32_t> distance = distances(graph, to);
    for (std::uint32_t from = 0; from < routers; ++from) {
      table.longest = std::max(table.longest, distance[from]);
      BestPort best(from, to);
      for (std::uint32_t port = 0; port < graph.ports(from); ++port) {
        const std::uint32_t next = graph.channel(from, port).to_router;
        if (next != Channel::kNowhere) best.offer(port, distance[next]);
      }
      table.next[std::size_t{from} * routers + to] = best.port();
    }
  }
  return table;
}

TableRouting::TableRouting(const Graph& graph, PortTable table, bool hop_channels,
                           std::uint32_t virtual_channels)
    : routers_(graph.routers()),
      hop_channels_(hop_channels),
      sets_(virtual_channels, hop_channels ? std::max(table.longest, 1u) : 1),
      next_(std::move(table.next)),
      links_(link_ports(graph)),
      addresses_(port_addresses(graph)),
      first_port_(graph.first_port),
      onward_(graph.channels.size()),
      node_ports_(graph.node_ports) {
  for (std::uint32_t router = 0; router < routers_; ++router)
    for (std::uint32_t to = 0; to < routers_; ++to) {
      if (router == to) continue;
      const Channel& out = graph.channel(router, next_[std::size_t{router} * routers_ + to]);
      if (out.to_router == to) continue;
      auto& onward = onward_[first_port_[out.to_router] + out.to_port];
      const std::uint16_t port = next_[std::size_t{out.to_router} * routers_ + to];
      if (std::find(onward.begin(), onward.end(), port) == onward.end()) onward.push_back(port);
    }
}

Route TableRouting::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                          const LocalLoad&) const {
  const std::uint32_t here = index(router), to = packet.address >> 16;
  if (here == to) return eject_by_address(packet, node_ports_);
  const std::uint16_t port = next_[std::size_t{here} * routers_ + to];
  if (in_port >= links_[here]) return {port, sets_.choose(flow_bits(packet))};
  return {port, static_cast<std::uint8_t>(hop_channels_ ? in_vc + 1 : in_vc)};
}

void TableRouting::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                                const std::function<void(Route, bool)>& sink) const {
  const std::uint32_t here = index(router);
  if (in_port >= links_[here]) {
    for (std::uint16_t port = 0; port < links_[here]; ++port)
      for (std::uint32_t set = 0; set < sets_.sets(); ++set)
        sink({port, static_cast<std::uint8_t>(set * sets_.needed())}, true);
    return;
  }
  const std::uint32_t vc = hop_channels_ ? in_vc + 1u : in_vc;
  if (vc >= sets_.first(in_vc) + sets_.needed()) return;
  for (const std::uint16_t port : onward_[first_port_[here] + in_port])
    sink({port, static_cast<std::uint8_t>(vc)}, true);
}

}  // namespace psim::net
