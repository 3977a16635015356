// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/dragonfly_plus_routing.h"

#include <algorithm>
#include <bit>

namespace psim::net {

DragonflyPlusRouting::DragonflyPlusRouting(const DragonflyPlus& network, std::uint32_t node_ports,
                                           std::uint32_t virtual_channels, Scheme scheme,
                                           const AdaptiveConfig& adaptive)
    : network_(network),
      node_ports_(node_ports),
      leaf_shift_(static_cast<std::uint32_t>(std::bit_width(network.p - 1))),
      leaf_mask_((1u << std::bit_width(network.leaves - 1)) - 1),
      group_shift_(leaf_shift_ + static_cast<std::uint32_t>(std::bit_width(network.leaves - 1))),
      sets_(virtual_channels, needed(network, scheme)),
      scheme_(scheme),
      bias_(adaptive.bias.count),
      candidates_(scheme == Scheme::Valiant ? 1 : adaptive.candidates) {
  for (std::uint32_t group = 0; group < network.g; ++group)
    for (std::uint32_t number = 0; number < network.of_group(); ++number) routers_.push_back({group, number});
}

std::uint32_t DragonflyPlusRouting::address(NodeId node) const {
  const std::uint32_t leaf = index(node) / network_.p;
  return leaf / network_.leaves << group_shift_ | leaf % network_.leaves << leaf_shift_ |
         index(node) % network_.p;
}

/// Returns a gate from one group to another, of the given spine or any: the one whose up channel has the
/// least backlog; without `load` the one that `bits` choose.
DragonflyPlusRouting::Gate DragonflyPlusRouting::gate_to(std::uint32_t from, std::uint32_t to,
                                                         std::uint32_t spine, std::uint32_t bits,
                                                         const LocalLoad* load) const {
  const std::uint32_t rails = network_.rails;
  std::uint32_t rail = rails == 1 ? 0 : scaled(bits, rails);
  std::uint64_t least = ~std::uint64_t{0};
  Gate best{.spine = kAnySpine};
  for (std::uint32_t n = 0; n < rails; ++n, rail = rail + 1 == rails ? 0 : rail + 1) {
    const Gate each = gate(network_.slot(from, to, rail));
    if (spine != kAnySpine && each.spine != spine) continue;
    if (load == nullptr) return each;
    const std::uint64_t backlog =
        load->backlog(static_cast<std::uint16_t>(spine == kAnySpine ? each.spine : each.port));
    if (backlog >= least) continue;
    least = backlog;
    best = each;
  }
  return best;
}

/// Returns the hops from a spine of the third group to a leaf of group `to`.
std::uint32_t DragonflyPlusRouting::hops_from(std::uint32_t third, std::uint32_t spine,
                                              std::uint32_t to) const {
  return gate_to(third, to, spine, 0, nullptr).spine != kAnySpine ? 2 : 4;
}

void DragonflyPlusRouting::inject(Packet& packet, RouterId router, std::uint16_t, const LocalLoad& load,
                                  std::uint64_t random) const {
  packet.via = 0;
  const Router from = routers_[index(router)];
  const std::uint32_t to = packet.address >> group_shift_, bits = flow_bits(packet);
  if (scheme_ == Scheme::Minimal || network_.g < 3 || from.group == to) return;
  std::uint64_t least = 0;
  if (scheme_ != Scheme::Valiant)
    least =
        load.backlog(static_cast<std::uint16_t>(gate_to(from.group, to, kAnySpine, bits, &load).spine)) * 3;
  for (std::uint32_t n = 0; n < candidates_; ++n) {
    std::uint32_t third = scaled(static_cast<std::uint32_t>(random), network_.g - 2);
    random = random * 0x9e3779b97f4a7c15u + 0xd1b54a32d192ed03u;
    random ^= random >> 32;
    const auto [low, high] = std::minmax(from.group, to);
    if (third >= low) ++third;
    if (third >= high) ++third;
    if (scheme_ == Scheme::Valiant) {
      packet.via = third + 1;
      return;
    }
    const Gate first = gate_to(from.group, third, kAnySpine, bits, &load);
    const std::uint64_t around = bias_ + load.backlog(static_cast<std::uint16_t>(first.spine)) *
                                             (2 + hops_from(third, first.spine, to));
    if (around >= least) continue;
    least = around;
    packet.via = third + 1;
  }
  if (scheme_ == Scheme::Progressive && packet.via == 0)
    packet.via = kMayDivert | static_cast<std::uint32_t>(random >> 33);
}

/// Returns the port by which a minimal packet leaves the source's group from a spine: by its own cable, or
/// diverted by another one of the spine.
std::uint16_t DragonflyPlusRouting::divert(Router here, Router to, std::uint16_t straight, Packet& packet,
                                           const LocalLoad& load) const {
  const std::uint32_t spine = here.number - network_.leaves;
  const std::uint32_t own = scaled(packet.via << 1, network_.h);
  packet.via = 0;
  const std::uint32_t third = network_.target(here.group, spine * network_.h + own);
  if (third == here.group || third == to.group) return straight;
  const auto port = static_cast<std::uint16_t>(network_.leaves + own);
  const std::uint64_t minimal = load.backlog(straight) * 2;
  const std::uint64_t around = bias_ + load.backlog(port) * (1 + hops_from(third, spine, to.group));
  if (around >= minimal) return straight;
  packet.via = third + 1;
  return port;
}

Route DragonflyPlusRouting::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                                  const LocalLoad& load) const {
  const Router here = routers_[index(router)];
  const Router to{packet.address >> group_shift_, packet.address >> leaf_shift_ & leaf_mask_};
  const bool leaf = here.number < network_.leaves;
  const bool loaded = scheme_ == Scheme::Ugal || scheme_ == Scheme::Progressive;
  const LocalLoad* const seen = loaded ? &load : nullptr;
  if (packet.via == here.group + 1) packet.via = 0;
  const bool passes_on = packet.via == 0 || (packet.via & kMayDivert) != 0;  // to the destination's group
  const std::uint32_t bits = flow_bits(packet);
  if (leaf) {
    if (passes_on && here.group == to.group && here.number == to.number) {
      const std::uint32_t node = packet.address & ((1u << leaf_shift_) - 1);
      return {static_cast<std::uint16_t>(network_.spines + node * node_ports_ +
                                         node_port_of(packet, node_ports_)),
              0};
    }
    const std::uint8_t vc = in_port >= network_.spines ? sets_.choose(bits) : in_vc;
    const std::uint32_t group = passes_on ? to.group : packet.via - 1;
    if (group != here.group)
      return {static_cast<std::uint16_t>(gate_to(here.group, group, kAnySpine, bits, seen).spine), vc};
    std::uint32_t spine = scaled(bits, network_.spines);
    if (loaded) {
      std::uint64_t least = ~std::uint64_t{0};
      std::uint32_t each = spine;
      for (std::uint32_t n = 0; n < network_.spines; ++n, each = each + 1 == network_.spines ? 0 : each + 1) {
        const std::uint64_t backlog = load.backlog(static_cast<std::uint16_t>(each));
        if (backlog >= least) continue;
        least = backlog;
        spine = each;
      }
    }
    return {static_cast<std::uint16_t>(spine), vc};
  }
  const bool crossed = in_port >= network_.leaves;
  const auto vc = static_cast<std::uint8_t>(in_vc + (crossed && sets_.needed() > 1 ? 1 : 0));
  if (passes_on && here.group == to.group) return {static_cast<std::uint16_t>(to.number), vc};
  const std::uint32_t group = passes_on ? to.group : packet.via - 1;
  const Gate next = gate_to(here.group, group, here.number - network_.leaves, bits, seen);
  if (next.spine == kAnySpine)  // the spine of a third group without a cable there: down to a leaf
    return {static_cast<std::uint16_t>(scaled(bits * 0x2c1b3c6du, network_.leaves)), vc};
  const auto port = static_cast<std::uint16_t>(next.port);
  if ((packet.via & kMayDivert) != 0) return {divert(here, to, port, packet, load), vc};
  return {port, vc};
}

void DragonflyPlusRouting::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                                        const std::function<void(Route, bool)>& sink) const {
  const bool leaf = routers_[index(router)].number < network_.leaves;
  const auto pass = [&](std::uint32_t from, std::uint32_t to, std::uint32_t vc) {
    for (std::uint32_t port = from; port < to; ++port)
      sink({static_cast<std::uint16_t>(port), static_cast<std::uint8_t>(vc)}, true);
  };
  const std::uint32_t leaves = network_.leaves, ports = leaves + network_.h;
  if (leaf && in_port >= network_.spines) {
    for (std::uint32_t set = 0; set < sets_.sets(); ++set) pass(0, network_.spines, set * sets_.needed());
    return;
  }
  const std::uint32_t part = in_vc - sets_.first(in_vc), last = sets_.needed() - 1;
  if (leaf) {
    if (part == 1 && last == 2) pass(0, network_.spines, in_vc);  // up again in a third group
  } else if (in_port < leaves) {
    if (part == 0) pass(0, leaves, in_vc);
    if (part < last || last == 0) pass(leaves, ports, in_vc);
  } else if (last == 0) {
    pass(0, leaves, in_vc);
  } else if (part < last) {
    pass(0, leaves, in_vc + 1u);
    if (part + 1 < last) pass(leaves, ports, in_vc + 1u);
  }
}

}  // namespace psim::net
