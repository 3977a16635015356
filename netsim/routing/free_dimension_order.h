// SPDX-License-Identifier: Apache-2.0
// Dimension order whose packets do not keep what their flow decides in DimensionOrder: with router.vc_choice
// = free the set of virtual channels, with routing random-ties the direction where both ways around a ring
// are equally long. Packets of a flow may overtake each other.
//
// Free choice: at each hop a packet takes, of the virtual channels that the datelines allow, one of those
// with most credits, and chooses again as long as it waits. Deadlock freedom is that of DimensionOrder, since
// changes between sets do not change the channels' order in a set.
#pragma once

#include <cstdint>
#include <functional>

#include "netsim/routing/dimension_order.h"
#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"

namespace psim::net {

class FreeDimensionOrder final : public Routing {
 public:
  FreeDimensionOrder(const Lattice& lattice, std::uint32_t node_ports, std::uint32_t virtual_channels,
                     bool free_channels, bool random_ties);

  bool adaptive() const override { return free_channels_; }
  bool in_order() const override { return false; }
  bool any_set() const override { return free_channels_; }
  std::uint32_t virtual_channels() const override { return needed_; }
  std::uint32_t address(NodeId node) const override { return step_.tables.here(RouterId{index(node)}); }
  /// Sets Packet::via to the bits that decide the packet's ties.
  void inject(Packet& packet, RouterId router, std::uint16_t in_port, const LocalLoad& load,
              std::uint64_t random) const override;
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  VcSets sets_;
  DimensionOrderStep step_;
  std::uint32_t needed_;
  bool free_channels_, random_ties_;
};

}  // namespace psim::net
