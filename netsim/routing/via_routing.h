// SPDX-License-Identifier: Apache-2.0
// Minimal routes, and routes through a random third router (Valiant), over the steps of a topology:
// - minimal: the step's route. In order.
// - valiant: minimal to a random router, and from there minimal to the destination.
// - ugal (UGAL-L; Singh, 2005): at the source, of the minimal route and routing.candidates Valiant ones
//   the one with the least product of its hops and the backlog of its first channel. Valiant ones count
//   routing.bias more.
// - ugal-g (UGAL-G): likewise with the sum of the backlogs of all channels of the route, which no router can
//   know; the bound for ugal.
//
// Virtual channels: with kHopChannels a route takes the next one at each hop. Otherwise routes of the step
// are free of circles on one, and the second part of a Valiant route takes another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "netsim/config/network_config.h"
#include "netsim/routing/routing.h"
#include "netsim/routing/virtual_channels.h"

namespace psim::net {

enum class ViaScheme : std::uint8_t { Minimal, Valiant, Ugal, UgalGlobal };

/// Returns the scheme with this name of topology.routing; Minimal for all others.
inline ViaScheme via_scheme(const std::string& routing) {
  return routing == "valiant"  ? ViaScheme::Valiant
         : routing == "ugal"   ? ViaScheme::Ugal
         : routing == "ugal-g" ? ViaScheme::UgalGlobal
                               : ViaScheme::Minimal;
}

/// A Step has
///   static constexpr bool kHopChannels
///   uint32 routers(), terminals(), channels()
///     Return the numbers of routers, of nodes at each, and of virtual channels of a minimal route.
///   uint32 link_ports()
///     Returns the number of ports to routers of each router.
///   uint16 port(here, to, bits)
///     Returns the next port of a minimal route to another router; `bits` choose between equal ones.
///   uint32 beyond(here, port), hops(here, to)
///     Return the router that a port leads to, and the length of the minimal route.
///   void onward(router, in_port, sink)
///     Passes all ports by which minimal routes go on that entered by in_port, or that begin, by a node's
///     port.
template <class Step>
class ViaRouting final : public Routing {
 public:
  static std::uint32_t needed(const Step& step, ViaScheme scheme) {
    return step.channels() * (scheme == ViaScheme::Minimal ? 1 : 2);
  }
  /// `virtual_channels` ≥ needed().
  ViaRouting(Step step, std::uint32_t node_ports, std::uint32_t virtual_channels, ViaScheme scheme,
             const AdaptiveConfig& adaptive, VcChoice choice)
      : step_(std::move(step)),
        node_ports_(node_ports),
        terminal_bits_(static_cast<std::uint32_t>(std::bit_width(step_.terminals() - 1))),
        sets_(virtual_channels, needed(step_, scheme)),
        scheme_(scheme),
        free_channels_(choice == VcChoice::Free),
        bias_(adaptive.bias.count),
        candidates_(scheme == ViaScheme::Valiant ? 1 : adaptive.candidates) {}

  bool adaptive() const override { return free_channels_; }
  bool in_order() const override { return scheme_ == ViaScheme::Minimal && !free_channels_; }
  bool any_set() const override { return free_channels_; }
  bool global() const override { return scheme_ == ViaScheme::UgalGlobal; }
  std::uint32_t virtual_channels() const override { return sets_.needed(); }
  std::uint32_t address(NodeId node) const override {
    return index(node) / step_.terminals() << terminal_bits_ | index(node) % step_.terminals();
  }
  void inject(Packet& packet, RouterId router, std::uint16_t in_port, const LocalLoad& load,
              std::uint64_t random) const override;
  Route route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
              const LocalLoad& load) const override;
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route route, bool escape)>& sink) const override;

 private:
  /// Packet::via: kDirect, kSecondPart, or the third router + 1.
  static constexpr std::uint32_t kDirect = 0, kSecondPart = 0xffffffff;

  std::uint64_t cost(std::uint32_t from, std::uint32_t to, std::uint32_t bits, const LocalLoad& load) const {
    std::uint64_t sum = 0;
    while (from != to) {
      const std::uint16_t port = step_.port(from, to, bits);
      sum += load.backlog_at(RouterId{from}, port);
      from = step_.beyond(from, port);
    }
    return sum;
  }

  Step step_;
  std::uint32_t node_ports_, terminal_bits_;
  VcSets sets_;
  ViaScheme scheme_;
  bool free_channels_;
  std::uint64_t bias_;
  std::uint32_t candidates_;
};

template <class Step>
void ViaRouting<Step>::inject(Packet& packet, RouterId router, std::uint16_t, const LocalLoad& load,
                              std::uint64_t random) const {
  packet.via = kDirect;
  const std::uint32_t from = index(router), to = packet.address >> terminal_bits_;
  if (scheme_ == ViaScheme::Minimal || from == to) return;
  const std::uint32_t bits = flow_bits(packet);
  const bool global = scheme_ == ViaScheme::UgalGlobal;
  std::uint64_t least = 0;
  if (scheme_ != ViaScheme::Valiant)
    least =
        global ? cost(from, to, bits, load) : load.backlog(step_.port(from, to, bits)) * step_.hops(from, to);
  for (std::uint32_t n = 0; n < candidates_; ++n) {
    const std::uint32_t via = scaled(static_cast<std::uint32_t>(random), step_.routers());
    random = random * 0x9e3779b97f4a7c15u + 0xd1b54a32d192ed03u;
    random ^= random >> 32;
    if (via == from || via == to) continue;
    if (scheme_ == ViaScheme::Valiant) {
      packet.via = via + 1;
      return;
    }
    const std::uint64_t around = bias_ + (global ? cost(from, via, bits, load) + cost(via, to, bits, load)
                                                 : load.backlog(step_.port(from, via, bits)) *
                                                       (step_.hops(from, via) + step_.hops(via, to)));
    if (around >= least) continue;
    least = around;
    packet.via = via + 1;
  }
}

template <class Step>
Route ViaRouting<Step>::route(RouterId router, std::uint16_t in_port, std::uint8_t in_vc, Packet& packet,
                              const LocalLoad& load) const {
  const std::uint32_t here = index(router), to = packet.address >> terminal_bits_;
  const std::uint32_t links = step_.link_ports();
  if (here + 1 == packet.via) packet.via = kSecondPart;
  const bool passes_on = packet.via == kDirect || packet.via == kSecondPart;  // to the destination
  if (here == to && passes_on) {
    const std::uint32_t terminal = packet.address & ((1u << terminal_bits_) - 1);
    return {static_cast<std::uint16_t>(links + terminal * node_ports_ + node_port_of(packet, node_ports_)),
            0};
  }
  const std::uint32_t bits = flow_bits(packet);
  const std::uint16_t port = step_.port(here, passes_on ? to : packet.via - 1, bits);
  std::uint8_t vc;
  if (in_port >= links)
    vc = sets_.choose(bits);
  else if constexpr (Step::kHopChannels)
    vc = static_cast<std::uint8_t>(in_vc + 1);
  else
    vc = static_cast<std::uint8_t>(sets_.first(in_vc) + (packet.via == kSecondPart ? 1 : 0));
  return {port, free_channels_ ? sets_.freest(vc, port, load) : vc};
}

template <class Step>
void ViaRouting<Step>::dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                                    const std::function<void(Route, bool)>& sink) const {
  const auto links = static_cast<std::uint16_t>(step_.link_ports());
  const bool from_link = in_port < links;
  // Passes the channels in this place of each set that a packet may take.
  const auto pass = [&](std::uint16_t from, std::uint32_t place) {
    for (std::uint32_t set = 0; set < sets_.sets(); ++set) {
      const std::uint32_t first = set * sets_.needed();
      if (from_link && !free_channels_ && first != sets_.first(in_vc)) continue;
      step_.onward(index(router), from, [&](std::uint16_t port) {
        sink({port, static_cast<std::uint8_t>(first + place)}, true);
      });
    }
  };
  if (!from_link) return pass(links, 0);
  const std::uint32_t place = in_vc - sets_.first(in_vc);
  const bool has_next = place + 1 < sets_.needed();
  if constexpr (Step::kHopChannels) {
    if (has_next) pass(in_port, place + 1);
  } else {
    pass(in_port, place);
    if (has_next) pass(links, place + 1);  // the second part begins here
  }
}

}  // namespace psim::net
