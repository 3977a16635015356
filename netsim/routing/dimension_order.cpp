// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/dimension_order.h"

#include <algorithm>

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
  packed_.resize(lattice.routers());
  for (std::uint32_t router = 0; router < lattice.routers(); ++router)
    packed_[router] = lattice.packed(router);
}

std::uint32_t DimensionOrderStep::needed(const Lattice& lattice) {
  for (const Axis& axis : lattice.axes())
    if (axis.wraps && axis.size > 3) return 2;
  return 1;
}

void DimensionOrderStep::turns(std::uint32_t here, std::uint32_t first_axis, std::uint8_t first,
                               const std::function<void(Route, bool)>& sink) const {
  const std::uint8_t top = datelines_ ? 1 : 0;
  for (std::uint32_t i = first_axis; i < tables.axes(); ++i) {
    const Axis& axis = tables.axis(i);
    for (const bool up : {true, false}) {
      const bool edge = LatticeTables::at_edge(axis, axis.coordinate(here), up);
      if (edge && !axis.wraps) continue;
      for (std::uint8_t c = edge ? top : 0; c <= top; ++c)
        sink({up ? axis.plus : axis.minus, static_cast<std::uint8_t>(first + c)}, true);
    }
  }
}

void DimensionOrderStep::all(std::uint32_t here, std::uint16_t in_port, std::uint8_t in_vc,
                             std::uint8_t first, const std::function<void(Route, bool)>& sink) const {
  const std::uint8_t in_axis = tables.axis_of_port(in_port), top = datelines_ ? 1 : 0;
  if (in_axis == LatticeTables::kNoAxis) return turns(here, 0, first, sink);
  const Axis& axis = tables.axis(in_axis);
  const bool up = in_port == axis.minus;
  const bool edge = LatticeTables::at_edge(axis, axis.coordinate(here), up);
  // A ring of 3 is crossed in one step; packets in channel 1 do not reach the wrap-around cable (again).
  const bool onward = axis.wraps ? axis.size > 3 && !(datelines_ && edge && in_vc != first) : !edge;
  if (onward && axis.plus != axis.minus)
    sink({up ? axis.plus : axis.minus, static_cast<std::uint8_t>(edge ? first + top : in_vc)}, true);
  turns(here, in_axis + 1u, first, sink);
}

DimensionOrder::DimensionOrder(const Lattice& lattice, std::uint32_t node_ports,
                               std::uint32_t virtual_channels)
    : sets_(virtual_channels, std::min(DimensionOrderStep::needed(lattice), virtual_channels)),
      step_(lattice, node_ports, sets_.needed() == 2),
      needed_(DimensionOrderStep::needed(lattice)) {}

void DimensionOrder::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                                  const std::function<void(Route, bool)>& sink) const {
  const std::uint32_t here = step_.tables.here(router);
  if (in_port < step_.tables.link_ports()) return step_.all(here, in_port, in_vc, sets_.first(in_vc), sink);
  for (std::uint32_t set = 0; set < sets_.sets(); ++set)
    step_.all(here, in_port, 0, static_cast<std::uint8_t>(set * sets_.needed()), sink);
}

}  // namespace psim::net
