// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/valiant_lattice.h"

namespace psim::net {

ValiantLattice::ValiantLattice(const Lattice& lattice, std::uint32_t node_ports,
                               std::uint32_t virtual_channels)
    : routers_(lattice.routers()),
      sets_(virtual_channels, needed(lattice)),
      step_(lattice, node_ports, needed(lattice) == 4) {}

void ValiantLattice::inject(Packet& packet, RouterId, std::uint16_t, const LocalLoad&,
                            std::uint64_t random) const {
  packet.via = step_.tables.here(RouterId{scaled(static_cast<std::uint32_t>(random), routers_)});
}

Route ValiantLattice::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                            const LocalLoad&) const {
  const LatticeTables& tables = step_.tables;
  const std::uint32_t here = tables.here(router), bits = flow_bits(packet);
  const auto begins = static_cast<std::uint16_t>(tables.link_ports());
  std::uint8_t first = in_port < begins ? sets_.first(in_vc) : sets_.choose(bits);
  if (here == packet.via) packet.via = kSecondPart;
  const bool second = packet.via == kSecondPart;
  if (second) {
    if (here == packet.address) return tables.eject(packet);
    first = static_cast<std::uint8_t>(first + sets_.needed() / 2);
    if (in_vc < first) in_port = begins;  // the second part begins here
  }
  return step_.next(here, second ? packet.address : packet.via, in_port, in_vc, first, bits);
}

void ValiantLattice::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                                  const std::function<void(Route, bool)>& sink) const {
  const std::uint32_t here = step_.tables.here(router), half = sets_.needed() / 2;
  const auto begins = static_cast<std::uint16_t>(step_.tables.link_ports());
  const auto vc = [](std::uint32_t n) { return static_cast<std::uint8_t>(n); };
  if (in_port >= begins) {
    for (std::uint32_t first = 0; first < sets_.sets() * 2 * half; first += half)
      step_.all(here, begins, 0, vc(first), sink);
    return;
  }
  const std::uint32_t first = sets_.first(in_vc);
  const bool second = in_vc >= first + half;
  step_.all(here, in_port, in_vc, vc(second ? first + half : first), sink);
  if (!second) step_.all(here, begins, 0, vc(first + half), sink);
}

}  // namespace psim::net
