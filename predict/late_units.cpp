// SPDX-License-Identifier: Apache-2.0
#include "predict/late_units.h"

#include <algorithm>
#include <cmath>

namespace psim::predict {

void LateUnits::add_unit(std::uint64_t loop) {
  last_ = &loops_[loop];
  ++last_->units, ++units_;
}

std::uint64_t LateUnits::next(std::uint64_t instructions) {
  test_next_ = false;
  if (instructions < kFrom || last_ == nullptr || last_ == &loops_[0]) return 0;
  if (last_->tests && tests_ < kMostTests) {
    ++tests_;
    test_next_ = true;
    return kTest;
  }
  if (!last_->test.empty() || last_->units < last_->next_look ||
      looks_ * kUnitsPerLook > units_ + kUnitsPerLook)
    return 0;
  ++looks_;
  last_->next_look = last_->units + std::min(last_->units + 3, kUnitsPerLook);
  return kLook;
}

void LateUnits::add(double difference, double deviation) {
  ++pairs_;
  const Pair pair{difference, deviation};
  if (!test_next_) {
    last_->tests = last_->tests || (last_->test.empty() && pair.far(kFarLook));
    return;
  }
  if (!last_->tests) return;
  std::vector<Pair>& test = last_->test;
  test.push_back(pair);
  const auto far =
      static_cast<std::size_t>(std::ranges::count_if(test, [](const Pair& each) { return each.far(kFar); }));
  const bool nothing = test.size() >= kFewPairs && far * kOneIn < test.size();
  if (nothing || test.size() == kPairs) last_->tests = false;
  if (nothing) test.clear();
}

bool LateUnits::Pair::far(double least) const {
  // Both units of the pair vary.
  return std::abs(difference) > std::max(kLeast, least * std::sqrt(2.0) * deviation);
}

/// Returns the mean of the far differences of a test, or 0 if chance explains them.
double LateUnits::difference_of(const std::vector<Pair>& test) {
  const auto count = static_cast<double>(test.size());
  double sum = 0, variance = 0, sum_of_far = 0;
  for (const Pair& pair : test) {
    sum += pair.difference;
    variance += 2 * pair.deviation * pair.deviation;
  }
  std::size_t far = 0, others = 0;
  for (const Pair& pair : test) {
    if (!pair.far(kFar)) continue;
    const bool same = pair.difference * sum > 0;
    ++(same ? far : others);
    sum_of_far += same ? pair.difference : 0;
  }
  const bool differs = count >= kFewPairs && far >= std::max(kFewestFar, kOneIn * others) &&
                       std::abs(sum) > kFarMean * std::sqrt(variance);
  return differs ? sum_of_far / static_cast<double>(far) : 0;
}

std::map<std::uint64_t, double> LateUnits::differences() const {
  std::map<std::uint64_t, double> all;
  for (const auto& [address, loop] : loops_)
    if (const double difference = difference_of(loop.test); difference != 0) all[address] = difference;
  return all;
}

}  // namespace psim::predict
