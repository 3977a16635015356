// SPDX-License-Identifier: Apache-2.0
// What the engine asks of a Simulation for each event: the definitions that are compiled with it, as those of
// fabric_service.h are.
#pragma once

#include "netsim/fabric/fabric_service.h"
#include "netsim/simulation.h"

namespace psim::net {

/// The port of the event, 16 bits; the output that it is for, 15; and kOfInterface above. For looking ahead
/// only: an output that does not fit does no harm.
inline std::uint32_t Simulation::hint(const Event& event) {
  std::uint32_t output = event.port;
  if (event.kind == EventKind::Arrival)
    output = static_cast<const PacketEvent&>(event).packet.way.port;
  else if (event.kind == EventKind::Freed)
    output = Fabric::output_of(static_cast<const ShortEvent&>(event));
  else if (event.kind > EventKind::Freed)
    output |= kOfInterface;
  return event.port | output << 16;
}

inline void Simulation::prefetch(const PlaceOrder::Item& item) const {
  fabric_.prefetch(item.place, item.hint & 0xffff, item.hint >> 16 & ~kOfInterface);
  if ((item.hint >> 16 & kOfInterface) == 0) [[likely]]
    return;
  if (item.event->kind == EventKind::Injected) interfaces_.prefetch_injected(*item.event);
  if (item.event->kind == EventKind::Ejected)
    interfaces_.prefetch_ejected(static_cast<const PacketEvent&>(*item.event));
}

inline void Simulation::prefetch_behind(const Event& event) {
  if (event.kind == EventKind::Freed) return fabric_.prefetch_packets(static_cast<const ShortEvent&>(event));
  if (event.kind == EventKind::Injected) interfaces_.prefetch_message(event);
}

inline void Simulation::arbitrate(std::uint64_t now) { fabric_.arbitrate(now); }

inline void Simulation::fabric(const Event& event) {
  switch (event.kind) {
    case EventKind::Arrival:
      return fabric_.arrive(static_cast<const PacketEvent&>(event));
    case EventKind::Credit:
      return fabric_.credit(static_cast<const ShortEvent&>(event));
    default:
      return fabric_.freed(static_cast<const ShortEvent&>(event));
  }
}

}  // namespace psim::net
