// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/kinds.h"

#include <algorithm>

#include "netsim/routing/up_down_tree.h"
#include "netsim/topology/graphs/fat_tree_graph.h"
#include "netsim/topology/graphs/shape.h"

namespace psim::net {

Network make_fat_tree(const NetworkConfig& config, std::uint32_t nodes, const std::string& routing) {
  const std::string& shape = config.topology.shape;
  if (shape.empty() && nodes == 0) throw shape_error(shape, "expected sizes or a number of nodes");
  const std::size_t colon = shape.find(':');
  std::vector<std::uint32_t> m, w;
  if (shape.empty()) {
    for (const std::uint32_t size : near_cubic(nodes))
      if (size > 1 || m.empty()) m.push_back(size);
  } else {
    m = parse_sizes(shape.substr(0, colon), 1, FatTree::kMostLevels, "4x4x4:1x4x4");
  }
  if (colon != std::string::npos) {
    w = parse_sizes(shape.substr(colon + 1), m.size(), m.size(), "4x4x4:1x4x4");
    if (w[0] != 1)
      throw shape_error(shape, "a node has one switch; expected 1 after the colon, as in \"4x4x4:1x4x4\"");
  } else {
    w.assign(1, 1);
    w.insert(w.end(), m.begin(), m.end() - 1);
  }
  const FatTree tree(m, w);
  check_nodes(nodes, tree.nodes(), "fat tree", shape);
  Network network;
  network.graph = tree.graph(config.nic.ports);
  const UpDownTree::Up up = routing == "random"     ? UpDownTree::Up::Random
                            : routing == "adaptive" ? UpDownTree::Up::Adaptive
                                                    : UpDownTree::Up::DModK;
  network.routing = std::make_unique<UpDownTree>(tree, config.nic.ports, config.router.virtual_channels, up);
  network.shape = tree.shape();
  network.drawing = [tree](const Graph&, std::uint32_t most) { return draw(tree, most); };
  network.router_name = [tree](std::uint32_t number) {
    const FatTree::Switch at = tree.at(number);
    return "(level " + std::to_string(at.level) + ", " + std::to_string(at.subtree) + "." +
           std::to_string(at.member) + ")";
  };
  return network;
}

}  // namespace psim::net
