// SPDX-License-Identifier: Apache-2.0
// Dimension order on tori with one virtual channel and no datelines: bubble flow control (Carrión et al.,
// HiPC 1997; Puente et al., 2001). A packet enters a ring, from its node or from another dimension, only if
// the next buffer has room for two packets; inside the ring it needs room for one, as everywhere. So no ring
// ever fills, and a packet in it can always move. Every packet counts as the largest one, because several
// pieces of room, each too small for the waiting packet, are not a bubble.
//
// Deterministic and in order. Further virtual channels are separate networks; a flow stays in one.
#pragma once

#include "netsim/routing/dimension_order.h"

namespace psim::net {

class BubbleTorus final : public Routing {
 public:
  BubbleTorus(const Lattice& lattice, std::uint32_t node_ports, std::uint32_t virtual_channels);

  bool bubble() const override { return true; }
  std::uint32_t virtual_channels() const override { return 1; }
  std::uint32_t address(NodeId node) const override { return step_.tables.here(RouterId{index(node)}); }
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  Route marked(Route route, std::uint16_t in_port) const;

  VcSets sets_;
  DimensionOrderStep step_;
};

}  // namespace psim::net
