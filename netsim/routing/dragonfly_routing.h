// SPDX-License-Identifier: Apache-2.0
// Dragonflies (Kim et al., ISCA 2008), and full connection at two levels:
// - minimal: to the router with a cable to the destination's group, over it, to the destination. Of several
//   cables the one with the fewest steps; the flow decides between equal ones. In order.
// - valiant: minimal to a random third group, and from its first router minimal to the destination. Packets
//   that stay in their group, or have no third group, take the minimal route.
// - ugal (UGAL-L): at the source, the Valiant route if its steps × the backlog of its first channel, and
//   routing.bias, are less than those of the minimal route. Of routing.candidates Valiant routes the best
//   one.
// - ugal-g (UGAL-G): likewise by the sum of the backlogs of all channels of each route.
// - par (progressive adaptive; Jiang, Kim and Dally, ISCA 2009): as ugal; and a minimal packet that has made
// a
//   local step in the source's group is compared again there, with its own queues.
// The virtual channel is the number of global cables crossed so far: 2 for minimal, 3 for the others. With
// par a second local step in the source's group takes the next one: 4.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/config/network_config.h"
#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/graphs/dragonfly_graph.h"

namespace psim::net {

class DragonflyRouting final : public Routing {
 public:
  enum class Scheme : std::uint8_t { Minimal, Valiant, Ugal, UgalGlobal, Progressive };

  static std::uint32_t needed(const Dragonfly& dragonfly, Scheme scheme);
  /// `virtual_channels` ≥ needed().
  DragonflyRouting(const Dragonfly& dragonfly, std::uint32_t node_ports, std::uint32_t virtual_channels,
                   Scheme scheme, const AdaptiveConfig& adaptive);

  bool in_order() const override { return scheme_ == Scheme::Minimal; }
  bool global() const override { return scheme_ == Scheme::UgalGlobal; }
  std::uint32_t virtual_channels() const override { return sets_.needed(); }
  std::uint32_t address(NodeId node) const override;
  void inject(Packet& packet, RouterId router, std::uint16_t in_port, const LocalLoad& load,
              std::uint64_t random) const override;
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  static constexpr std::uint32_t kAnyRouter = 0xffffffff;
  /// Of Packet::via, which is 0 or the third group + 1: a minimal packet that may still be diverted there.
  static constexpr std::uint32_t kMayDivert = 0x80000000;
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
  std::uint64_t around(Router from, std::uint32_t third, Router to, std::uint32_t bits,
                       const LocalLoad& load) const;
  std::uint64_t straight(Router from, Router to, std::uint32_t bits, const LocalLoad& load) const;
  std::uint64_t cost_to_group(Router& from, std::uint32_t group, std::uint32_t router, std::uint32_t bits,
                              const LocalLoad& load) const;
  Router destination(const Packet& packet) const {
    return {packet.address >> group_shift_, packet.address >> router_shift_ & router_mask_};
  }

  Dragonfly dragonfly_;
  std::uint32_t node_ports_, router_shift_, router_mask_, group_shift_;
  VcSets sets_;
  Scheme scheme_;
  std::uint64_t bias_;
  std::uint32_t candidates_;
  std::vector<Gate> gates_;
  std::vector<Router> routers_;
};

}  // namespace psim::net
