// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic without end, as a load among others (netsim/load_group.h): its nodes make messages at
// random times at a given rate, for destinations of a pattern over all nodes of the network.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "netsim/simulation.h"
#include "netsim/traffic/synthetic.h"

namespace psim::net {

class BackgroundTraffic final : public Load {
 public:
  /// Results, over all host processes after gather().
  struct Counts {
    std::uint64_t made = 0, arrived = 0;
    std::uint64_t latency_sum = 0, latency_most = 0;  ///< of messages that have arrived, ps
  };

  /// `config`: pattern, load, message, hot and seed count. `destinations` covers all nodes of the network.
  BackgroundTraffic(const TrafficConfig& config, const NetworkConfig& network, Destinations destinations,
                    std::vector<std::uint32_t> sources);

  std::span<const std::uint32_t> sources() const { return sources_; }
  /// Schedules the first messages. `rank`: of its timers. `owner` is the Message::owner of its messages.
  void start(Simulation& simulation, std::uint32_t rank, std::uint8_t owner);
  void gather(HostProcesses& processes);
  const Counts& counts() const { return counts_; }

  void delivered(Message& message) override;
  void departed(Message&) override {}
  void timer(std::uint64_t token, std::uint32_t rank) override;
  void resume(std::uint32_t) override {}

 private:
  void make_later(std::uint32_t node);

  TrafficConfig config_;
  Destinations destinations_;
  std::vector<std::uint32_t> sources_;
  double interval_;  ///< mean time between messages of a node, ps
  Simulation* simulation_ = nullptr;
  std::uint32_t rank_ = 0;
  std::uint8_t owner_ = 0;
  std::vector<std::uint32_t> made_;  ///< by node
  Counts counts_;
};

}  // namespace psim::net
