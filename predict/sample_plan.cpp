// SPDX-License-Identifier: Apache-2.0
#include "predict/sample_plan.h"

#include <algorithm>

namespace psim::predict {

SamplePlan::SamplePlan(const Config& config)
    : config_(config),
      state_(config.seed),
      begin_(config.from),
      period_(config.period != 0 ? config.period : std::max(kShortest, 3 * config.window)),
      later_(period_) {}

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t SamplePlan::random() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

std::uint64_t SamplePlan::next(std::uint64_t now) {
  period_ = later_;
  const std::uint64_t places = period_ > config_.window ? period_ - config_.window : 1;
  // The product's upper half is a place of equal probability, but for 2^-40.
  const auto place = static_cast<std::uint64_t>(static_cast<unsigned __int128>(random()) * places >> 64);
  const std::uint64_t at = begin_ + place;
  begin_ += period_;
  return std::max(at, now);
}

void SamplePlan::measured(double relative_error) {
  ++units_;
  if (config_.period != 0 || units_ < kFewestUnits || units_ - changed_ < kUnitsBetween) return;
  const std::uint64_t shortest = std::max(kShortest, 3 * config_.window);
  std::uint64_t wanted = later_;
  if (relative_error < config_.error)
    wanted = std::min({2 * later_, kLongest, std::max(begin_ / kShare, shortest)});
  wanted = std::max(wanted, later_);
  if (relative_error > 1.5 * config_.error) wanted = std::max(later_ / 2, shortest);
  if (wanted == later_) return;
  later_ = wanted;
  changed_ = units_;
}

}  // namespace psim::predict
