// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graphs/dragonfly_plus_graph.h"

#include <vector>

#include "netsim/topology/graphs/graph_builder.h"

namespace psim::net {

Graph DragonflyPlus::graph(std::uint32_t node_ports) const {
  std::vector<std::uint32_t> links, nodes;
  for (std::uint32_t router = 0; router < routers(); ++router) {
    const bool leaf = router % of_group() < leaves;
    links.push_back(leaf ? spines : leaves + h);
    nodes.push_back(leaf ? p : 0);
  }
  GraphBuilder builder(links, nodes, node_ports);
  const std::uint8_t up = builder.kind("up"), down = builder.kind("down"), global = builder.kind("global");
  for (std::uint32_t group = 0; group < g; ++group) {
    const std::uint32_t first = group * of_group();
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf)
      for (std::uint32_t spine = 0; spine < spines; ++spine)
        builder.join(first + leaf, spine, up, first + leaves + spine, leaf, down);
    for (std::uint32_t other = group + 1; other < g; ++other)
      for (std::uint32_t rail = 0; rail < rails; ++rail) {
        const std::uint32_t here = slot(group, other, rail), there = slot(other, group, rail);
        builder.join(first + leaves + here / h, leaves + here % h, global,
                     other * of_group() + leaves + there / h, leaves + there % h, global, CableClass::Global);
      }
  }
  return builder.take();
}

}  // namespace psim::net
