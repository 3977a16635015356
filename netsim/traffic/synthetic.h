// SPDX-License-Identifier: Apache-2.0
// Open-loop synthetic traffic: every node makes messages at random times at a given rate, independent of the
// network: first for warm-up, then for measurement, then until all measured messages have arrived. Latency
// starts when a message is made, so it includes the wait at its source. Nodes whose only destination is
// themselves make no messages and do not count.
//
// A load is carried if the network keeps up with every flow, not only with their sum. For each source and for
// each destination, the messages that arrive while measuring must equal those made, except for 5 % and
// kBlurred messages at the borders of the measurement.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/units.h"
#include "netsim/simulation.h"
#include "netsim/traffic/pattern.h"

namespace psim::net {

// Bursts of traffic: each node makes messages for a time, and then none for a time. Both are exponential, so
// that a node's process is a Markov-modulated Poisson process of two states. At time 0
// each state has its mean share of the nodes.

struct BurstConfig {
  Picoseconds on{0}, off{0};  ///< means; 0: no bursts

  bool enabled() const { return on.count() > 0; }
  /// Returns the share of the time in which a node makes messages.
  double share() const {
    return enabled() ? static_cast<double>(on.count()) / static_cast<double>((on + off).count()) : 1;
  }
};

class Bursts {
 public:
  Bursts(const BurstConfig& config, std::uint64_t seed, std::uint32_t nodes)
      : on_(static_cast<double>(config.on.count())),
        off_(static_cast<double>(config.off.count())),
        seed_(seed),
        nodes_(config.enabled() ? nodes : 0) {}

  /// Returns the time until a node has been on for `wait` ps more.
  std::uint64_t stretch(std::uint32_t node, std::uint64_t wait) {
    if (nodes_.empty()) return wait;
    Node& state = nodes_[node];
    std::uint64_t whole = 0;
    if (state.draws == 0) {
      const bool begins_on = uniform(node) * (on_ + off_) < on_;
      state.left = drawn(node, on_);
      if (!begins_on) whole = drawn(node, off_);
    }
    while (wait > state.left) {
      wait -= state.left;
      whole += state.left + drawn(node, off_);
      state.left = drawn(node, on_);
    }
    state.left -= wait;
    return whole + wait;
  }

 private:
  struct Node {
    std::uint64_t left = 0;  ///< ps of the present burst
    std::uint32_t draws = 0;
  };
  static constexpr std::uint64_t kStream = std::uint64_t{0x62757273} << 32;  ///< of its random numbers

  double uniform(std::uint32_t node) {
    const std::uint64_t bits = random_bits(seed_, kStream | node, nodes_[node].draws++);
    return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
  }
  std::uint64_t drawn(std::uint32_t node, double mean) {
    return static_cast<std::uint64_t>(-std::log(uniform(node)) * mean) + 1;
  }

  double on_, off_;
  std::uint64_t seed_;
  std::vector<Node> nodes_;
};

/// The times at which a node makes messages.
enum class Arrivals : std::uint8_t {
  Poisson,   ///< at any time: exponential intervals
  Bernoulli  ///< at the end of a period, the time of a message on the node's channel, with a fixed
             ///< probability
};
/// Returns "poisson", "bernoulli" in the order of the enumeration.
const std::vector<std::string>& arrival_names();
/// Returns the arrivals with this name. Throws UserError with the nearest name.
Arrivals arrivals_of(std::string_view name);

struct TrafficConfig {
  Pattern pattern = Pattern::Uniform;
  double load = 0.5;     ///< bytes made per node, as a share of nic.bandwidth
  Bytes message{2'048};  ///< each
  Picoseconds warm_up{50'000'000};
  Picoseconds measured{100'000'000};
  Picoseconds longest_drain{1'000'000'000};  ///< beyond it the network counts as saturated
  BurstConfig bursts;                        ///< the load is that over bursts and pauses
  Arrivals arrivals = Arrivals::Poisson;
  std::uint64_t seed = 1;
};

/// One point of a latency-throughput curve.
struct TrafficPoint {
  double offered = 0;          ///< share of nic.bandwidth that was made while measuring
  double accepted = 0;         ///< share of nic.bandwidth that arrived while measuring
  bool saturated = false;      ///< the load is not carried, or measured messages were in flight at the end
  std::uint32_t starved = 0;   ///< sources and destinations with which the network does not keep up
  bool interrupted = false;    ///< by the user, in any host process
  std::uint64_t messages = 0;  ///< measured and arrived
  // Latency of the measured messages, ps.
  double mean = 0;
  std::uint64_t least = 0, median = 0, p99 = 0, most = 0;
};

class SyntheticTraffic final : public Load {
 public:
  /// Messages by which made and arrived messages of a flow may differ although the network keeps up.
  static constexpr std::uint64_t kBlurred = 16;
  /// Messages of a node that suffice to judge its flow.
  static constexpr std::uint64_t kEnough = 500;
  /// Returns the mean time between two messages of a node.
  static Picoseconds interval(const TrafficConfig& config, const NetworkConfig& network);

  SyntheticTraffic(const TrafficConfig& config, const NetworkConfig& network, Destinations destinations,
                   std::uint32_t nodes);

  /// Runs one point. `interrupted` is called between windows; if it returns true, the measurement so far is
  /// the result. With several host processes, process 0 has the result.
  TrafficPoint run(Simulation& simulation, std::function<bool()> interrupted,
                   HostProcesses* processes = nullptr);
  /// run() in parts: the caller of start() runs the simulation and then calls finish().
  void start(Simulation& simulation, std::function<bool()> interrupted, HostProcesses* processes = nullptr);
  TrafficPoint finish();

  void delivered(Message& message) override;
  void departed(Message&) override {}
  void timer(std::uint64_t token, std::uint32_t node) override;
  void resume(std::uint32_t) override {}
  Votes votes() override;
  bool should_continue(std::uint64_t start, const Votes& votes) override;

 private:
  /// Messages made and arrived while measuring.
  struct Flow {
    std::uint32_t made = 0, arrived = 0;
  };

  TrafficPoint point();
  void make_later(std::uint32_t node);
  static bool falls_behind(std::uint64_t made, std::uint64_t arrived);

  TrafficConfig config_;
  Destinations destinations_;
  std::uint32_t nodes_;
  double interval_;  ///< mean time between messages of a node, ps
  double bandwidth_;
  std::uint64_t begin_, end_, limit_;
  std::function<bool()> interrupted_;
  bool cut_ = false;
  Simulation* simulation_ = nullptr;
  HostProcesses* processes_ = nullptr;
  std::vector<std::uint32_t> made_;  ///< by node
  std::vector<Flow> flows_;          ///< by source, then by destination
  double senders_ = 0;               ///< nodes that make messages, by Destinations::share()
  Bursts bursts_;
  std::vector<std::uint64_t> latencies_;  ///< of measured messages
  std::uint64_t measured_made_ = 0;
  std::uint64_t arrived_while_measuring_ = 0;
};

}  // namespace psim::net
