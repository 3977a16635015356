// SPDX-License-Identifier: Apache-2.0
// Networks in which the ports of a node are at several switches: nic.rails. Their switches are those of a
// plain network, or of several copies of it, and are called by the routers of that.
//
// All switches that share nodes are one router here, so that a node still has one router, whose state is
// served in order. Nothing passes between its switches but over cables, so times are those of separate
// switches. A router has the ports to routers of its first switch, of its second one, …, and then the ports
// of its nodes: port n of a node is at switch n.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

struct RailGraph {
  struct Switch {
    std::uint32_t plain = 0;       ///< router of the plain network
    std::uint32_t first = 0;       ///< its first port to routers, here
    std::uint32_t links = 0;       ///< ports to routers
    std::uint32_t first_node = 0;  ///< of the plain network
    std::uint32_t ends = 0;        ///< ports to nodes
  };
  /// A switch, by its number in its router here.
  struct Place {
    std::uint32_t router = 0, number = 0;
  };

  /// Makes `rails` copies of `plain`, which has nodes of one port.
  static RailGraph planes(const Graph& plain, std::uint32_t rails);
  /// Joins every `rails` routers with nodes that follow each other. `plain` has nodes of `rails` ports.
  /// Throws UserError if their number is no multiple of `rails`, or they have different numbers of nodes.
  static RailGraph spread(const Graph& plain, std::uint32_t rails);

  Graph graph(const Graph& plain) const;

  std::uint32_t routers() const { return static_cast<std::uint32_t>(first_switch.size()) - 1; }
  const Switch& at(Place place) const { return switches[first_switch[place.router] + place.number]; }
  /// Returns the place of a router of the plain network, in copy `plane`.
  Place place(std::uint32_t plain, std::uint32_t plane) const {
    return copies ? Place{plain, plane} : places[plain];
  }
  /// Returns the number of ports to routers.
  std::uint32_t links(std::uint32_t router) const {
    const Switch& last = switches[first_switch[router + 1] - 1];
    return last.first + last.links;
  }
  /// Returns the switch of a router's port, and makes `port` the switch's own.
  Place inside(std::uint32_t router, std::uint16_t& port) const {
    const std::uint32_t links_here = links(router);
    Place place{router, 0};
    if (port >= links_here) {
      place.number = (port - links_here) % rails;
      port = static_cast<std::uint16_t>(at(place).links + (port - links_here) / rails);
      return place;
    }
    while (port >= at(place).first + at(place).links) ++place.number;
    port = static_cast<std::uint16_t>(port - at(place).first);
    return place;
  }
  /// Returns the router's port that is a switch's own port `port`.
  std::uint16_t outside(Place place, std::uint32_t port) const {
    const Switch& in = at(place);
    if (port < in.links) return static_cast<std::uint16_t>(in.first + port);
    return static_cast<std::uint16_t>(links(place.router) + (port - in.links) * rails + place.number);
  }

  std::uint32_t rails = 1;  ///< ports of a node
  bool copies = false;      ///< planes()
  std::vector<Switch> switches = {};
  std::vector<std::uint32_t> first_switch = {};  ///< by router, and one past the last
  std::vector<Place> places = {};                ///< of spread(): by router of the plain network
};

}  // namespace psim::net
