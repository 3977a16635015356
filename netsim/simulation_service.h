// SPDX-License-Identifier: Apache-2.0
// The functions of a Simulation that the engine calls for each event, inlined as fabric_service.h is.
#pragma once

#include "netsim/fabric/fabric_arbitration.h"
#include "netsim/fabric/fabric_service.h"
#include "netsim/simulation.h"

namespace psim::net {

/// The engine's view of a Simulation; `OneLine` as of its Fabric.
template <bool OneLine>
class World {
 public:
  World(Simulation& simulation, FabricService<OneLine>& fabric)
      : simulation_(simulation), fabric_(fabric), interfaces_(simulation.interfaces()) {}

  std::uint64_t agree(std::uint64_t window) { return simulation_.agree(window); }
  void prefetch_port(const Event& event) const { fabric_.prefetch_port(event); }
  bool absorb(const Event& event) { return fabric_.absorb(event); }

  /// Returns the port of the event in 16 bits, its output in 15, and kOfInterface above. Used for prefetching
  /// only: an output that does not fit does no harm.
  static std::uint32_t hint(const Event& event) {
    std::uint32_t output = event.port;
    if (event.kind == EventKind::Arrival)
      output = Fabric::output_of_arrival(event);
    else if (event.kind == EventKind::Freed)
      output = Fabric::output_of(event);
    else if (event.kind > EventKind::Freed)
      output |= kOfInterface;
    return event.port | output << 16;
  }
  void prefetch(const RouterOrder::Item& item) const {
    fabric_.prefetch(item.router, item.hint & 0xffff, item.hint >> 16 & ~kOfInterface);
    if ((item.hint >> 16 & kOfInterface) == 0) [[likely]] {
      // Without a branch, which would be unpredictable: the address is invalid for other kinds.
      return fabric_.prefetch_packet(*item.event);
    }
    if (item.event->kind == EventKind::Injected) interfaces_.prefetch_injected(*item.event);
    if (item.event->kind == EventKind::Ejected) interfaces_.prefetch_ejected(*item.event);
  }
  void prefetch_target(const Event& event) {
    if (event.kind == EventKind::Freed) return fabric_.prefetch_packets(event);
    if (event.kind == EventKind::Injected) interfaces_.prefetch_message(event);
    if (event.kind == EventKind::Ejected) interfaces_.prefetch_receiver(event);
  }

  void enter(std::uint32_t router) { fabric_.enter(router); }
  void fabric(const Event& event) {
    switch (event.kind) {
      case EventKind::Arrival:
        return fabric_.arrive(event);
      case EventKind::Credit:
        return fabric_.credit(event);
      default:
        return fabric_.freed(event);
    }
  }
  void arbitrate(std::uint64_t) { fabric_.arbitrate(); }
  void fabric_alone(const Event& event) {
    if (event.kind == EventKind::Arrival && fabric_.pass_through(event)) return;
    fabric(event);
    fabric_.arbitrate();
  }
  void deliver(const Event& event) { simulation_.deliver(event); }
  void resume(const Event& event) { simulation_.resume(event); }

 private:
  static constexpr std::uint32_t kOfInterface = 1 << 15;  ///< in hint()

  Simulation& simulation_;
  FabricService<OneLine>& fabric_;
  NetworkInterfaces& interfaces_;
};

template <class Act>
bool Simulation::as_world(Act act) {
  if (one_line_) return act(World<true>(*this, static_cast<FabricService<true>&>(*fabric_)));
  return act(World<false>(*this, static_cast<FabricService<false>&>(*fabric_)));
}

}  // namespace psim::net
