// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/dimension_order.h"

namespace psim::net {

LatticeTables::LatticeTables(const Lattice& lattice, std::uint32_t node_ports)
    : axes_in_use_(static_cast<std::uint32_t>(lattice.axes().size())),
      link_ports_(lattice.link_ports()),
      node_ports_(node_ports) {
  for (std::uint32_t i = 0; i < axes_in_use_; ++i) {
    const Axis& axis = lattice.axes()[i];
    axes_[i] = axis;
    for (std::uint32_t bit = 0; axis.mask >> bit != 0; ++bit)
      axis_of_bit_[axis.shift + bit] = static_cast<std::uint8_t>(i);
    axis_of_port_[axis.plus] = axis_of_port_[axis.minus] = static_cast<std::uint8_t>(i);
  }
  packed_.resize(lattice.places());
  for (std::uint32_t place = 0; place < lattice.places(); ++place) packed_[place] = lattice.packed(place);
}

std::uint32_t DimensionOrder::needed(const Lattice& lattice) {
  for (const Axis& axis : lattice.axes())
    if (axis.wraps && axis.size > 3) return 2;
  return 1;
}

DimensionOrder::DimensionOrder(const Lattice& lattice, std::uint32_t node_ports,
                               std::uint32_t virtual_channels)
    : tables_(lattice, node_ports),
      datelines_(needed(lattice) == 2 && virtual_channels >= 2),
      sets_(virtual_channels, datelines_ ? 2 : 1) {}

Route DimensionOrder::route(PlaceId place, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                            const LocalLoad&) const {
  const std::uint32_t here = tables_.here(place), differ = here ^ packet.address;
  if (differ == 0) return tables_.eject(packet);
  const std::uint32_t i = tables_.first_axis(differ);
  const Axis& axis = tables_.axis(i);
  const std::uint32_t from = axis.coordinate(here);
  const std::uint8_t in_axis = tables_.axis_of_port(in_port);
  if (in_axis == i) {  // straight on: what came in by - goes out by +
    const bool up = in_port == axis.minus;
    const std::uint8_t port = up ? axis.plus : axis.minus;
    const bool wrap = datelines_ && LatticeTables::at_edge(axis, from, up);
    return {port, static_cast<std::uint8_t>(wrap ? sets_.first(in_vc) + 1 : in_vc)};
  }
  const std::uint32_t bits = flow_bits(packet), to = axis.coordinate(packet.address);
  const bool up = LatticeTables::upward(axis, from, to, bits);
  std::uint8_t vc = in_axis == LatticeTables::kNoAxis ? sets_.choose(bits) : sets_.first(in_vc);
  if (datelines_) {
    const bool crosses = axis.wraps && up != (to > from);
    const bool wrap = crosses && LatticeTables::at_edge(axis, from, up);
    vc = static_cast<std::uint8_t>(vc + (crosses ? wrap : bits >> 1 & 1));
  }
  return {up ? axis.plus : axis.minus, vc};
}

void DimensionOrder::dependencies(PlaceId place, std::uint16_t in_port, std::uint8_t in_vc,
                                  const std::function<void(Route, bool)>& sink) const {
  const std::uint32_t here = tables_.here(place);
  const std::uint8_t in_axis = tables_.axis_of_port(in_port), top = datelines_ ? 1 : 0;
  const auto turn = [&](std::uint32_t first_axis, std::uint8_t first_vc) {
    for (std::uint32_t i = first_axis; i < tables_.axes(); ++i) {
      const Axis& axis = tables_.axis(i);
      for (const bool up : {true, false}) {
        const bool edge = LatticeTables::at_edge(axis, axis.coordinate(here), up);
        if (edge && !axis.wraps) continue;
        for (std::uint8_t c = edge ? top : 0; c <= top; ++c)
          sink({up ? axis.plus : axis.minus, static_cast<std::uint8_t>(first_vc + c)}, true);
      }
    }
  };
  if (in_axis == LatticeTables::kNoAxis) {
    for (std::uint32_t set = 0; set < sets_.sets(); ++set)
      turn(0, static_cast<std::uint8_t>(set * sets_.needed()));
    return;
  }
  const Axis& axis = tables_.axis(in_axis);
  const bool up = in_port == axis.minus;
  const bool edge = LatticeTables::at_edge(axis, axis.coordinate(here), up);
  const std::uint8_t first_vc = sets_.first(in_vc);
  // A ring of 3 is crossed in one step; what is in channel 1 does not come to the wrap-around (again).
  const bool onward = axis.wraps ? axis.size > 3 && !(datelines_ && edge && in_vc != first_vc) : !edge;
  if (onward && axis.plus != axis.minus)
    sink({up ? axis.plus : axis.minus, static_cast<std::uint8_t>(edge ? first_vc + top : in_vc)}, true);
  turn(in_axis + 1u, first_vc);
}

}  // namespace psim::net
