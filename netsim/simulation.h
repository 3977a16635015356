// SPDX-License-Identifier: Apache-2.0
// A network in operation: engine, routers and interfaces, and the load that sends messages. Several host
// processes may each simulate a part of the routers; they agree on every window (docs/decisions/0023).
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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
#include "netsim/statistics/link_history.h"
#include "netsim/statistics/watch.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::net {

/// Counts of the load that host processes add up before each window, so that all continue or end together.
using Votes = std::array<std::uint64_t, 5>;

/// The sender and receiver of messages: synthetic traffic, or ranks. Every host process has one, for the
/// nodes of its routers.
class Load : public Receiver {
 public:
  /// Resumes `rank` on a Resume event.
  virtual void resume(std::uint32_t rank) = 0;
  /// Returns true if nothing waits for the timer any more that has this token and rank, as of
  /// Receiver::timer(), so that it does not extend Simulation::last().
  virtual bool outdated(std::uint64_t /*token*/, std::uint32_t /*rank*/) const { return false; }
  /// Returns the number of Message::owner whose shares of link activity are counted, up to 255; 0: none.
  virtual std::uint32_t owners() const { return 0; }

  /// Returns this process's part of the votes; the load defines their meaning.
  virtual Votes votes() { return {}; }
  /// Decides from the votes of all whether the window from `start` is served. The same in every process.
  virtual bool should_continue(std::uint64_t, const Votes&) { return true; }
  /// Returns whether should_continue() may be called for the first of several windows only, and decides for
  /// all of them.
  virtual bool decides_ahead() const { return false; }
  /// Returns whether ranks of this load reach other routers without a link: by Simulation::timer_at().
  virtual bool bypasses_links() const { return false; }
  /// For a load among others (netsim/load_group.h): returns true if, by the votes of all, the run need not go
  /// on for it.
  virtual bool done(const Votes&) const { return false; }
  /// Write and read a message from this process to each other process, outside the network, at each exchange.
  /// It arrives before any event that was scheduled since the last one.
  virtual void write(std::uint32_t process, Parcel& parcel);
  virtual void read(std::uint32_t process, Parcel& parcel);
};

/// Statistics on how host processes shared the work.
struct Sharing {
  std::uint64_t windows = 0;  ///< agreed on, each with those after it that are served without agreement
  double busy_seconds = 0;    ///< serving windows; of process 0, later of all
  double wait_seconds = 0;    ///< exchanging and waiting for the other processes
  double most_busy = 0;       ///< of the busiest process
  double others_cpu_seconds = 0;
  std::uint64_t others_rss_bytes = 0;  ///< peaks, added up

  /// Adds a further run of the same processes.
  void add(const Sharing& next);
};

class Simulation {
 public:
  /// `graph`, `routing` and `load` must outlive it. `seed` is for random routings. If `processes` is not
  /// null, each process serves the routers that partition() assigns to it, with `costly`. Throws UserError if
  /// there are more processes than routers.
  Simulation(const NetworkConfig& config, const Graph& graph, const Routing& routing, Load& load,
             std::uint64_t seed = 1, HostProcesses* processes = nullptr,
             std::span<const std::uint32_t> costly = {});

  /// Returns the least time between two routers, ps.
  static std::uint64_t lookahead(const NetworkConfig& config);
  /// Distributes routers over processes, weighted by their ports and nodes. The nodes `costly` outweigh all
  /// others: each is simulated in detail by its process. Without them, of cuts with about the same weights,
  /// those through long cables are preferred (docs/decisions/0072).
  static Partition partition(const NetworkConfig& config, const Graph& graph, std::uint32_t processes,
                             std::span<const std::uint32_t> costly = {});

  const Partition& partition() const { return engine_.partition(); }
  Engine& engine() { return engine_; }
  NetworkInterfaces& interfaces() { return interfaces_; }
  const NetworkInterfaces& interfaces() const { return interfaces_; }
  const Fabric& fabric() const { return *fabric_; }
  /// Attaches `log` as Fabric::attach. For a simulation of one host process.
  void attach(GrantLog& log) { fabric_->attach(log); }
  /// Serves each event of the fabric by itself, as the oracle of tests: see Fabric. Before run().
  void serve_each_event() { fabric_->serve_each_event(); }
  /// Attaches `log` as Fabric::attach. It gets the hops on the routers of this host process.
  void attach(HopLog& log) { fabric_->attach(log); }
  /// Attaches `watch` before run(). After gather(), that of process 0 has the observations of all processes.
  void attach(Watch& watch) {
    watch_ = &watch;
    fabric_->attach(watch);
    interfaces_.attach(watch);
  }
  /// Attaches `history` before run(). After gather(), that of process 0 has the traffic of all processes
  /// until the end of the run.
  void attach(LinkHistory& history) {
    history_ = &history;
    fabric_->attach(history);
    if (sleep_) sleep_->attach(history);
  }
  const Graph& graph() const { return graph_; }
  const Jitter& jitter() const { return jitter_; }
  /// Returns null if links have no low power. Its counts are complete after gather().
  const LinkSleep* sleep() const { return sleep_ ? &*sleep_ : nullptr; }

  /// Schedules Receiver::timer(token, rank) on the router being served, or, before run(), on that of
  /// Engine::set_router(). `rank` < 2^24.
  void timer(std::uint64_t time, std::uint64_t token, std::uint32_t rank);
  /// Schedules the timer on another router, also of another host process; `time` is at least a lookahead from
  /// now.
  void timer_at(std::uint32_t router, std::uint64_t time, std::uint64_t token, std::uint32_t rank);
  /// Schedules Load::resume(rank).
  void resume_at(std::uint64_t time, std::uint32_t rank);

  /// Returns the first node of a process and one past its last.
  static std::pair<std::uint32_t, std::uint32_t> nodes(const Graph& graph, const Partition& partition,
                                                       std::uint32_t process);
  std::pair<std::uint32_t, std::uint32_t> nodes_here() const;

  /// Runs until no event is left, or Load::should_continue() returns false.
  void run();
  /// Serves one window, for hosts with a simulated time of their own (cosim/network_module.h). Returns false
  /// at the end.
  bool step();
  /// step() in two parts, for such hosts in several processes. Agrees on the next window and returns its
  /// start, ps; EventWheel::kNever at the end. `earliest` is the least time, ps, of an event that this
  /// process's host may yet schedule: kNever, or a lookahead or more after its present.
  std::uint64_t agree_on_window(std::uint64_t earliest);
  /// Serves the window agreed on. Returns false if the load ends the run.
  bool serve_window();
  /// Collects the counts of all processes in process 0, after run(). The other processes keep theirs. Further
  /// calls do nothing. Links rest until `end`, ps, if that is later than the last event.
  void gather(std::uint64_t end = 0);
  const Sharing& sharing() const { return sharing_; }

  /// Returns the occupancy of buffers, sampled between windows.
  const OccupancySeries& occupancy() const { return occupancy_; }
  /// Returns the time of the last delivery or resumption of a rank, ps.
  std::uint64_t last() const { return last_; }
  /// Extends last() to the time of something that had no event.
  void extend_to(std::uint64_t time) { last_ = std::max(last_, time); }

  // For World (simulation_service.h).
  std::uint64_t agree(std::uint64_t window);
  void deliver(const Event& event);
  void resume(const Event& event);
  /// Returns act(world), with the World of this simulation.
  template <class Act>
  bool as_world(Act act);

 private:
  using Clock = std::chrono::steady_clock;

  bool starts(std::uint64_t start);
  bool continues(std::uint64_t window);
  void sample(std::uint64_t start);
  void gather_all();
  void sample_to_the_end();
  void write(std::uint32_t process, std::uint64_t window, Parcel& parcel);
  std::uint64_t read(std::uint32_t process, Parcel& parcel);

  const Graph& graph_;
  Load& load_;
  HostProcesses* processes_;  ///< null: a single process
  Engine engine_;
  std::optional<LinkSleep> sleep_;
  bool one_line_;  ///< fabric_ is a FabricService<one_line_>
  std::unique_ptr<Fabric> fabric_;
  Jitter jitter_;
  NetworkInterfaces interfaces_;
  OccupancySeries occupancy_;
  Watch* watch_ = nullptr;          ///< null: none
  LinkHistory* history_ = nullptr;  ///< null: none
  std::uint64_t last_ = 0;
  /// Windows in which no event of the first can have an effect beyond the cut between processes, and beyond
  /// any cable.
  std::uint64_t of_cut_ = 1, of_cables_ = 1;
  std::uint64_t agreed_ = 0;   ///< number of the window of agree_on_window()
  std::uint64_t decided_ = 0;  ///< end of the windows for which the load has decided to continue
  std::uint64_t sampled_ = 0;  ///< 1 ps after the start of the last window with events here; 0: none
  bool gathered_ = false;
  Votes votes_{};
  std::vector<Parcel> out_, in_;  ///< by process
  Sharing sharing_;
  Clock::time_point since_;
};

}  // namespace psim::net
