// SPDX-License-Identifier: Apache-2.0
// Functions shared by the routings of arbitrary graphs.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

inline constexpr std::uint32_t kNoRoute = 0xffffffff;

/// Returns the links of the shortest route from `router` to every router; kNoRoute where there is none.
std::vector<std::uint32_t> distances(const Graph& graph, std::uint32_t router);
/// Returns the number of ports to routers of each router.
std::vector<std::uint16_t> link_ports(const Graph& graph);
/// Returns router · 2^16 + port of each node. There must be fewer than 2^16 routers.
std::vector<std::uint32_t> port_addresses(const Graph& graph);

inline Route eject_by_address(const Packet& packet, std::uint32_t node_ports) {
  return {static_cast<std::uint16_t>((packet.address & 0xffff) + node_port_of(packet, node_ports)), 0};
}

/// Chooses the nearest of the offered ports; between equals by a hash of router and destination.
class BestPort {
 public:
  BestPort(std::uint32_t router, std::uint32_t destination)
      : bits_(router * 0x9e3779b1u ^ destination * 0x85ebca6bu) {}

  void offer(std::uint32_t port, std::uint32_t distance) {
    const std::uint32_t rank = (bits_ + port) * 0x2c1b3c6du;
    if (distance > distance_ || (distance == distance_ && rank >= rank_)) return;
    distance_ = distance;
    rank_ = rank;
    port_ = static_cast<std::uint16_t>(port);
  }
  std::uint16_t port() const { return port_; }

 private:
  std::uint32_t bits_, distance_ = kNoRoute, rank_ = 0xffffffff;
  std::uint16_t port_ = 0;
};

}  // namespace psim::net
