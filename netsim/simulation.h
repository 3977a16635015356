// SPDX-License-Identifier: Apache-2.0
// A whole network at work: engine, routers and interfaces, and whoever sends messages through it. Several
// host processes may each simulate a part of its routers; they agree on every window (docs/decisions/0023).
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "netsim/config/network_config.h"
#include "netsim/engine/engine.h"
#include "netsim/fabric/fabric.h"
#include "netsim/jitter.h"
#include "netsim/nic/network_interface.h"
#include "netsim/parallel/host_processes.h"
#include "netsim/routing/routing.h"
#include "netsim/sleep/link_sleep.h"
#include "netsim/statistics/watch.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

/// Numbers that host processes add up before each window: how the load stands, so that all go on or end
/// together.
using Votes = std::array<std::uint64_t, 5>;

/// What sends and receives: synthetic traffic, or ranks. It lives in every host process and has to do with
/// the nodes of its routers.
class Load : public Receiver {
 public:
  /// A Resume event: `rank` goes on.
  virtual void resume(std::uint32_t rank) = 0;
  /// How many Message::owner there are whose shares of what links do are told apart, up to 255; 0: none.
  virtual std::uint32_t owners() const { return 0; }

  /// This process's part of the votes, whatever the load counts.
  virtual Votes votes() { return {}; }
  /// Whether the window from `start` is to be served, from the votes of all. The same in every process.
  virtual bool should_continue(std::uint64_t, const Votes&) { return true; }
  /// For each other process, once a window: `parcel` is a message from here to there, beside the network. It
  /// is there before any event that was scheduled in the same window.
  virtual void write(std::uint32_t process, Parcel& parcel);
  virtual void read(std::uint32_t process, Parcel& parcel);
};

/// How host processes shared the work.
struct Sharing {
  std::uint64_t windows = 0;
  double busy_seconds = 0;  ///< serving windows; of process 0, later of all
  double wait_seconds = 0;  ///< exchanging and waiting for the others
  double most_busy = 0;     ///< the process that was busiest
  double others_cpu_seconds = 0;
  std::uint64_t others_rss_bytes = 0;  ///< peaks, added up

  /// A further run of the same processes.
  void add(const Sharing& next);
};

class Simulation {
 public:
  /// `graph`, `routing` and `load` must outlive it. `seed`: of what random routings draw.
  /// `processes`, if not null, share it, each with the routers that partition() gives it. Throws UserError if
  /// there are more of them than routers.
  Simulation(const NetworkConfig& config, const Graph& graph, const Routing& routing, Load& load,
             std::uint64_t seed = 1, HostProcesses* processes = nullptr);

  /// Routers with many ports and nodes have more to do.
  static Partition partition(const Graph& graph, std::uint32_t processes);

  Engine& engine() { return engine_; }
  NetworkInterfaces& interfaces() { return interfaces_; }
  const NetworkInterfaces& interfaces() const { return interfaces_; }
  const Fabric& fabric() const { return *fabric_; }
  /// See Fabric::tell. For a simulation that one host process has alone.
  void attach(GrantLog& log) { fabric_->attach(log); }
  /// Before run(). After gather(), process 0's has what all saw.
  void attach(Watch& watch) {
    watch_ = &watch;
    fabric_->attach(watch);
    interfaces_.attach(watch);
  }
  const Graph& graph() const { return graph_; }
  const Jitter& jitter() const { return jitter_; }
  /// Null if links have no low power. Its counts are whole after gather().
  const LinkSleep* sleep() const { return sleep_ ? &*sleep_ : nullptr; }

  /// Schedules Receiver::timer(token, rank) on the router being served, or, before run(), on that of
  /// Engine::set_router(). `rank` < 2^24.
  void timer(std::uint64_t time, std::uint64_t token, std::uint32_t rank);
  /// The same on another router, which may be of another host process; `time` is a lookahead from now at the
  /// least.
  void timer_at(std::uint32_t router, std::uint64_t time, std::uint64_t token, std::uint32_t rank);
  /// Schedules Load::resume(rank).
  void resume_at(std::uint64_t time, std::uint32_t rank);

  /// First node of a process and one past its last.
  static std::pair<std::uint32_t, std::uint32_t> nodes(const Graph& graph, const Partition& partition,
                                                       std::uint32_t process);
  std::pair<std::uint32_t, std::uint32_t> nodes_here() const;

  /// Runs until nothing is left to do, or Load::should_continue() is false.
  void run();
  /// The same window by window, for who hosts the network in a time of its own (cosim/network_module.h).
  bool step();
  /// After run(): process 0 gets the counts of all. The others keep theirs.
  void gather();
  const Sharing& sharing() const { return sharing_; }

  /// Sampled between windows.
  const OccupancySeries& occupancy() const { return occupancy_; }
  /// Time of the last event that moved something, ps.
  std::uint64_t last() const { return last_; }
  /// Something happened at `time` that was not worth an event.
  void extend_to(std::uint64_t time) { last_ = std::max(last_, time); }

  // For World (simulation_service.h).
  std::uint64_t agree(std::uint64_t window);
  void deliver(const Event& event);
  void resume(const ShortEvent& event);
  /// act(world), a World of this.
  template <class Act>
  bool as_world(Act act);

 private:
  using Clock = std::chrono::steady_clock;

  void gather_all();
  void write(std::uint32_t process, std::uint64_t window, Parcel& parcel);
  std::uint64_t read(std::uint32_t process, Parcel& parcel);

  const Graph& graph_;
  Load& load_;
  HostProcesses* processes_;  ///< null: one alone
  Engine engine_;
  std::optional<LinkSleep> sleep_;
  bool one_line_;  ///< fabric_ is a FabricService of it
  std::unique_ptr<Fabric> fabric_;
  Jitter jitter_;
  NetworkInterfaces interfaces_;
  OccupancySeries occupancy_;
  Watch* watch_ = nullptr;  ///< null: nobody asked
  std::uint64_t last_ = 0;
  Votes votes_{};
  std::vector<Parcel> out_, in_;  ///< by process
  Sharing sharing_;
  Clock::time_point since_;
};

}  // namespace psim::net
