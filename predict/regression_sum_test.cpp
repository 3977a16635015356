// SPDX-License-Identifier: Apache-2.0
#include "predict/regression_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/sanitized.h"

namespace psim::predict {
namespace {

using Counts = RegressionSum::Counts;
constexpr double kInstructions = 1'000;

/// Units whose counts are random, with a cost of 1 per instruction, 2 per first and 3 per second count.
struct Units {
  explicit Units(unsigned seed, double noise = 0) : random{seed}, rest{0, noise} {}
  void add(unsigned number, double weight = 1) {
    for (unsigned unit = 0; unit < number; ++unit) {
      const Counts counts = draw();
      sum.add(weight, kInstructions, cost(counts) + rest(random), counts);
    }
  }
  Counts draw() { return {count(random), count(random)}; }
  static double cost(const Counts& counts) { return kInstructions + 2 * counts[0] + 3 * counts[1]; }

  std::mt19937_64 random;
  std::uniform_real_distribution<double> count{0, 500};
  std::normal_distribution<double> rest;
  RegressionSum sum;
};

TEST(RegressionSum, GivesTheCostOfOtherCountsThanThoseOfTheUnits) {
  Units units{1};
  units.add(100);
  units.add(100, 5);
  const CostEstimate estimate = units.sum.estimate({0.1, 0.4});
  EXPECT_NEAR(estimate.cost, 1 + 2 * 0.1 + 3 * 0.4, 0.005);  // slopes are drawn a little towards 0
  EXPECT_LT(estimate.error, 0.001);
  EXPECT_LT(units.sum.unit_variance(), 1e-6);
}

TEST(RegressionSum, IsARatioSumIfNoCountChanges) {
  RegressionSum sum;
  RatioSum plain;
  std::mt19937_64 random{3};
  std::lognormal_distribution<double> cost{0, 0.5};
  for (unsigned unit = 0; unit < 80; ++unit) {
    const double y = kInstructions * cost(random), weight = 1 + unit % 3;
    sum.add(weight, kInstructions, y, {7, 0});
    plain.add(unit, weight, kInstructions, y);
  }
  const CostEstimate estimate = sum.estimate({0.007, 0.5});
  EXPECT_DOUBLE_EQ(estimate.cost, plain.ratio());
  EXPECT_NEAR(estimate.error, plain.standard_error(), 1e-9);
  EXPECT_NEAR(estimate.freedom, plain.estimate().freedom, 1e-9);
}

TEST(RegressionSum, HasNoSlopeForACountOfFewUnitsAndNoneWithFewUnits) {
  RegressionSum sum;
  for (unsigned unit = 0; unit < 60; ++unit)
    sum.add(1, kInstructions, unit == 20 ? 3000 : 1000, {unit == 20 ? 40.0 : 0.0, 0});
  EXPECT_NEAR(sum.estimate({0.2, 0}).cost, 1 + 2.0 / 60, 1e-9);
  Units few{1};
  few.add(RegressionSum::kFewestUnits - 1);
  EXPECT_EQ(few.sum.estimate({0, 0}).cost, few.sum.estimate({9, 9, 9, 9, 9, 9, 9}).cost);
}

TEST(RegressionSum, ToleratesACountThatIsTheSumOfOthers) {
  Units units{5};
  for (unsigned unit = 0; unit < 200; ++unit) {
    Counts counts = units.draw();
    counts[2] = counts[0] + counts[1];
    units.sum.add(1, kInstructions, Units::cost(counts), counts);
  }
  EXPECT_NEAR(units.sum.estimate({0.3, 0.1, 0.4, 0, 0, 0, 0}).cost, 1 + 2 * 0.3 + 3 * 0.1, 0.005);
}

TEST(RegressionSum, HasNoSlopeForACountThatIsLeftOutAndItsVarianceInTheError) {
  Units all{9}, first{9};
  first.sum.leave_out(1);
  all.add(200), first.add(200);
  const Counts means{0.25, 0.1};
  EXPECT_NEAR(all.sum.estimate(means).cost - first.sum.estimate(means).cost, -3 * 0.15, 0.1);  // units: 0.25
  // 3 times a uniform count from 0 to 0.5 per instruction, of 200 units.
  EXPECT_NEAR(first.sum.estimate(means).error, 3 * 0.5 / std::sqrt(12 * 200), 0.01);
  EXPECT_LT(all.sum.estimate(means).error, 0.001);
  EXPECT_GT(first.sum.unit_variance(), 100 * all.sum.unit_variance());
}

TEST(RegressionSum, HasNoSlopeForAHiddenCountThatUnitsLack) {
  Units all{9}, first{9};
  first.sum.mark_hidden(1);
  all.add(200), first.add(200);
  const Counts near{0.25, 0.26}, far{0.25, 0.75};  // units: 0.25
  EXPECT_DOUBLE_EQ(first.sum.estimate(near).cost, all.sum.estimate(near).cost);
  EXPECT_EQ(first.sum.estimate(near).more, 0);
  const CostEstimate estimate = first.sum.estimate(far);
  EXPECT_NEAR(estimate.cost, 1 + 2 * 0.25 + 3 * 0.25, 0.1);
  EXPECT_NEAR(estimate.cost + estimate.more, all.sum.estimate(far).cost, 1e-9);
  const SampledTotal total = estimate.total(0, 1);
  EXPECT_NEAR(total.high - total.value, total.value - total.low + estimate.more, 1e-9);
}

TEST(RegressionSum, HoldsTheEstimateWithoutCountsWhereTheyCorrectItMuch) {
  Units units{9};
  units.add(200);
  // The mean of 200 units, whose standard error is 0.037 of 2.25, and three and six of these from it.
  const CostEstimate little = units.sum.estimate({0.25, 0.27}), less = units.sum.estimate({0.25, 0.15}),
                     more = units.sum.estimate({0.25, 0.35});
  EXPECT_EQ(little.less + little.more, 0);
  EXPECT_NEAR(less.more, 3 * 0.1, 0.1);  // units: 0.25
  EXPECT_NEAR(more.less, 3 * 0.1, 0.1);
  EXPECT_EQ(less.less + more.more, 0);
  EXPECT_NEAR(less.cost + less.more, more.cost - more.less, 1e-9);
}

TEST(RegressionSum, HasAnErrorThatGrowsFarFromTheUnits) {
  Units units{7, 100};
  units.add(100);
  const double near = units.sum.estimate({0.25, 0.25}).error;
  EXPECT_GT(units.sum.estimate({5, 5}).error, 5 * near);
}

TEST(RegressionSum, HasIntervalsThatHoldTheTruthInAsManyCasesAsTheyState) {
  if (kSanitized) GTEST_SKIP() << "statistics of many samples, which the release build makes";
  for (const unsigned number : {40u, 300u}) {
    unsigned held = 0;
    constexpr unsigned kTrials = 1000;
    for (unsigned trial = 0; trial < kTrials; ++trial) {
      Units units{trial, 200};
      units.add(number);
      const SampledTotal total = units.sum.estimate({0.25, 0.25}).total(0, 1);
      const double truth = 1 + 5 * 0.25;
      held += total.low + total.bias <= truth && truth <= total.high - total.bias;
    }
    EXPECT_GE(held, 0.92 * kTrials) << number;
    EXPECT_LE(held, 0.98 * kTrials) << number;
  }
}

}  // namespace
}  // namespace psim::predict
