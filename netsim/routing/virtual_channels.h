// SPDX-License-Identifier: Apache-2.0
// Sets of virtual channels. A scheme that needs n virtual channels has S = ⌊channels / n⌋ sets; set s is the
// virtual channels s n … s n + n - 1, and the rest stays empty. A packet stays in one set. All packets from
// one node to another take the same set and the same route, so that deterministic schemes deliver in order;
// different pairs are spread evenly. With router.vc_choice = free packets change between sets instead.
#pragma once

#include <array>
#include <cstdint>

#include "netsim/packet/packet.h"
#include "netsim/routing/routing.h"

namespace psim::net {

/// Returns 32 well-mixed bits that all packets of one source and destination share.
inline std::uint32_t flow_bits(const Packet& packet) {
  std::uint32_t x = packet.node() * 0x9e3779b1u ^ packet.address * 0x85ebca6bu;
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  return x ^ x >> 16;
}

/// Returns `bits` scaled to 0 … count - 1, evenly, without a division.
constexpr std::uint32_t scaled(std::uint32_t bits, std::uint32_t count) {
  return static_cast<std::uint32_t>(std::uint64_t{bits} * count >> 32);
}

/// Returns the destination's port (of `node_ports`) by which a packet leaves: the same for all of a flow.
inline std::uint32_t node_port_of(const Packet& packet, std::uint32_t node_ports) {
  if (node_ports == 1) return 0;
  return packet.rail() != 0 ? packet.rail() - 1 : scaled(flow_bits(packet), node_ports);
}

class VcSets {
 public:
  static constexpr std::uint32_t kMostChannels = 16;

  VcSets(std::uint32_t channels, std::uint32_t needed) : sets_(channels / needed), needed_(needed) {
    for (std::uint32_t vc = 0; vc < kMostChannels; ++vc)
      first_[vc] = static_cast<std::uint8_t>(vc / needed * needed);
  }

  std::uint32_t sets() const { return sets_; }
  std::uint32_t needed() const { return needed_; }
  /// Returns the first virtual channel of the set that has `vc`.
  std::uint8_t first(std::uint8_t vc) const { return first_[vc]; }
  /// Returns, of all sets' virtual channels in the place of `vc`, one with most credits behind `port`; `vc`
  /// if no other has more (router.vc_choice = free).
  std::uint8_t freest(std::uint8_t vc, std::uint16_t port, const LocalLoad& load) const {
    std::uint8_t best = vc;
    std::uint64_t most = load.credits(port, vc);
    for (std::uint32_t set = 0, each = vc - first(vc); set < sets_; ++set, each += needed_)
      if (const std::uint64_t credits = load.credits(port, static_cast<std::uint8_t>(each)); credits > most) {
        most = credits;
        best = static_cast<std::uint8_t>(each);
      }
    return best;
  }
  /// Returns the first virtual channel of the set for a flow.
  std::uint8_t choose(std::uint32_t bits) const {
    return static_cast<std::uint8_t>(scaled(bits, sets_) * needed_);
  }

 private:
  std::uint32_t sets_, needed_;
  std::array<std::uint8_t, kMostChannels> first_{};
};

}  // namespace psim::net
