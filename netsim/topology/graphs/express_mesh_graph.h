// SPDX-License-Identifier: Apache-2.0
// Meshes with express channels (Dally, Express cubes, IEEE Trans. Computers 40(9), 1991): in each dimension
// the routers at multiples of the interval are also joined with the next such router. Express channels have
// no taps on the way.
//
// Routers are numbered with the first coordinate running fastest, one node each. Ports of dimension d:
// 4 d + 0 onwards, + 1 back, + 2 and + 3 the same on express channels; those at edges are unused.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

struct ExpressMesh {
  static constexpr std::size_t kMostDimensions = 6;

  std::vector<std::uint32_t> sizes;
  std::uint32_t interval = 2;

  std::uint32_t routers() const;
  std::uint32_t link_ports() const { return static_cast<std::uint32_t>(4 * sizes.size()); }
  /// Returns "(3,1,0)".
  std::string name(std::uint32_t router) const;
  Graph graph(std::uint32_t node_ports) const;
};

}  // namespace psim::net
