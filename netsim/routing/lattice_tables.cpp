// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/lattice_tables.h"

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

}  // namespace psim::net
