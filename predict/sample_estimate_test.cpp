// SPDX-License-Identifier: Apache-2.0
#include "predict/sample_estimate.h"
#include "base/sanitized.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace psim::predict {
namespace {

TEST(RatioSum, EstimatesTheCostOfInstructionsThatWereNotMeasured) {
  RatioSum sum;
  sum.add(0, 10, 100, 150);
  sum.add(1, 30, 100, 250);
  // (10 × 150 + 30 × 250) / (10 × 100 + 30 × 100) = 9,000 / 4,000
  EXPECT_DOUBLE_EQ(sum.ratio(), 2.25);
  EXPECT_DOUBLE_EQ(sum.total(500, 1000).value, 500 + 2250);
}

TEST(RatioSum, HasNoErrorButTheBiasOfWarmingIfAllUnitsAreEqual) {
  RatioSum sum;
  for (unsigned unit = 0; unit < 10; ++unit) sum.add(unit, 1, 100, 200);
  const SampledTotal total = sum.total(0, 1000);
  EXPECT_DOUBLE_EQ(total.low, 2000 * (1 - kBias));
  EXPECT_DOUBLE_EQ(total.high, 2000 * (1 + kBias));
}

TEST(RatioSum, HasTheVarianceOfRecentUnitsWithoutTheirWeights) {
  RatioSum sum;
  for (unsigned unit = 0; unit < 40; ++unit)
    sum.add(unit, 1 + 9 * (unit % 2), 100, unit % 2 == 0 ? 180 : 220);
  // Differences of 0.4 have the variance 0.08; the mean is (1.8 + 10 × 2.2) / 11.
  EXPECT_NEAR(sum.unit_variance() * sum.ratio() * sum.ratio(), 0.08, 1e-12);
  for (unsigned unit = 40; unit < 40 + 10 * RatioSum::kRecent; ++unit) sum.add(unit, 1, 100, 200);
  EXPECT_LT(sum.unit_variance(), 1e-5);
}

TEST(RatioSum, HasAnInfiniteIntervalWithOneUnit) {
  RatioSum sum;
  sum.add(0, 1, 100, 200);
  EXPECT_TRUE(std::isinf(sum.total(10, 1000).high));
  EXPECT_EQ(sum.total(10, 1000).low, 10);
  EXPECT_EQ(sum.total(10, 0).high, 10);
}

/// Returns the share of samples whose interval, without the allowance for bias, holds the true total. The
/// costs are log-normal; `step` is the change of the mean from the first half of the program to the second.
double coverage(unsigned units, double spread, double step) {
  std::mt19937_64 random{1};
  unsigned held = 0;
  constexpr unsigned kTrials = 2000;
  for (unsigned trial = 0; trial < kTrials; ++trial) {
    RatioSum sum;
    for (unsigned unit = 0; unit < units; ++unit) {
      std::lognormal_distribution<double> cost{unit < units / 2 ? 0 : step, spread};
      sum.add(unit, 1, 1000, 1000 * cost(random));
    }
    const double truth = std::exp(spread * spread / 2) * (1 + std::exp(step)) / 2;
    const SampledTotal total = sum.total(0, 1);
    const double bias = kBias * total.value;
    held += total.low + bias <= truth && truth <= total.high - bias;
  }
  return static_cast<double>(held) / kTrials;
}

TEST(RatioSum, HasIntervalsThatHoldTheTruthInAsManyCasesAsTheyState) {
  if (kSanitized) GTEST_SKIP() << "statistics of many samples, which the release build makes";
  for (const double spread : {0.1, 0.5})
    for (const double step : {0.0, 2.0})
      for (const unsigned units : {30u, 300u}) {
        SCOPED_TRACE(::testing::Message() << units << " units, spread " << spread << ", step " << step);
        // One difference across the step counts in full, which widens the intervals of few units.
        EXPECT_GE(coverage(units, spread, step), 0.92);
        if (step == 0) {
          EXPECT_LE(coverage(units, spread, step), 0.98);
        }
      }
}

TEST(RatioSum, CountsUnitsWithoutTheRegion) {
  // The region is in every second unit of one sample, and alone in the other: its own cost varies equally.
  std::mt19937_64 random{1};
  std::normal_distribution<double> cost{2, 0.2};
  RatioSum every_second, alone;
  for (unsigned unit = 0; unit < 1000; ++unit) {
    const double y = 100 * cost(random);
    every_second.add(2 * unit, 1, 100, y);
    alone.add(unit, 1, 100, y);
  }
  EXPECT_NEAR(every_second.standard_error() / alone.standard_error(), 1, 0.1);
}

}  // namespace
}  // namespace psim::predict
