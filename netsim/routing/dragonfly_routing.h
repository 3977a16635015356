// SPDX-License-Identifier: Apache-2.0
// Dragonflies (Kim et al., ISCA 2008), and full connection at two levels:
// - minimal: to the router with a cable to the destination's group, over it, to the destination. Of several
//   cables the one with the fewest steps; the flow decides between equal ones. In order.
// - valiant: minimal to a random third group, and from its first router minimal to the destination. Packets
//   that stay in their group, or have no third group, take the minimal route.
// - ugal: at the source, the Valiant route if its steps × the backlog of its first channel are less than
// those
//   of the minimal route (local queues only).
// The virtual channel is the number of global cables crossed so far: 2 for minimal, 3 for the others.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/graphs/dragonfly_graph.h"

namespace psim::net {

class DragonflyRouting final : public Routing {
 public:
  enum class Scheme : std::uint8_t { Minimal, Valiant, Ugal };

  static std::uint32_t needed(const Dragonfly& dragonfly, Scheme scheme);
  /// `virtual_channels` ≥ needed().
  DragonflyRouting(const Dragonfly& dragonfly, std::uint32_t node_ports, std::uint32_t virtual_channels,
                   Scheme scheme);

  bool in_order() const override { return scheme_ == Scheme::Minimal; }
  std::uint32_t virtual_channels() const override { return sets_.needed(); }
  std::uint32_t address(NodeId node) const override;
  void inject(Packet& packet, RouterId router, const LocalLoad& load, std::uint64_t random) const override;
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  static constexpr std::uint32_t kAnyRouter = 0xffffffff;
  struct Router {
    std::uint32_t group, number;
  };
  /// The end of a global cable: slot s.
  struct Gate {
    std::uint16_t router, port;
  };
  /// A route to another group.
  struct GroupRoute {
    std::uint32_t port = 0;   ///< next output
    std::uint32_t steps = 0;  ///< up to the requested router
    std::uint32_t lands = 0;  ///< first router in the group
  };
  GroupRoute route_to_group(Router from, std::uint32_t group, std::uint32_t router, std::uint32_t bits) const;
  Router destination(const Packet& packet) const {
    return {packet.address >> group_shift_, packet.address >> router_shift_ & router_mask_};
  }

  Dragonfly dragonfly_;
  std::uint32_t node_ports_, router_shift_, router_mask_, group_shift_;
  VcSets sets_;
  Scheme scheme_;
  std::vector<Gate> gates_;
  std::vector<Router> routers_;
};

}  // namespace psim::net
