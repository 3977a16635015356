// SPDX-License-Identifier: Apache-2.0
// OS jitter (paper 003, 3.4): once per period the operating system takes the processor from the rank for a
// while. Computation then ends later, and a rank woken by a message resumes later. Messages in flight and the
// library's replies are not delayed.
#pragma once

#include <cstdint>

#include "netsim/config/network_config.h"

namespace psim::net {

class Jitter {
 public:
  /// `seed` alone determines the ranks' phases and random durations.
  Jitter(const JitterConfig& config, std::uint64_t seed);

  bool none() const { return period_ == 0; }
  /// Returns when `rank` has had `work` ps of its processor, from `start` on, ps. With work 0: when it may
  /// resume. Random durations are followed one by one: the host's time grows with work / period.
  std::uint64_t end(std::uint32_t rank, std::uint64_t start, std::uint64_t work) const;

  /// Return the begin and the length of the `n`-th interval in which `rank` loses its processor, ps.
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
