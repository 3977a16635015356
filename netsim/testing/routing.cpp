// SPDX-License-Identifier: Apache-2.0
#include "netsim/testing/routing.h"

#include "netsim/routing/graph_routes.h"

namespace psim::net::testing {
namespace {

/// Returns 64 random bits for each packet, as the fabric does.
std::uint64_t random_of(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u + 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

bool allowed(const Routing& routing, std::uint32_t router, std::uint16_t port, std::uint8_t vc, Route route) {
  bool found = false;
  routing.dependencies(RouterId{router}, port, vc, [&](Route each, bool) { found |= each == route; });
  return found;
}

}  // namespace

NetworkConfig config(const std::string& kind, const std::string& shape, const std::string& routing,
                     std::uint32_t virtual_channels) {
  NetworkConfig config;
  config.topology = {kind, shape, routing};
  config.router.virtual_channels = virtual_channels;
  return config;
}

Walk walk(const Network& network, std::uint32_t from, std::uint32_t to, std::uint32_t message,
          const LocalLoad& load) {
  const Graph& graph = network.graph;
  Packet packet;
  packet.source = from;
  packet.message = message | network.routing->rail(NodeId{to}) << Packet::kMessageBits;
  packet.bytes = 64;
  packet.address = network.routing->address(NodeId{to});
  std::uint32_t router = graph.node_router[from];
  std::uint16_t port = graph.node_port[from];
  std::uint8_t vc = 0;
  network.routing->inject(packet, RouterId{router}, port, load,
                          random_of(std::uint64_t{from} << 40 ^ std::uint64_t{to} << 20 ^ message));
  Walk walk;
  const auto fail = [&](const std::string& why) {
    walk.problem = std::to_string(from) + " to " + std::to_string(to) + " at " + network.router_name(router) +
                   " in port " + std::to_string(port) + " vc " + std::to_string(vc) + ": " + why;
    return walk;
  };
  for (;;) {
    const Route route = network.routing->route(RouterId{router}, port, vc, packet, load);
    if (route.port >= graph.ports(router)) return fail("no port " + std::to_string(route.port));
    const Channel& link = graph.channel(router, route.port);
    if (link.to_router == Channel::kNowhere) {
      const std::uint32_t first = graph.node_port[to];
      const bool right =
          router == graph.node_router[to] && route.port >= first && route.port < first + graph.node_ports;
      return right ? walk : fail("left by port " + std::to_string(route.port));
    }
    if (!allowed(*network.routing, router, port, vc, route))
      return fail("port " + std::to_string(route.port) + " vc " + std::to_string(route.vc) +
                  " is no dependency");
    walk.kinds.push_back(link.kind);
    router = link.to_router;
    port = link.to_port;
    vc = route.vc;
    if (++walk.hops > graph.routers() + 16) return fail("goes round");
  }
}

std::string walk_all(const Network& network, bool minimal, std::uint32_t messages) {
  const Graph& graph = network.graph;
  for (std::uint32_t from = 0; from < graph.nodes(); ++from) {
    const std::vector<std::uint32_t> distance = distances(graph, graph.node_router[from]);
    for (std::uint32_t to = 0; to < graph.nodes(); ++to)
      for (std::uint32_t message = 0; message < messages; ++message) {
        const Walk walked = walk(network, from, to, message);
        if (!walked.problem.empty()) return walked.problem;
        const std::uint32_t least = distance[graph.node_router[to]];
        if (minimal && walked.hops != least)
          return std::to_string(from) + " to " + std::to_string(to) + ": " + std::to_string(walked.hops) +
                 " hops, the shortest route has " + std::to_string(least);
      }
  }
  return {};
}

std::string check_graph(const Graph& graph) {
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port) {
      const Channel& link = graph.channel(router, port);
      if (link.to_router == Channel::kNowhere) continue;
      const std::string name = std::to_string(router) + " port " + std::to_string(port);
      if (link.to_router >= graph.routers() || link.to_port >= graph.ports(link.to_router))
        return name + " leads out of the graph";
      const Channel& back = graph.channel(link.to_router, link.to_port);
      if (back.to_router != router || back.to_port != port) return name + " has no way back";
      if (link.kind >= graph.kinds.size()) return name + " is of no kind";
    }
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    if (node != 0 && graph.node_router[node] < graph.node_router[node - 1]) return "nodes out of order";
    for (std::uint32_t i = 0; i < graph.node_ports; ++i) {
      const std::uint32_t port = graph.node_port[node] + i;
      if (port >= graph.ports(graph.node_router[node]) ||
          graph.channel(graph.node_router[node], port).to_router != Channel::kNowhere)
        return "node " + std::to_string(node) + " has no port of its own";
    }
  }
  return {};
}

}  // namespace psim::net::testing
