// SPDX-License-Identifier: Apache-2.0
#include "netsim/simulation.h"

#include <algorithm>

namespace psim::net {

Simulation::Simulation(const NetworkConfig& config, const Graph& graph, const Routing& routing, Load& load,
                       std::uint64_t seed)
    : graph_(graph),
      load_(load),
      engine_(0, graph.places(), Fabric::lookahead(config)),
      fabric_(config, graph, routing, engine_, seed),
      interfaces_(config, graph, routing, engine_, fabric_, load) {}

void Simulation::timer(std::uint64_t time, std::uint64_t token, std::uint32_t rank) {
  auto& event = engine_.schedule<ShortEvent>(time, engine_.place(), EventKind::Timer);
  event.port = static_cast<std::uint16_t>(rank);
  event.vc = static_cast<std::uint8_t>(rank >> 16);
  event.data = token;
}

void Simulation::resume_at(std::uint64_t time, std::uint32_t rank) {
  engine_.schedule<ShortEvent>(time, engine_.place(), EventKind::Resume, rank).data = rank;
}

void Simulation::run(const std::function<bool(std::uint64_t)>& more) {
  engine_.run(*this, [&](std::uint64_t start) {
    if (occupancy_.due(start)) occupancy_.add(start, fabric_.occupancy());
    return more(start);
  });
}

void Simulation::fabric(const Event& event) {
  switch (event.kind) {
    case EventKind::Arrival:
      return fabric_.arrive(static_cast<const PacketEvent&>(event));
    case EventKind::Credit:
      return fabric_.credit(static_cast<const ShortEvent&>(event));
    default:
      return fabric_.freed(static_cast<const ShortEvent&>(event));
  }
}

void Simulation::deliver(const Event& event) {
  last_ = std::max(last_, event.time);
  switch (event.kind) {
    case EventKind::Injected:
      return interfaces_.injected(static_cast<const ShortEvent&>(event));
    case EventKind::Ejected:
      return interfaces_.ejected(static_cast<const PacketEvent&>(event));
    case EventKind::Completed:
      return interfaces_.completed(static_cast<const ShortEvent&>(event));
    default: {
      const auto& timer = static_cast<const ShortEvent&>(event);
      return load_.timer(timer.data, timer.port | std::uint32_t{timer.vc} << 16);
    }
  }
}

void Simulation::resume(const ShortEvent& event) {
  last_ = std::max(last_, event.time);
  load_.resume(static_cast<std::uint32_t>(event.data));
}

}  // namespace psim::net
