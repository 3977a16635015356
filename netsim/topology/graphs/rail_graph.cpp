// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graphs/rail_graph.h"

#include "base/error.h"
#include "netsim/topology/graphs/graph_builder.h"

namespace psim::net {
namespace {

/// Returns the routers of a plain network as switches.
std::vector<RailGraph::Switch> switches_of(const Graph& plain) {
  std::vector<RailGraph::Switch> all(plain.routers());
  for (std::uint32_t router = 0; router < plain.routers(); ++router)
    all[router] = {.plain = router, .links = plain.ports(router)};
  for (std::uint32_t node = plain.nodes(); node-- != 0;) {
    RailGraph::Switch& at = all[plain.node_router[node]];
    at.first_node = node;
    at.links -= plain.node_ports;
    at.ends += plain.node_ports;
  }
  return all;
}

/// Appends a switch to the last router.
void append(RailGraph& network, RailGraph::Switch one) {
  const bool fresh = network.switches.size() == network.first_switch.back();
  one.first = fresh ? 0 : network.switches.back().first + network.switches.back().links;
  network.switches.push_back(one);
}

}  // namespace

RailGraph RailGraph::planes(const Graph& plain, std::uint32_t rails) {
  RailGraph network{.rails = rails, .copies = true};
  for (const Switch& each : switches_of(plain)) {
    network.first_switch.push_back(static_cast<std::uint32_t>(network.switches.size()));
    for (std::uint32_t plane = 0; plane < rails; ++plane) append(network, each);
  }
  network.first_switch.push_back(static_cast<std::uint32_t>(network.switches.size()));
  return network;
}

RailGraph RailGraph::spread(const Graph& plain, std::uint32_t rails) {
  const std::vector<Switch> all = switches_of(plain);
  // By router here: its first switch, after which further ones with nodes are its own until it has `rails`.
  std::vector<std::vector<std::uint32_t>> routers;
  std::size_t joined = 0;
  std::uint32_t with_nodes = 0;
  for (std::uint32_t router = 0; router < plain.routers(); ++router) {
    if (all[router].ends == 0 || with_nodes++ % rails == 0) {
      if (all[router].ends != 0) joined = routers.size();
      routers.push_back({router});
      continue;
    }
    const std::uint32_t before = routers[joined].back();
    if (all[before].ends != all[router].ends)
      throw UserError("nic.rails = \"spread\": routers " + std::to_string(before) + " and " +
                      std::to_string(router) + " have " + std::to_string(all[before].ends / rails) + " and " +
                      std::to_string(all[router].ends / rails) + " nodes; expected the same number");
    routers[joined].push_back(router);
  }
  if (with_nodes % rails != 0)
    throw UserError("nic.rails = \"spread\": " + std::to_string(with_nodes) +
                    " routers with nodes; expected a multiple of nic.ports = " + std::to_string(rails));
  RailGraph network{.rails = rails};
  network.places.resize(plain.routers());
  for (const std::vector<std::uint32_t>& members : routers) {
    network.first_switch.push_back(static_cast<std::uint32_t>(network.switches.size()));
    for (const std::uint32_t router : members) {
      network.places[router] = {network.routers(), static_cast<std::uint32_t>(network.switches.size()) -
                                                       network.first_switch.back()};
      append(network, all[router]);
    }
  }
  network.first_switch.push_back(static_cast<std::uint32_t>(network.switches.size()));
  return network;
}

Graph RailGraph::graph(const Graph& plain) const {
  std::vector<std::uint32_t> link_ports, nodes;
  for (std::uint32_t router = 0; router < routers(); ++router) {
    link_ports.push_back(links(router));
    nodes.push_back(switches[first_switch[router]].ends);
  }
  GraphBuilder builder(link_ports, nodes, rails);
  for (std::uint32_t plane = 0; plane < (copies ? rails : 1); ++plane)
    for (const ChannelKind& kind : plain.kinds)
      builder.kind(copies ? kind.name + " plane " + std::to_string(plane + 1) : kind.name);
  Graph graph = builder.take();
  if (graph.kinds.size() > 256)
    throw UserError("nic.rails = \"planes\": " + std::to_string(graph.kinds.size()) +
                    " kinds of links; expected at most 256");
  for (std::uint32_t router = 0; router < routers(); ++router)
    for (std::uint32_t number = 0; number < first_switch[router + 1] - first_switch[router]; ++number) {
      const Switch& from = at({router, number});
      for (std::uint32_t port = 0; port < from.links; ++port) {
        Channel channel = plain.channel(from.plain, port);
        if (channel.to_router == Channel::kNowhere) continue;
        const Place to = place(channel.to_router, number);
        channel.to_router = to.router;
        channel.to_port = static_cast<std::uint16_t>(at(to).first + channel.to_port);
        if (copies) channel.kind = static_cast<std::uint8_t>(channel.kind + number * plain.kinds.size());
        graph.channels[graph.first_port[router] + from.first + port] = channel;
      }
    }
  return graph;
}

}  // namespace psim::net
