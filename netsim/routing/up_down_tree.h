// SPDX-License-Identifier: Apache-2.0
// Fat trees: up to a common ancestor, then down by the only route. Packets that go up never wait for packets
// that go down, so one virtual channel is enough.
//
// Choice of the parent:
// - d-mod-k takes at level i parent ⌊d / (w1 … wi)⌋ mod w(i+1) for destination d (Zahavi, 2012), so all
// packets
//   to one node come down by one tree, in order.
// - random draws each parent for each packet.
// - adaptive takes at each switch the parent with the least backlog, of the parents that are available at
// once
//   if there are any, else of all; where backlogs are equal, that of d-mod-k.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/graphs/fat_tree_graph.h"

namespace psim::net {

class UpDownTree final : public Routing {
 public:
  enum class Up : std::uint8_t { DModK, Random, Adaptive };

  UpDownTree(const FatTree& tree, std::uint32_t node_ports, std::uint32_t virtual_channels, Up up);

  bool adaptive() const override { return up_ == Up::Adaptive; }
  bool in_order() const override { return up_ == Up::DModK; }
  std::uint32_t virtual_channels() const override { return 1; }
  std::uint32_t address(NodeId node) const override;
  void inject(Packet& packet, RouterId router, std::uint16_t in_port, const LocalLoad& load,
              std::uint64_t random) const override;
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  /// The digits of a level. A node's address holds its digits, the first lowest; Packet::via holds the parent
  /// for each level.
  struct Level {
    std::uint32_t shift = 0, mask = 0;        ///< of the node's digit below this level
    std::uint32_t above = 0;                  ///< all digits of the levels above
    std::uint32_t up_shift = 0, up_mask = 0;  ///< of the parent's digit
    std::uint32_t children = 0, parents = 0;
    std::uint32_t stride = 0;   ///< nodes under one child
    std::uint32_t members = 0;  ///< w1 … wi
  };
  struct Switch {
    std::uint32_t above;  ///< digits of the nodes under it above its level
    std::uint32_t level;  ///< index into levels_
  };
  std::uint32_t first_parent(std::uint32_t level) const { return level == 0 ? 0 : levels_[level].children; }

  std::vector<Level> levels_;
  std::vector<Switch> switches_;
  std::uint32_t node_ports_, vcs_;
  VcSets sets_;
  Up up_;
};

}  // namespace psim::net
