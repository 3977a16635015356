// SPDX-License-Identifier: Apache-2.0
// Test helper: sends given messages over a network and records their arrival.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/simulation.h"
#include "netsim/topology/topology.h"

namespace psim::net::testing {

/// Returns a network of simple numbers: 1 GB/s is 1 ns per byte; a hop is 100 ns; 10 ns between node and
/// router.
NetworkConfig easy_network();

struct Sent {
  std::uint64_t time;      ///< ps
  std::uint32_t from, to;  ///< nodes
  std::uint64_t bytes;
  bool in_place = true;
  std::uint8_t owner = 0;
};

class Script final : public Load {
 public:
  /// Runs until all messages have arrived.
  Script(const NetworkConfig& config, const std::vector<Sent>& sent, std::uint64_t seed = 1,
         std::uint32_t nodes = 0, Watch* watch = nullptr, LinkHistory* history = nullptr);

  void timer(std::uint64_t token, std::uint32_t rank) override;
  void delivered(Message& message) override;
  void departed(Message& message) override;
  void resume(std::uint32_t) override {}
  std::uint32_t owners() const override;

  Simulation& simulation() { return simulation_; }
  /// Returns the time from sending to the arrival of the whole message, ps.
  std::uint64_t took(std::size_t number) const { return arrived[number] - sent_[number].time; }

 private:
  std::vector<Sent> sent_;
  Network network_;
  Simulation simulation_;

 public:
  std::vector<std::uint64_t> arrived, departed_at;  ///< ps, in the order of sending
};

}  // namespace psim::net::testing
