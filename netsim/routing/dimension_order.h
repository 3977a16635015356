// SPDX-License-Identifier: Apache-2.0
// Dimension order on meshes and tori: first all steps along the first dimension, then the next, always the
// shorter way round (an equal choice is made by the flow). Deterministic and in order.
//
// Deadlock freedom on a torus (after Dally and Seitz, 1987): two virtual channels a set. A packet whose way
// in a ring crosses the wrap-around cable takes channel 0 up to it, and channel 1 on it and after it; a
// packet that does not cross takes either, by its flow, and keeps it. Channel 1 never continues onto the
// wrap-around cable, channel 0 never takes it: neither closes a circle. Rings of up to 3 routers are crossed
// in one step, so need one virtual channel, as meshes do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/lattice.h"

namespace psim::net {

/// The tables of a lattice that routes are computed from.
class LatticeTables {
 public:
  static constexpr std::uint8_t kNoAxis = 0xff;

  LatticeTables(const Lattice& lattice, std::uint32_t node_ports);

  std::uint32_t here(PlaceId place) const { return packed_[index(place)]; }
  const Axis& axis(std::uint32_t i) const { return axes_[i]; }
  std::uint32_t axes() const { return axes_in_use_; }
  std::uint32_t link_ports() const { return link_ports_; }
  /// The first dimension in which two places differ; they must.
  std::uint32_t first_axis(std::uint32_t differ) const {
    return axis_of_bit_[static_cast<unsigned>(__builtin_ctz(differ))];
  }
  /// The dimension of a port; kNoAxis for a node's.
  std::uint8_t axis_of_port(std::uint16_t port) const {
    return port < link_ports_ ? axis_of_port_[port] : kNoAxis;
  }
  Route eject(const Packet& packet) const {
    const std::uint32_t port = node_ports_ == 1 ? 0 : scaled(packet.message * 0x9e3779b1u, node_ports_);
    return {static_cast<std::uint16_t>(link_ports_ + port), 0};
  }
  /// Whether the way up (+) is the one to take from coordinate `from` to `to`; `bits` decide when both are
  /// as short.
  static bool upward(const Axis& axis, std::uint32_t from, std::uint32_t to, std::uint32_t bits) {
    if (!axis.wraps) return to > from;
    const std::uint32_t up = to > from ? to - from : to + axis.size - from;
    return 2 * up < axis.size || (2 * up == axis.size && (bits & 1) != 0);
  }
  /// Whether the next step that way is the wrap-around cable.
  static bool at_edge(const Axis& axis, std::uint32_t coordinate, bool up) {
    return coordinate == (up ? axis.size - 1 : 0);
  }

 private:
  std::array<Axis, Lattice::kMostDimensions> axes_{};
  std::uint32_t axes_in_use_ = 0, link_ports_ = 0, node_ports_ = 1;
  std::array<std::uint8_t, 32> axis_of_bit_{};
  std::array<std::uint8_t, 2 * Lattice::kMostDimensions> axis_of_port_{};
  std::vector<std::uint32_t> packed_;  ///< coordinates of each place
};

class DimensionOrder final : public Routing {
 public:
  /// With fewer virtual channels than needed the wrap-around is taken in channel 0 as any other, which the
  /// check of deadlock freedom then refuses, showing the circle.
  DimensionOrder(const Lattice& lattice, std::uint32_t node_ports, std::uint32_t virtual_channels);

  /// 2 if a ring of 4 or more wraps around, otherwise 1.
  static std::uint32_t needed(const Lattice& lattice);

  std::uint32_t virtual_channels() const override { return sets_.needed(); }
  std::uint32_t address(NodeId node) const override { return tables_.here(PlaceId{index(node)}); }
  Route route(PlaceId place, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(PlaceId place, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  LatticeTables tables_;
  bool datelines_;
  VcSets sets_;
};

}  // namespace psim::net
