// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/free_dimension_order.h"

#include <algorithm>

namespace psim::net {

FreeDimensionOrder::FreeDimensionOrder(const Lattice& lattice, std::uint32_t node_ports,
                                       std::uint32_t virtual_channels, bool free_channels, bool random_ties)
    : sets_(virtual_channels, std::min(DimensionOrderStep::needed(lattice), virtual_channels)),
      step_(lattice, node_ports, sets_.needed() == 2),
      needed_(DimensionOrderStep::needed(lattice)),
      free_channels_(free_channels),
      random_ties_(random_ties) {}

void FreeDimensionOrder::inject(Packet& packet, RouterId, std::uint16_t, const LocalLoad&,
                                std::uint64_t random) const {
  packet.via = random_ties_ ? static_cast<std::uint32_t>(random >> 32) : flow_bits(packet);
}

Route FreeDimensionOrder::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                                const LocalLoad& load) const {
  const LatticeTables& tables = step_.tables;
  const std::uint32_t here = tables.here(router);
  if (here == packet.address) return tables.eject(packet);
  const std::uint32_t bits = packet.via;
  const std::uint8_t first = in_port < tables.link_ports() ? sets_.first(in_vc) : sets_.choose(bits);
  Route route = step_.next(here, packet.address, in_port, in_vc, first, bits);
  if (free_channels_) route.vc = sets_.freest(route.vc, route.port, load);
  return route;
}

void FreeDimensionOrder::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                                      const std::function<void(Route, bool)>& sink) const {
  const std::uint32_t here = step_.tables.here(router);
  const bool from_link = in_port < step_.tables.link_ports();
  const auto own = static_cast<std::uint8_t>(from_link ? in_vc - sets_.first(in_vc) : 0);
  for (std::uint32_t set = 0; set < sets_.sets(); ++set) {
    const auto first = static_cast<std::uint8_t>(set * sets_.needed());
    if (from_link && !free_channels_ && first != sets_.first(in_vc)) continue;
    step_.all(here, in_port, static_cast<std::uint8_t>(first + own), first, sink);
  }
}

}  // namespace psim::net
