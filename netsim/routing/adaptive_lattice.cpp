// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/adaptive_lattice.h"

namespace psim::net {

AdaptiveLattice::AdaptiveLattice(const Lattice& lattice, std::uint32_t node_ports,
                                 std::uint32_t virtual_channels)
    : vcs_(virtual_channels),
      escapes_(DimensionOrderStep::needed(lattice)),
      step_(lattice, node_ports, escapes_ == 2) {}

Route AdaptiveLattice::escape(std::uint32_t here, std::uint16_t in_port, std::uint8_t in_vc,
                              const Packet& packet) const {
  // A packet from an adaptive channel starts again: its channel does not record crossed datelines.
  const bool inside = in_port < step_.tables.link_ports() && in_vc < escapes_;
  const auto port = inside ? in_port : static_cast<std::uint16_t>(step_.tables.link_ports());
  return step_.next(here, packet.address, port, in_vc, 0, flow_bits(packet));
}

Route AdaptiveLattice::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                             const LocalLoad& load) const {
  const LatticeTables& tables = step_.tables;
  const std::uint32_t here = tables.here(router), differ = here ^ packet.address;
  if (differ == 0) return tables.eject(packet);
  const std::uint32_t bits = flow_bits(packet);
  // A packet must not wait for a busy channel while another is idle.
  constexpr std::uint64_t kAtOnce = std::uint64_t{1} << 63;
  std::uint64_t most = 0;
  Route best{};
  for (std::uint32_t i = tables.first_axis(differ); i < tables.axes(); ++i) {
    const Axis& axis = tables.axis(i);
    const std::uint32_t from = axis.coordinate(here), to = axis.coordinate(packet.address);
    if (from == to) continue;
    const bool up = LatticeTables::upward(axis, from, to, bits);
    const std::uint16_t port = up ? axis.plus : axis.minus;
    const std::uint64_t preferred = load.idle(port) ? kAtOnce : 0;
    for (std::uint32_t vc = escapes_; vc < vcs_; ++vc) {
      const std::uint64_t room = load.credits(port, static_cast<std::uint8_t>(vc));
      if (room < packet.bytes || (room | preferred) <= most) continue;
      most = room | preferred;
      best = {port, static_cast<std::uint8_t>(vc)};
    }
  }
  return most != 0 ? best : escape(here, in_port, in_vc, packet);
}

void AdaptiveLattice::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                                   const std::function<void(Route, bool)>& sink) const {
  const LatticeTables& tables = step_.tables;
  const std::uint32_t here = tables.here(router);
  const bool inside = in_port < tables.link_ports() && in_vc < escapes_;
  step_.all(here, inside ? in_port : static_cast<std::uint16_t>(tables.link_ports()), in_vc, 0, sink);
  for (std::uint32_t i = 0; i < tables.axes(); ++i) {
    const Axis& axis = tables.axis(i);
    for (const bool up : {true, false}) {
      if (!axis.wraps && LatticeTables::at_edge(axis, axis.coordinate(here), up)) continue;
      for (std::uint32_t vc = escapes_; vc < vcs_; ++vc)
        sink({up ? axis.plus : axis.minus, static_cast<std::uint8_t>(vc)}, false);
    }
  }
}

}  // namespace psim::net
