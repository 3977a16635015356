// SPDX-License-Identifier: Apache-2.0
// Events and their order: (time, router, round, phase, source, sequence). The order does not depend on
// addresses, on the order of insertion or on the distribution of routers over host processes, so the same
// run gives the same bytes anywhere (docs/decisions/0019).
#pragma once

#include <cstdint>

#include "netsim/packet/packet.h"

namespace psim::net {

/// The phases of one instant of a router, in this order. An event for an earlier phase of the same instant
/// opens the next round.
enum class Phase : std::uint8_t { Fabric, Arbitration, Delivery, Ranks };

/// Kinds of events, grouped by phase. Arbitration has no event: it follows the fabric's events of a round.
enum class EventKind : std::uint8_t {
  Arrival,    ///< Fabric: a packet's head may request an output of this router
  Credit,     ///< Fabric: credits returned from the buffer behind an output
  Freed,      ///< Fabric: an output, an input, or both are free again
  Injected,   ///< Delivery: a node's channel to its router is free, or has room again
  Ejected,    ///< Delivery: a packet's tail reached its node
  Completed,  ///< Delivery: a message is in memory, or has left it
  Timer,      ///< Delivery: requested by the library
  Resume,     ///< Ranks: a rank resumes
};

constexpr Phase phase(EventKind kind) {
  return kind <= EventKind::Freed    ? Phase::Fabric
         : kind == EventKind::Resume ? Phase::Ranks
                                     : Phase::Delivery;
}

struct Event {
  std::uint64_t time = 0;      ///< ps
  std::uint32_t router = 0;    ///< where it happens
  std::uint32_t source = 0;    ///< the router that scheduled it; for Resume the rank
  std::uint32_t sequence = 0;  ///< counts what the source scheduled; wraps, compared by difference
  std::uint16_t port = 0;
  std::uint8_t vc = 0;
  EventKind kind{};
  std::uint64_t data = 0;  ///< by kind; of Arrival and Ejected, the packet's slot (Fabric) in the lower half
};
/// An Arrival at a router of another host process.
struct PacketEvent : Event {
  Packet packet;
};
static_assert(sizeof(Event) == 32 && sizeof(PacketEvent) == 72);

}  // namespace psim::net
