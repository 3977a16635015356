// SPDX-License-Identifier: Apache-2.0
// Dragonflies (Kim et al., ISCA 2008): groups of `a` routers, all connected to each other, and `rails` global
// cables between any two groups. Full connection at two levels is a dragonfly with few nodes per router.
//
// Router group * a + r. Ports of router r: to the other routers of its group by rising number (a - 1 of
// them), then h global ones, then its nodes. A group's global ports are its slots: slot s is port s mod h of
// router s / h. Rail n from group i to group t is slot n (g - 1) + k of group i with
//   k = t, less one if t > i    (consecutive),
//   k = (i - t - 1) mod g       (palm tree).
// Slots beyond rails (g - 1) are unused.
#pragma once

#include <cstdint>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

struct Dragonfly {
  std::uint32_t a = 1;      ///< routers per group
  std::uint32_t p = 1;      ///< nodes per router
  std::uint32_t h = 1;      ///< global ports per router; 0 if there is one group
  std::uint32_t g = 1;      ///< groups
  std::uint32_t rails = 1;  ///< cables between two groups; rails (g - 1) ≤ a h
  bool palm_tree = true;

  std::uint32_t routers() const { return a * g; }
  std::uint32_t nodes() const { return a * g * p; }
  std::uint32_t link_ports() const { return a - 1 + h; }
  /// Returns the port of router `from` to router `to` of its group.
  static std::uint32_t local_port(std::uint32_t from, std::uint32_t to) { return to < from ? to : to - 1; }
  std::uint32_t slot(std::uint32_t from, std::uint32_t to, std::uint32_t rail) const {
    const std::uint32_t consecutive = to < from ? to : to - 1;
    const std::uint32_t palm = from > to ? from - to - 1 : from + g - to - 1;
    return rail * (g - 1) + (palm_tree ? palm : consecutive);
  }
  Graph graph(std::uint32_t node_ports) const;
};

}  // namespace psim::net
