// SPDX-License-Identifier: Apache-2.0
// How topologies lay their graphs: first the number of ports of each router, then cables, then nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

class GraphBuilder {
 public:
  /// `link_ports[p]` ports of router p go to routers; ports for nodes follow, `node_ports` for each of
  /// `nodes[p]` nodes. Nodes are numbered router by router.
  GraphBuilder(const std::vector<std::uint32_t>& link_ports, const std::vector<std::uint32_t>& nodes,
               std::uint32_t node_ports);

  /// Adds a kind of channel and returns its index; at most 256.
  std::uint8_t kind(std::string name);
  /// Lays a cable, a channel each way: `kind` from a to b and `back` from b to a.
  void join(std::uint32_t a, std::uint32_t a_port, std::uint8_t kind, std::uint32_t b, std::uint32_t b_port,
            std::uint8_t back, CableClass cable = CableClass::Usual);
  Graph take() { return std::move(graph_); }

 private:
  Graph graph_;
};

}  // namespace psim::net
