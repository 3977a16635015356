// SPDX-License-Identifier: Apache-2.0
// Tables for routes on meshes and tori: a few bytes per router, and no divisions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/graphs/lattice.h"

namespace psim::net {

/// The tables of a lattice.
class LatticeTables {
 public:
  static constexpr std::uint8_t kNoAxis = 0xff;

  LatticeTables(const Lattice& lattice, std::uint32_t node_ports);

  std::uint32_t here(RouterId router) const { return packed_[index(router)]; }
  const Axis& axis(std::uint32_t i) const { return axes_[i]; }
  std::uint32_t axes() const { return axes_in_use_; }
  std::uint32_t link_ports() const { return link_ports_; }
  /// Returns the first dimension in which two routers differ; `differ` is the difference, not 0.
  std::uint32_t first_axis(std::uint32_t differ) const {
    return axis_of_bit_[static_cast<unsigned>(__builtin_ctz(differ))];
  }
  /// Returns the dimension of a port; kNoAxis for a node's.
  std::uint8_t axis_of_port(std::uint16_t port) const {
    return port < link_ports_ ? axis_of_port_[port] : kNoAxis;
  }
  Route eject(const Packet& packet) const {
    return {static_cast<std::uint16_t>(link_ports_ + node_port_of(packet, node_ports_)), 0};
  }
  /// Returns whether a packet goes up (+) from coordinate `from` to `to`; `bits` decide if both directions
  /// are equally short.
  static bool upward(const Axis& axis, std::uint32_t from, std::uint32_t to, std::uint32_t bits) {
    if (!axis.wraps) return to > from;
    const std::uint32_t up = to > from ? to - from : to + axis.size - from;
    return 2 * up < axis.size || (2 * up == axis.size && (bits & 1) != 0);
  }
  /// Returns whether the next step in this direction is the wrap-around cable.
  static bool at_edge(const Axis& axis, std::uint32_t coordinate, bool up) {
    return coordinate == (up ? axis.size - 1 : 0);
  }

 private:
  std::array<Axis, Lattice::kMostDimensions> axes_{};
  std::uint32_t axes_in_use_ = 0, link_ports_ = 0, node_ports_ = 1;
  std::array<std::uint8_t, 32> axis_of_bit_{};
  std::array<std::uint8_t, 2 * Lattice::kMostDimensions> axis_of_port_{};
  std::vector<std::uint32_t> packed_;  ///< coordinates of each router
};

}  // namespace psim::net
