// SPDX-License-Identifier: Apache-2.0
// A network as routers, channels and nodes: built by the topologies and used by the fabric.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"

namespace psim::net {

/// The class of a cable. Both of its channels have the bandwidth and delay that the configuration gives the
/// class (link_of() in network_config.h).
enum class CableClass : std::uint8_t {
  Usual,
  Global,  ///< between groups of a dragonfly, drawers, or cabinets
  Level2,  ///< of a fat tree, from switches of level 2 up
  Level3,
  Level4  ///< and all higher
};
inline constexpr std::size_t kCableClasses = 5;

/// The output of a router and the input at its other end. Each direction of a cable is a channel.
struct Channel {
  std::uint32_t to_router = kNowhere;  ///< router at the other end; kNowhere: a node's or an unused port
  std::uint16_t to_port = 0;           ///< input port there
  std::uint8_t kind = 0;               ///< index into Graph::kinds
  CableClass cable = CableClass::Usual;

  static constexpr std::uint32_t kNowhere = 0xffffffff;
};

/// A kind of channels in figures: a direction ("+X", "up", "local", "global").
struct ChannelKind {
  std::string name;
};

/// The graph. Router p has ports first_port[p] … first_port[p + 1] - 1 in `channels`, numbered from 0 in the
/// router: first the ports to routers, then `node_ports` for each node. A port is one input and one output:
/// packets that leave by channel(p, i) enter by its to_port; packets that leave there enter here by i.
struct Graph {
  std::vector<std::uint32_t> first_port;  ///< routers + 1 entries
  std::vector<Channel> channels;
  std::vector<std::uint32_t> node_router;  ///< router of each node; nodes of one router are adjacent
  std::vector<std::uint16_t> node_port;    ///< the node's first port there
  std::uint16_t node_ports = 1;            ///< of each node, one after the other: nic.ports
  std::vector<ChannelKind> kinds;

  std::uint32_t routers() const { return static_cast<std::uint32_t>(first_port.size()) - 1; }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(node_router.size()); }
  std::uint32_t ports(std::uint32_t router) const { return first_port[router + 1] - first_port[router]; }
  const Channel& channel(std::uint32_t router, std::uint32_t port) const {
    return channels[first_port[router] + port];
  }
};

}  // namespace psim::net
