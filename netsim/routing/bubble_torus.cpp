// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/bubble_torus.h"

namespace psim::net {

BubbleTorus::BubbleTorus(const Lattice& lattice, std::uint32_t node_ports, std::uint32_t virtual_channels)
    : sets_(virtual_channels, 1), step_(lattice, node_ports, false) {}

Route BubbleTorus::marked(Route route, std::uint16_t in_port) const {
  route.enters = step_.tables.axis_of_port(in_port) != step_.tables.axis_of_port(route.port);
  return route;
}

Route BubbleTorus::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                         const LocalLoad&) const {
  const LatticeTables& tables = step_.tables;
  const std::uint32_t here = tables.here(router);
  if (here == packet.address) return tables.eject(packet);
  const std::uint32_t bits = flow_bits(packet);
  const std::uint8_t first = in_port < tables.link_ports() ? in_vc : sets_.choose(bits);
  return marked(step_.next(here, packet.address, in_port, in_vc, first, bits), in_port);
}

void BubbleTorus::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                               const std::function<void(Route, bool)>& sink) const {
  const std::uint32_t here = step_.tables.here(router);
  const auto each = [&](std::uint8_t first) {
    step_.all(here, in_port, first, first,
              [&](Route route, bool escape) { sink(marked(route, in_port), escape); });
  };
  if (in_port < step_.tables.link_ports()) return each(in_vc);
  for (std::uint32_t set = 0; set < sets_.sets(); ++set) each(static_cast<std::uint8_t>(set));
}

}  // namespace psim::net
