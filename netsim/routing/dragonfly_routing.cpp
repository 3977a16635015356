// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/dragonfly_routing.h"

#include <bit>

namespace psim::net {

std::uint32_t DragonflyRouting::needed(const Dragonfly& dragonfly, Scheme scheme) {
  if (dragonfly.g == 1) return 1;
  return scheme == Scheme::Minimal || dragonfly.g == 2 ? 2 : 3;
}

DragonflyRouting::DragonflyRouting(const Dragonfly& dragonfly, std::uint32_t node_ports,
                                   std::uint32_t virtual_channels, Scheme scheme)
    : dragonfly_(dragonfly),
      node_ports_(node_ports),
      router_shift_(static_cast<std::uint32_t>(std::bit_width(dragonfly.p - 1))),
      router_mask_((1u << std::bit_width(dragonfly.a - 1)) - 1),
      group_shift_(router_shift_ + static_cast<std::uint32_t>(std::bit_width(dragonfly.a - 1))),
      sets_(virtual_channels, needed(dragonfly, scheme)),
      scheme_(scheme) {
  for (std::uint32_t router = 0; router < dragonfly.a; ++router)
    for (std::uint32_t port = 0; port < dragonfly.h; ++port)
      gates_.push_back(
          {static_cast<std::uint16_t>(router), static_cast<std::uint16_t>(dragonfly.a - 1 + port)});
  for (std::uint32_t group = 0; group < dragonfly.g; ++group)
    for (std::uint32_t router = 0; router < dragonfly.a; ++router) routers_.push_back({group, router});
}

std::uint32_t DragonflyRouting::address(NodeId node) const {
  const std::uint32_t router = index(node) / dragonfly_.p;
  return router / dragonfly_.a << group_shift_ | router % dragonfly_.a << router_shift_ |
         index(node) % dragonfly_.p;
}

/// Returns the best route from a router to `router` (or kAnyRouter) of another group.
DragonflyRouting::GroupRoute DragonflyRouting::route_to_group(Router from, std::uint32_t group,
                                                              std::uint32_t router,
                                                              std::uint32_t bits) const {
  // A packet that has reached a gate never leaves it for another: the best gate at the source is still the
  // best.
  const std::uint32_t rails = dragonfly_.rails;
  std::uint32_t rail = rails == 1 ? 0 : scaled(bits, rails);
  GroupRoute best{.steps = ~0u};
  for (std::uint32_t n = 0; n < rails; ++n, rail = rail + 1 == rails ? 0 : rail + 1) {
    const Gate gate = gates_[dragonfly_.slot(from.group, group, rail)];
    const std::uint32_t lands = gates_[dragonfly_.slot(group, from.group, rail)].router;
    const bool here = gate.router == from.number;
    const std::uint32_t steps = (here ? 1u : 2u) + (router != kAnyRouter && lands != router ? 1 : 0);
    if (steps >= best.steps) continue;
    best = {here ? gate.port : Dragonfly::local_port(from.number, gate.router), steps, lands};
  }
  return best;
}

void DragonflyRouting::inject(Packet& packet, RouterId router, const LocalLoad& load,
                              std::uint64_t random) const {
  packet.via = 0;
  const Router from = routers_[index(router)], to = destination(packet);
  if (scheme_ == Scheme::Minimal || dragonfly_.g < 3 || from.group == to.group) return;
  std::uint32_t third = scaled(static_cast<std::uint32_t>(random), dragonfly_.g - 2);
  const std::uint32_t low = std::min(from.group, to.group), high = std::max(from.group, to.group);
  if (third >= low) ++third;
  if (third >= high) ++third;
  if (scheme_ == Scheme::Ugal) {
    const std::uint32_t bits = flow_bits(packet);
    const GroupRoute straight = route_to_group(from, to.group, to.number, bits);
    const GroupRoute first = route_to_group(from, third, kAnyRouter, bits);
    const GroupRoute second = route_to_group({third, first.lands}, to.group, to.number, bits);
    const std::uint64_t minimal = load.backlog(static_cast<std::uint16_t>(straight.port)) * straight.steps;
    const std::uint64_t around =
        load.backlog(static_cast<std::uint16_t>(first.port)) * (first.steps + second.steps);
    if (minimal <= around) return;
  }
  packet.via = third + 1;
}

Route DragonflyRouting::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                              const LocalLoad&) const {
  const Router here = routers_[index(router)], to = destination(packet);
  const std::uint32_t links = dragonfly_.link_ports();
  const bool injected = in_port >= links;
  if (packet.via == here.group + 1) packet.via = 0;
  if (packet.via == 0 && here.group == to.group && here.number == to.number) {
    const std::uint32_t node = packet.address & ((1u << router_shift_) - 1);
    return {static_cast<std::uint16_t>(links + node * node_ports_ + node_port_of(packet, node_ports_)), 0};
  }
  const std::uint32_t bits = flow_bits(packet);
  const std::uint32_t crossed = !injected && in_port >= dragonfly_.a - 1 ? 1 : 0;
  const auto vc = static_cast<std::uint8_t>(injected ? sets_.choose(bits) : in_vc + crossed);
  if (packet.via != 0)
    return {static_cast<std::uint16_t>(route_to_group(here, packet.via - 1, kAnyRouter, bits).port), vc};
  if (here.group == to.group)
    return {static_cast<std::uint16_t>(Dragonfly::local_port(here.number, to.number)), vc};
  return {static_cast<std::uint16_t>(route_to_group(here, to.group, to.number, bits).port), vc};
}

void DragonflyRouting::dependencies(RouterId, std::uint16_t in_port, std::uint8_t in_vc,
                                    const std::function<void(Route, bool)>& sink) const {
  const std::uint32_t locals = dragonfly_.a - 1, links = dragonfly_.link_ports();
  const auto next = [&](std::uint32_t vc, bool local_too) {
    const bool last = vc - sets_.first(static_cast<std::uint8_t>(vc)) + 1 == sets_.needed();
    for (std::uint32_t port = local_too ? 0 : locals; port < (last ? locals : links); ++port)
      sink({static_cast<std::uint16_t>(port), static_cast<std::uint8_t>(vc)}, true);
  };
  if (in_port >= links) {
    for (std::uint32_t set = 0; set < sets_.sets(); ++set) next(set * sets_.needed(), true);
  } else if (in_port < locals) {
    next(in_vc, false);
  } else if (in_vc + 1u < sets_.first(in_vc) + sets_.needed()) {
    next(in_vc + 1u, true);
  }
}

}  // namespace psim::net
