// SPDX-License-Identifier: Apache-2.0
// Dragonfly+ (Shpiner et al., HiPINEB 2017), or Megafly (Flajslik et al., ISC 2018): groups of leaf and spine
// routers; in a group every leaf has a cable to every spine; nodes are at leaves, global cables at spines.
//
// Router group * (leaves + spines) + r, leaves first. Ports of a leaf: to the spines, then its nodes; of a
// spine: to the leaves, then h global ones. A group's global ports are its slots: slot s is global port
// s mod h of spine s / h. Rail n from group i to group t is slot n (g - 1) + (i - t - 1) mod g of group i.
#pragma once

#include <cstdint>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

struct DragonflyPlus {
  std::uint32_t leaves = 1;  ///< of each group
  std::uint32_t spines = 1;
  std::uint32_t p = 1;      ///< nodes per leaf
  std::uint32_t h = 1;      ///< global ports per spine
  std::uint32_t g = 1;      ///< groups
  std::uint32_t rails = 0;  ///< cables between two groups; rails (g - 1) ≤ spines h

  std::uint32_t of_group() const { return leaves + spines; }
  std::uint32_t routers() const { return of_group() * g; }
  std::uint32_t slot(std::uint32_t from, std::uint32_t to, std::uint32_t rail) const {
    return rail * (g - 1) + (from > to ? from - to - 1 : from + g - to - 1);
  }
  /// Returns the group that a slot of group `from` leads to; `from` itself for an unused slot.
  std::uint32_t target(std::uint32_t from, std::uint32_t slot) const {
    return slot < rails * (g - 1) ? (from + g - slot % (g - 1) - 1) % g : from;
  }
  Graph graph(std::uint32_t node_ports) const;
};

}  // namespace psim::net
