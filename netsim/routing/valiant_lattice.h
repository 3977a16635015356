// SPDX-License-Identifier: Apache-2.0
// Valiant routing on meshes and tori: each packet goes in dimension order to a random router, and from there
// in dimension order to its destination. Any pattern loads the channels like two uniform ones. Both parts
// have virtual channels of their own: 4 in all on a torus (2 if no ring is longer than 3), 2 on a mesh.
#pragma once

#include "netsim/routing/dimension_order.h"

namespace psim::net {

class ValiantLattice final : public Routing {
 public:
  /// `virtual_channels` ≥ needed().
  ValiantLattice(const Lattice& lattice, std::uint32_t node_ports, std::uint32_t virtual_channels);

  static std::uint32_t needed(const Lattice& lattice) { return 2 * DimensionOrderStep::needed(lattice); }

  bool in_order() const override { return false; }
  std::uint32_t virtual_channels() const override { return sets_.needed(); }
  std::uint32_t address(NodeId node) const override { return step_.tables.here(RouterId{index(node)}); }
  void inject(Packet& packet, RouterId router, std::uint16_t in_port, const LocalLoad& load,
              std::uint64_t random) const override;
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  static constexpr std::uint32_t kSecondPart = 1u << 31;  ///< in Packet::via, above the coordinates

  std::uint32_t routers_;
  VcSets sets_;
  DimensionOrderStep step_;
};

}  // namespace psim::net
