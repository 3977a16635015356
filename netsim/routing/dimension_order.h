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

#include <cstdint>
#include <functional>

#include "netsim/routing/lattice_tables.h"
#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"

namespace psim::net {

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
