// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/dragonfly_routing.h"

#include <algorithm>
#include <bit>

namespace psim::net {

std::uint32_t DragonflyRouting::needed(const Dragonfly& dragonfly, Scheme scheme) {
  if (dragonfly.g == 1) return 1;
  if (scheme == Scheme::Minimal || dragonfly.g == 2) return 2;
  return scheme == Scheme::Progressive ? 4 : 3;
}

DragonflyRouting::DragonflyRouting(const Dragonfly& dragonfly, std::uint32_t node_ports,
                                   std::uint32_t virtual_channels, Scheme scheme,
                                   const AdaptiveConfig& adaptive)
    : dragonfly_(dragonfly),
      node_ports_(node_ports),
      router_shift_(static_cast<std::uint32_t>(std::bit_width(dragonfly.p - 1))),
      router_mask_((1u << std::bit_width(dragonfly.a - 1)) - 1),
      group_shift_(router_shift_ + static_cast<std::uint32_t>(std::bit_width(dragonfly.a - 1))),
      sets_(virtual_channels, needed(dragonfly, scheme)),
      scheme_(scheme),
      bias_(adaptive.bias.count),
      candidates_(scheme == Scheme::Valiant ? 1 : adaptive.candidates) {
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

/// Returns the backlog of all channels from a router to the first one of another group, or to `router` there
/// if it is that, and moves `from` to it.
std::uint64_t DragonflyRouting::cost_to_group(Router& from, std::uint32_t group, std::uint32_t router,
                                              std::uint32_t bits, const LocalLoad& load) const {
  std::uint64_t sum = 0;
  while (from.group != group) {
    const GroupRoute next = route_to_group(from, group, router, bits);
    sum += load.backlog_at(RouterId{from.group * dragonfly_.a + from.number},
                           static_cast<std::uint16_t>(next.port));
    if (next.port >= dragonfly_.a - 1)
      from = {group, next.lands};
    else
      from.number = next.port < from.number ? next.port : next.port + 1;
  }
  return sum;
}

/// Returns the cost of the minimal route to another group.
std::uint64_t DragonflyRouting::straight(Router from, Router to, std::uint32_t bits,
                                         const LocalLoad& load) const {
  if (scheme_ != Scheme::UgalGlobal) {
    const GroupRoute first = route_to_group(from, to.group, to.number, bits);
    return load.backlog(static_cast<std::uint16_t>(first.port)) * first.steps;
  }
  const std::uint64_t sum = cost_to_group(from, to.group, to.number, bits, load);
  if (from.number == to.number) return sum;
  return sum + load.backlog_at(RouterId{from.group * dragonfly_.a + from.number},
                               static_cast<std::uint16_t>(Dragonfly::local_port(from.number, to.number)));
}

/// Returns the cost of the route through a third group, with the bias.
std::uint64_t DragonflyRouting::around(Router from, std::uint32_t third, Router to, std::uint32_t bits,
                                       const LocalLoad& load) const {
  if (scheme_ == Scheme::UgalGlobal) {
    const std::uint64_t sum = cost_to_group(from, third, kAnyRouter, bits, load);
    return bias_ + sum + straight(from, to, bits, load);
  }
  const GroupRoute first = route_to_group(from, third, kAnyRouter, bits);
  const GroupRoute second = route_to_group({third, first.lands}, to.group, to.number, bits);
  return bias_ + load.backlog(static_cast<std::uint16_t>(first.port)) * (first.steps + second.steps);
}

void DragonflyRouting::inject(Packet& packet, RouterId router, std::uint16_t, const LocalLoad& load,
                              std::uint64_t random) const {
  packet.via = 0;
  const Router from = routers_[index(router)], to = destination(packet);
  if (scheme_ == Scheme::Minimal || dragonfly_.g < 3 || from.group == to.group) return;
  const std::uint32_t bits = flow_bits(packet);
  std::uint64_t least = scheme_ == Scheme::Valiant ? 0 : straight(from, to, bits, load);
  std::uint32_t last = 0;
  for (std::uint32_t n = 0; n < candidates_; ++n) {
    std::uint32_t third = scaled(static_cast<std::uint32_t>(random), dragonfly_.g - 2);
    random = random * 0x9e3779b97f4a7c15u + 0xd1b54a32d192ed03u;
    random ^= random >> 32;
    const auto [low, high] = std::minmax(from.group, to.group);
    if (third >= low) ++third;
    if (third >= high) ++third;
    last = third + 1;
    const std::uint64_t cost = scheme_ == Scheme::Valiant ? 0 : around(from, third, to, bits, load);
    if (scheme_ != Scheme::Valiant && cost >= least) continue;
    least = cost;
    packet.via = last;
  }
  if (scheme_ == Scheme::Progressive && packet.via == 0) packet.via = kMayDivert | last;
}

Route DragonflyRouting::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                              const LocalLoad& load) const {
  const Router here = routers_[index(router)], to = destination(packet);
  const std::uint32_t links = dragonfly_.link_ports();
  const bool injected = in_port >= links;
  if (packet.via == here.group + 1) packet.via = 0;
  if ((packet.via == 0 || (packet.via & kMayDivert) != 0) && here.group == to.group &&
      here.number == to.number) {
    const std::uint32_t node = packet.address & ((1u << router_shift_) - 1);
    return {static_cast<std::uint16_t>(links + node * node_ports_ + node_port_of(packet, node_ports_)), 0};
  }
  const std::uint32_t bits = flow_bits(packet);
  const bool local = in_port < dragonfly_.a - 1;
  if ((packet.via & kMayDivert) != 0 && !injected) {
    const std::uint32_t third = packet.via & ~kMayDivert;
    packet.via = 0;
    if (local && here.group != to.group &&
        around(here, third - 1, to, bits, load) < straight(here, to, bits, load))
      packet.via = third;
  }
  const std::uint32_t crossed = !injected && in_port >= dragonfly_.a - 1 ? 1 : 0;
  auto vc = static_cast<std::uint8_t>(injected ? sets_.choose(bits) : in_vc + crossed);
  if (packet.via != 0 && (packet.via & kMayDivert) == 0) {
    const auto port = static_cast<std::uint16_t>(route_to_group(here, packet.via - 1, kAnyRouter, bits).port);
    if (local && port < dragonfly_.a - 1) ++vc;  // diverted after its first local step
    return {port, vc};
  }
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
    if (scheme_ == Scheme::Progressive && dragonfly_.g > 2 && in_vc == sets_.first(in_vc))
      for (std::uint32_t port = 0; port < locals; ++port)
        sink({static_cast<std::uint16_t>(port), static_cast<std::uint8_t>(in_vc + 1)}, true);
  } else if (in_vc + 1u < sets_.first(in_vc) + sets_.needed()) {
    next(in_vc + 1u, true);
  }
}

}  // namespace psim::net
