// SPDX-License-Identifier: Apache-2.0
#include "netsim/jitter.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace psim::net {
namespace {

// Streams of random bits, used only here.
constexpr std::uint64_t kPhases = 0x6a69747465723000, kDurations = 0x6a69747465723100;

/// Returns `bits` as a number in [0, 1), the same with every compiler.
double unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

}  // namespace

Jitter::Jitter(const JitterConfig& config, std::uint64_t seed)
    : period_(config.duration.count() == 0 ? 0 : static_cast<std::uint64_t>(config.period.count())),
      duration_(static_cast<std::uint64_t>(config.duration.count())),
      distribution_(config.distribution),
      aligned_(config.aligned),
      seed_(seed) {}

std::uint64_t Jitter::phase(std::uint32_t rank) const {
  return aligned_ ? 0 : random_bits(seed_, kPhases, rank) % period_;
}

std::uint64_t Jitter::duration(std::uint32_t rank, std::uint64_t n) const {
  if (distribution_ == JitterDistribution::Fixed) return duration_;
  const double x = unit(random_bits(seed_, kDurations ^ std::uint64_t{rank} << 32, n));
  const auto mean = static_cast<double>(duration_);
  const double drawn = distribution_ == JitterDistribution::Uniform ? 2 * mean * x : -mean * std::log1p(-x);
  return std::min(period_ - 1, static_cast<std::uint64_t>(drawn));
}

std::uint64_t Jitter::end(std::uint32_t rank, std::uint64_t start, std::uint64_t work) const {
  if (none()) return start + work;
  std::uint64_t now = start, left = work, next = 0;  // the next loss that may begin at `now` or later
  const std::uint64_t first = phase(rank);
  if (start >= first) {
    const std::uint64_t n = (start - first) / period_;
    now = std::max(start, begin(rank, n) + duration(rank, n));  // `start` may lie within a loss
    next = n + 1;
  }
  for (;; ++next) {
    const std::uint64_t room = begin(rank, next) - now;
    if (left <= room) return now + left;
    left -= room;
    now = begin(rank, next) + duration(rank, next);
    if (distribution_ != JitterDistribution::Fixed) continue;
    // All periods are alike from here on.
    const std::uint64_t gap = period_ - duration_, whole = (left - 1) / gap;
    left -= whole * gap;
    now += whole * period_;
    next += whole;
  }
}

}  // namespace psim::net
