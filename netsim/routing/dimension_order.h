// SPDX-License-Identifier: Apache-2.0
// Dimension order on meshes and tori: all steps along the first dimension, then along the next, always the
// shorter way around (the flow decides between equal ones). Deterministic and in order.
//
// Deadlock freedom on a torus (after Dally and Seitz, 1987): two virtual channels per set. A packet whose
// route in a ring crosses the wrap-around cable takes channel 0 up to it, and channel 1 on it and after it. A
// packet that does not cross it takes either, by its flow, and keeps it. Channel 1 never continues onto the
// wrap-around cable, channel 0 never takes it: neither closes a circle. Rings of up to 3 routers are crossed
// in one step, so they need one virtual channel, as meshes do.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"
#include "netsim/topology/graphs/lattice.h"

namespace psim::net {

// Tables for routes on meshes and tori: a few bytes per router, and no divisions.

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

/// A step by dimension order, shared by the schemes that use it.
class DimensionOrderStep {
 public:
  DimensionOrderStep(const Lattice& lattice, std::uint32_t node_ports, bool datelines)
      : tables(lattice, node_ports), datelines_(datelines) {}

  /// Returns the virtual channels of the rule: 2 if a ring of 4 or more wraps around, otherwise 1.
  static std::uint32_t needed(const Lattice& lattice);

  /// Returns the next step from coordinates `here` to `target`, which differ. `in_port` is a node's port for
  /// a packet that starts (again) here; otherwise `in_vc` is its virtual channel so far. `first` is the
  /// lowest virtual channel to use.
  Route next(std::uint32_t here, std::uint32_t target, std::uint16_t in_port, std::uint8_t in_vc,
             std::uint8_t first, std::uint32_t bits) const;
  /// Passes all possible results of next(), for any target, to `sink`.
  void all(std::uint32_t here, std::uint16_t in_port, std::uint8_t in_vc, std::uint8_t first,
           const std::function<void(Route route, bool escape)>& sink) const;

  LatticeTables tables;

 private:
  void turns(std::uint32_t here, std::uint32_t first_axis, std::uint8_t first,
             const std::function<void(Route route, bool escape)>& sink) const;

  bool datelines_;
};

class DimensionOrder final : public Routing {
 public:
  /// With fewer virtual channels than needed, packets take the wrap-around cable in channel 0; the deadlock
  /// check then refuses the network and shows the circle.
  DimensionOrder(const Lattice& lattice, std::uint32_t node_ports, std::uint32_t virtual_channels);

  std::uint32_t virtual_channels() const override { return needed_; }
  std::uint32_t address(NodeId node) const override { return step_.tables.here(RouterId{index(node)}); }
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  VcSets sets_;
  DimensionOrderStep step_;
  std::uint32_t needed_;  ///< virtual channels that the scheme needs; the routers may have fewer
};

// Inline, because it runs once per hop.
inline Route DimensionOrderStep::next(std::uint32_t here, std::uint32_t target, std::uint16_t in_port,
                                      std::uint8_t in_vc, std::uint8_t first, std::uint32_t bits) const {
  const std::uint32_t i = tables.first_axis(here ^ target);
  const Axis& axis = tables.axis(i);
  const std::uint32_t from = axis.coordinate(here);
  if (tables.axis_of_port(in_port) == i) {  // straight on: in by the - port, out by the + port
    const bool up = in_port == axis.minus;
    const bool wrap = datelines_ && LatticeTables::at_edge(axis, from, up);
    return {up ? axis.plus : axis.minus, static_cast<std::uint8_t>(wrap ? first + 1 : in_vc)};
  }
  const std::uint32_t to = axis.coordinate(target);
  const bool up = LatticeTables::upward(axis, from, to, bits);
  std::uint8_t vc = first;
  if (datelines_) {
    const bool crosses = up != (to > from);
    vc =
        static_cast<std::uint8_t>(first + (crosses ? LatticeTables::at_edge(axis, from, up) : bits >> 1 & 1));
  }
  return {up ? axis.plus : axis.minus, vc};
}

inline Route DimensionOrder::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                                   const LocalLoad&) const {
  const LatticeTables& tables = step_.tables;
  const std::uint32_t here = tables.here(router);
  if (here == packet.address) return tables.eject(packet);
  const std::uint32_t bits = flow_bits(packet);
  const std::uint8_t first = in_port < tables.link_ports() ? sets_.first(in_vc) : sets_.choose(bits);
  return step_.next(here, packet.address, in_port, in_vc, first, bits);
}

}  // namespace psim::net
