// SPDX-License-Identifier: Apache-2.0
// A packet in flight: 40 bytes, copied by value into events and buffers and between host processes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "netsim/packet/route.h"

namespace psim::net {

struct Packet {
  std::uint64_t born = 0;     ///< ps; its head's start of injection, for latency and age arbitration
  std::uint32_t address = 0;  ///< the destination in the routing's encoding: Routing::address()
  std::uint32_t via = 0;      ///< state of the routing, e.g. Valiant's intermediate router
  std::uint32_t source = 0;   ///< node(); above it Message::owner
  std::uint32_t message =
      0;  ///< the source node's number of the message; of a part of a striped one with rail()
  std::uint32_t bytes = 0;   ///< on the wire and in buffers, headers included
  std::uint32_t serial = 0;  ///< ps; serialisation on a link of the common bandwidth, cumulated per message
  std::uint32_t lag = 0;     ///< ps; from head to tail at its present position, at least its serialisation
  Route route;               ///< at the next router, if it was computed when the packet was sent

  static constexpr std::uint32_t kNodeBits = 24;
  static constexpr std::uint32_t source_of(std::uint32_t node, std::uint8_t owner) {
    return node | std::uint32_t{owner} << kNodeBits;
  }
  std::uint32_t node() const { return source & ((1u << kNodeBits) - 1); }
  /// Above the number of a part of a striped message: the port of its source, counted from 1; with
  /// NicRails::Spread Routing::rail().
  static constexpr std::uint32_t kMessageBits = 27;
  std::uint32_t rail() const { return message >> kMessageBits; }
  std::uint8_t owner() const { return static_cast<std::uint8_t>(source >> kNodeBits); }
};
static_assert(std::is_trivially_copyable_v<Packet> && sizeof(Packet) == 40);

}  // namespace psim::net
