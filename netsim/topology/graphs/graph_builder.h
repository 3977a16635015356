// SPDX-License-Identifier: Apache-2.0
// Builds the graph of a topology: first the number of ports of each router, then cables, then nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

class GraphBuilder {
 public:
  /// Router p has `link_ports[p]` ports to routers; ports for nodes follow, `node_ports` for each of
  /// `nodes[p]` nodes. Nodes are numbered router by router.
  GraphBuilder(const std::vector<std::uint32_t>& link_ports, const std::vector<std::uint32_t>& nodes,
               std::uint32_t node_ports);

  /// Adds a kind of channel and returns its index; at most 256.
  std::uint8_t kind(std::string name);
  /// Adds a cable, with a channel in each direction: `kind` from a to b and `back` from b to a.
  void join(std::uint32_t a, std::uint32_t a_port, std::uint8_t kind, std::uint32_t b, std::uint32_t b_port,
            std::uint8_t back, CableClass cable = CableClass::Usual);
  Graph take() { return std::move(graph_); }

 private:
  Graph graph_;
};

}  // namespace psim::net
