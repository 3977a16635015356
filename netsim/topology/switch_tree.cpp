// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/switch_tree.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace psim::net {
namespace {

constexpr std::uint32_t kFar = ~std::uint32_t{0};

/// Shortest routes from a router to all others.
struct TreeRoutes {
  std::vector<std::uint32_t> hops;  ///< by router
  std::vector<Picoseconds> cables;  ///< on the route
};

TreeRoutes routes_from(std::uint32_t root, const LinkConfig& link, const Graph& graph) {
  TreeRoutes routes{.hops = std::vector(graph.routers(), kFar),
                    .cables = std::vector(graph.routers(), Picoseconds{0})};
  std::vector<std::uint32_t> order{root};
  routes.hops[root] = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::uint32_t port = 0; port < graph.ports(order[i]); ++port) {
      const Channel& channel = graph.channel(order[i], port);
      const std::uint32_t next = channel.to_router;
      if (next == Channel::kNowhere || routes.hops[next] != kFar) continue;
      routes.hops[next] = routes.hops[order[i]] + 1;
      routes.cables[next] = routes.cables[order[i]] + link_of(link, channel.cable).delay;
      order.push_back(next);
    }
  return routes;
}

/// Returns the first of the routers with nodes that are farthest.
std::uint32_t farthest(const TreeRoutes& routes, const Graph& graph) {
  return *std::max_element(
      graph.node_router.begin(), graph.node_router.end(),
      [&](std::uint32_t one, std::uint32_t other) { return routes.hops[one] < routes.hops[other]; });
}

}  // namespace

SwitchTree switch_tree(const NetworkConfig& network, const Graph& graph) {
  // Landmarks are routers with nodes, each the farthest one from an earlier choice of the root. A router
  // whose distance from all nodes is no more than that from the landmarks is in the middle.
  constexpr int kMostLandmarks = 16;
  std::vector<std::uint32_t> least(graph.routers());  // of each router, its largest distance from landmarks
  std::uint32_t landmark = graph.node_router[0];
  TreeRoutes routes;
  for (int i = 0; i < kMostLandmarks; ++i) {
    const TreeRoutes from = routes_from(landmark, network.link, graph);
    for (std::uint32_t router = 0; router < graph.routers(); ++router)
      least[router] = std::max(least[router], from.hops[router]);
    const auto root =
        static_cast<std::uint32_t>(std::min_element(least.begin(), least.end()) - least.begin());
    TreeRoutes found = routes_from(root, network.link, graph);
    landmark = farthest(found, graph);
    const bool middle = found.hops[landmark] == least[root];
    if (i == 0 || found.hops[landmark] < routes.hops[farthest(routes, graph)]) routes = std::move(found);
    if (middle) break;
  }
  SwitchTree tree{.bandwidth = network.nic.bandwidth};
  for (const std::uint32_t router : graph.node_router) {
    tree.switches = std::max(tree.switches, routes.hops[router] + 1);
    tree.cables = std::max(tree.cables, routes.cables[router] + network.nic.delay);
  }
  for (const Channel& channel : graph.channels)
    if (channel.to_router != Channel::kNowhere)
      tree.bandwidth = std::min(tree.bandwidth, link_of(network.link, channel.cable).bandwidth);
  return tree;
}

}  // namespace psim::net
