// SPDX-License-Identifier: Apache-2.0
// Dragonfly+ (Shpiner et al., HiPINEB 2017):
// - minimal: up to a spine with a cable to the destination's group, over it, and down. Of several spines or
//   cables the flow decides. In order.
// - valiant: to a random third group first. Its spine goes on directly if it has a cable to the destination's
//   group; else by a leaf and another spine.
// - ugal: at the source, the Valiant route if its hops × the backlog of its first channel, and routing.bias,
// are
//   less than those of the minimal route.
// - par (progressive adaptive): as ugal, and the spine of the source's group may divert a minimal packet to a
//   group behind a cable of its own, by the same comparison.
// ugal and par go up to the spine with the least backlog of the possible ones.
//
// Virtual channels: the number of global cables crossed so far. Packets turn upwards again only in a third
// group, after one cable, and there never come down twice, so that no circle is closed. Minimal routes need
// one.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/config/network_config.h"
#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/graphs/dragonfly_plus_graph.h"

namespace psim::net {

class DragonflyPlusRouting final : public Routing {
 public:
  enum class Scheme : std::uint8_t { Minimal, Valiant, Ugal, Progressive };

  static std::uint32_t needed(const DragonflyPlus& network, Scheme scheme) {
    return scheme == Scheme::Minimal || network.g < 2 ? 1 : network.g == 2 ? 2 : 3;
  }
  /// `virtual_channels` ≥ needed().
  DragonflyPlusRouting(const DragonflyPlus& network, std::uint32_t node_ports, std::uint32_t virtual_channels,
                       Scheme scheme, const AdaptiveConfig& adaptive);

  bool in_order() const override { return scheme_ == Scheme::Minimal; }
  std::uint32_t virtual_channels() const override { return sets_.needed(); }
  std::uint32_t address(NodeId node) const override;
  void inject(Packet& packet, RouterId router, std::uint16_t in_port, const LocalLoad& load,
              std::uint64_t random) const override;
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  /// Packet::via: 0, or the third group + 1; kMayDivert and random bits for the spine of the source's group.
  static constexpr std::uint32_t kMayDivert = 0x80000000, kAnySpine = 0xffffffff;

  struct Router {
    std::uint32_t group, number;
  };
  /// The end of a global cable: slot s.
  struct Gate {
    std::uint32_t spine = 0, port = 0;
  };
  Gate gate(std::uint32_t slot) const { return {slot / network_.h, network_.leaves + slot % network_.h}; }
  Gate gate_to(std::uint32_t from, std::uint32_t to, std::uint32_t spine, std::uint32_t bits,
               const LocalLoad* load) const;
  std::uint32_t hops_from(std::uint32_t third, std::uint32_t spine, std::uint32_t to) const;
  std::uint16_t divert(Router here, Router to, std::uint16_t straight, Packet& packet,
                       const LocalLoad& load) const;

  DragonflyPlus network_;
  std::uint32_t node_ports_, leaf_shift_, leaf_mask_, group_shift_;
  VcSets sets_;
  Scheme scheme_;
  std::uint64_t bias_;
  std::uint32_t candidates_;
  std::vector<Router> routers_;
};

}  // namespace psim::net
