// SPDX-License-Identifier: Apache-2.0
// Adaptive minimal routing with escape channels on meshes and tori (Duato, 1996). A packet takes the adaptive
// virtual channel of a shortest route with the most credits. If none has room for it, it takes the escape
// channel by dimension order with datelines, which it may leave again. Not in order.
//
// Virtual channels: 2 escape channels on a torus (1 on a mesh or if no ring is longer than 3), and at least
// one adaptive channel; all further ones are adaptive.
#pragma once

#include "netsim/routing/dimension_order.h"

namespace psim::net {

class AdaptiveLattice final : public Routing {
 public:
  /// `virtual_channels` ≥ needed().
  AdaptiveLattice(const Lattice& lattice, std::uint32_t node_ports, std::uint32_t virtual_channels);

  static std::uint32_t needed(const Lattice& lattice) { return 1 + DimensionOrderStep::needed(lattice); }

  bool adaptive() const override { return true; }
  bool in_order() const override { return false; }
  std::uint32_t virtual_channels() const override { return escapes_ + 1; }
  std::uint32_t address(NodeId node) const override { return step_.tables.here(RouterId{index(node)}); }
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  Route escape(std::uint32_t here, std::uint16_t in_port, std::uint8_t in_vc, const Packet& packet) const;

  std::uint32_t vcs_, escapes_;
  DimensionOrderStep step_;
};

}  // namespace psim::net
