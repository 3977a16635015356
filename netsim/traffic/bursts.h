// SPDX-License-Identifier: Apache-2.0
// Bursts of traffic: each node makes messages for a time, and then none for a time. Both are exponential, so
// that a node's process is a Markov-modulated Poisson process of two states. At time 0
// each state has its mean share of the nodes.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/units.h"

namespace psim::net {

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

}  // namespace psim::net
