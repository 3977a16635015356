// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graphs/dragonfly_graph.h"

#include <vector>

#include "netsim/topology/graphs/graph_builder.h"

namespace psim::net {

Graph Dragonfly::graph(std::uint32_t node_ports) const {
  GraphBuilder builder(std::vector(routers(), link_ports()), std::vector(routers(), p), node_ports);
  const std::uint8_t local = builder.kind("local"), global = builder.kind("global");
  for (std::uint32_t group = 0; group < g; ++group) {
    for (std::uint32_t from = 0; from < a; ++from)
      for (std::uint32_t to = from + 1; to < a; ++to)
        builder.join(group * a + from, local_port(from, to), local, group * a + to, local_port(to, from),
                     local);
    for (std::uint32_t other = group + 1; other < g; ++other)
      for (std::uint32_t rail = 0; rail < rails; ++rail) {
        const std::uint32_t here = slot(group, other, rail), there = slot(other, group, rail);
        builder.join(group * a + here / h, a - 1 + here % h, global, other * a + there / h, a - 1 + there % h,
                     global, CableClass::Global);
      }
  }
  return builder.take();
}

}  // namespace psim::net
