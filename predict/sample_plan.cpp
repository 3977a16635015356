// SPDX-License-Identifier: Apache-2.0
#include "predict/sample_plan.h"

#include "predict/sample_estimate.h"

namespace psim::predict {

SamplePlan::SamplePlan(const Config& config)
    : config_(config),
      state_(config.seed),
      entered_(config.from),
      begin_(config.from),
      period_(config.period != 0 ? config.period : period_of(kFirstShare, root())),
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
  if (!strata_.empty()) {
    const std::uint64_t instructions = strata_[stratum_].instructions + now - entered_;
    period_ = std::min(period_, std::max(shortest(), instructions / kStratumShare));
  }
  const std::uint64_t places = period_ > config_.window ? period_ - config_.window : 1;
  // The product's upper half is a place of equal probability, but for 2^-40.
  const auto place = static_cast<std::uint64_t>(static_cast<unsigned __int128>(random()) * places >> 64);
  const std::uint64_t at = begin_ + place;
  begin_ += period_;
  return std::max(at, now);
}

std::uint64_t SamplePlan::enter(std::size_t stratum, std::uint64_t now, std::uint64_t at) {
  const bool first = strata_.empty();
  if (config_.period != 0 || (!first && stratum == stratum_)) return at;
  if (strata_.size() <= stratum) strata_.resize(stratum + 1);
  if (first) {
    stratum_ = stratum;
    return at;
  }
  const auto left = [now](std::uint64_t place) { return place - std::min(place, now); };
  Stratum& last = strata_[stratum_];
  last = {last.instructions + now - entered_, left(begin_), left(at), period_};
  stratum_ = stratum, entered_ = now;
  const Stratum& entered = strata_[stratum];
  begin_ = now + entered.to_next_period;
  if (entered.period == 0) return next(now);
  period_ = entered.period;
  return now + entered.to_window;
}

std::uint64_t SamplePlan::period_of(double share, double least) const {
  const auto period = static_cast<std::uint64_t>(std::max(least, static_cast<double>(begin_) / share));
  return std::clamp(period, shortest(), std::max(shortest(), kLongest));
}

void SamplePlan::measured(double variance) {
  const bool changes = needs_variance();
  ++units_;
  if (config_.period != 0) return;
  if (units_ < kFewestUnits) later_ = std::max(later_, period_of(kFirstShare, root()));
  if (!changes) return;
  // Units do not reduce the bias, but a small requested error shall have an effect.
  const double aim = std::max(config_.error - kBias, config_.error / 4);
  // Periods that are each the nth part of the program so far have the variance of 2 n equal ones; the
  // interval has twice the standard error on each side.
  const double needed = 2 * variance / (aim * aim);
  const std::uint64_t period = needed > kShare ? period_of(needed) : period_of(kShare, root());
  const std::uint64_t wanted = std::clamp(period, later_ / 2, 2 * later_);
  if (wanted == later_) return;
  later_ = wanted;
  changed_ = units_;
}

}  // namespace psim::predict
