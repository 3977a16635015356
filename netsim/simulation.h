// SPDX-License-Identifier: Apache-2.0
// A whole network at work: engine, routers and interfaces, and whoever sends messages through it.
#pragma once

#include <cstdint>
#include <functional>

#include "netsim/engine/engine.h"
#include "netsim/fabric/fabric.h"
#include "netsim/network_config.h"
#include "netsim/nic/network_interface.h"
#include "netsim/routing/routing.h"
#include "netsim/topology/graph.h"

namespace psim::net {

/// What sends and receives: synthetic traffic, or ranks.
class Load : public Receiver {
 public:
  /// A Resume event: `rank` goes on.
  virtual void resume(std::uint32_t rank) = 0;
};

class Simulation {
 public:
  /// `graph`, `routing` and `load` must outlive it. `seed`: of what random routings draw.
  Simulation(const NetworkConfig& config, const Graph& graph, const Routing& routing, Load& load,
             std::uint64_t seed = 1);

  Engine& engine() { return engine_; }
  NetworkInterfaces& interfaces() { return interfaces_; }
  const NetworkInterfaces& interfaces() const { return interfaces_; }
  const Fabric& fabric() const { return fabric_; }
  const Graph& graph() const { return graph_; }

  /// Schedules Receiver::timer(token, rank) on the place being served, or, before run(), on that of
  /// Engine::set_place(). `rank` < 2^24.
  void timer(std::uint64_t time, std::uint64_t token, std::uint32_t rank);
  /// Schedules Load::resume(rank).
  void resume_at(std::uint64_t time, std::uint32_t rank);

  /// Runs until nothing is left to do, or `more(start of the next window)` is false.
  void run(const std::function<bool(std::uint64_t)>& more);

  /// Sampled between windows.
  const OccupancySeries& occupancy() const { return occupancy_; }
  /// Time of the last event that moved something, ps.
  std::uint64_t last() const { return last_; }

  // For the engine.
  void prefetch(std::uint32_t place) const { fabric_.prefetch(place); }
  void enter(std::uint32_t place) { fabric_.enter(place); }
  void fabric(const Event& event);
  void arbitrate(std::uint64_t now) { fabric_.arbitrate(now); }
  void deliver(const Event& event);
  void resume(const ShortEvent& event);

 private:
  const Graph& graph_;
  Load& load_;
  Engine engine_;
  Fabric fabric_;
  NetworkInterfaces interfaces_;
  OccupancySeries occupancy_;
  std::uint64_t last_ = 0;
};

}  // namespace psim::net
