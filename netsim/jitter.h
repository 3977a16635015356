// SPDX-License-Identifier: Apache-2.0
// What the operating system takes from the ranks (paper 003, 3.4: "OS jitter"): once a period the processor
// is its own for a while. A rank that computes then gets its time later, and one that a message wakes goes on
// later. Messages on their way and the library's answers to them are not held up.
#pragma once

#include <cstdint>

#include "netsim/config/network_config.h"

namespace psim::net {

class Jitter {
 public:
  /// `seed`: of the ranks' phases and of drawn durations, which nothing else changes.
  Jitter(const JitterConfig& config, std::uint64_t seed);

  bool none() const { return period_ == 0; }
  /// When `rank` has had `work` ps of its processor, from `start` on, ps. With work 0: when it may go on.
  /// Drawn durations are followed one by one: time grows with work / period.
  std::uint64_t end(std::uint32_t rank, std::uint64_t start, std::uint64_t work) const;

  /// When the `n`-th time that `rank` loses its processor begins, and how long that is, ps.
  std::uint64_t begin(std::uint32_t rank, std::uint64_t n) const { return phase(rank) + n * period_; }
  std::uint64_t duration(std::uint32_t rank, std::uint64_t n) const;

 private:
  std::uint64_t phase(std::uint32_t rank) const;

  std::uint64_t period_, duration_;
  JitterDistribution distribution_;
  bool aligned_;
  std::uint64_t seed_;
};

}  // namespace psim::net
