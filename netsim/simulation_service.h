// SPDX-License-Identifier: Apache-2.0
// What the engine asks of a Simulation for each event: the definitions that are compiled with it, as those of
// fabric_service.h are.
#pragma once

#include "netsim/fabric/fabric_service.h"
#include "netsim/simulation.h"

namespace psim::net {

inline void Simulation::prefetch(const Event& event) const {
  switch (event.kind) {
    case EventKind::Arrival:
    case EventKind::Credit:
      return fabric_.prefetch(event.place, event.port);
    case EventKind::Freed: {
      const auto& freed = static_cast<const ShortEvent&>(event);
      if (freed.data != 0) return fabric_.prefetch(event.place);  // whose packet goes is not known yet
      return fabric_.prefetch(event.place, event.port);
    }
    case EventKind::Injected:
      return interfaces_.prefetch_injected(event);
    case EventKind::Ejected:
      return interfaces_.prefetch_ejected(static_cast<const PacketEvent&>(event));
    default:
      return;
  }
}

inline void Simulation::prefetch_behind(const Event& event) {
  switch (event.kind) {
    case EventKind::Arrival:
      return fabric_.prefetch_output(static_cast<const PacketEvent&>(event));
    case EventKind::Freed:
      return fabric_.prefetch_packets(static_cast<const ShortEvent&>(event));
    case EventKind::Injected:
      return interfaces_.prefetch_message(event);
    default:
      return;
  }
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
