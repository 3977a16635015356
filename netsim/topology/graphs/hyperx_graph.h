// SPDX-License-Identifier: Apache-2.0
// HyperX (Ahn et al., SC 2009): routers at the points of a box; in each dimension every router has cables to
// all others that differ from it in this coordinate only. Hypercubes are those of sizes 2; a flattened
// butterfly is one whose routers have S nodes.
//
// Routers are numbered with the first coordinate running fastest. Ports: dimension by dimension, in each rail
// by rail, to the other coordinates by rising number; then the router's nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

struct HyperX {
  static constexpr std::size_t kMostDimensions = 24;

  std::vector<std::uint32_t> sizes;  ///< of the dimensions, S
  std::vector<std::uint32_t> rails;  ///< cables between two routers, K, by dimension
  std::uint32_t terminals = 1;       ///< nodes at each router, T

  std::uint32_t routers() const;
  std::uint32_t link_ports() const;
  /// Returns "(3,1,0)".
  std::string name(std::uint32_t router) const;
  Graph graph(std::uint32_t node_ports) const;
};

}  // namespace psim::net
