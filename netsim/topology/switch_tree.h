// SPDX-License-Identifier: Apache-2.0
// The tree of switches that carries out collectives: shortest routes from all nodes to a root in the middle.
#pragma once

#include "netsim/config/network_config.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

struct SwitchTree {
  std::uint32_t switches = 1;  ///< from a node to the root, both ends included
  Picoseconds cables{0};       ///< on that route
  BytesPerSecond bandwidth;    ///< of the network's slowest link
};

/// Returns the tree of a network. Its root is a router in the middle, from which the farthest node is
/// nearest; in a fat tree a switch of the top level. Nodes that are nearer to it wait for others, so the
/// longest route counts.
SwitchTree switch_tree(const NetworkConfig& network, const Graph& graph);

}  // namespace psim::net
