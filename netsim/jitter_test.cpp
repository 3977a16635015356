// SPDX-License-Identifier: Apache-2.0
#include "netsim/jitter.h"

#include <gtest/gtest.h>

namespace psim::net {
namespace {

Jitter jitter(std::int64_t period, std::int64_t duration, JitterDistribution distribution, bool aligned) {
  return Jitter({Picoseconds{period}, Picoseconds{duration}, distribution, aligned}, 1);
}

TEST(Jitter, WithoutAPeriodNothingIsLost) {
  EXPECT_EQ(Jitter({}, 1).end(3, 100, 50), 150u);
  EXPECT_EQ(jitter(1'000, 0, JitterDistribution::Fixed, true).end(3, 100, 50), 150u);
}

TEST(Jitter, ComputationGetsTheRestOfEachPeriod) {
  // Losses: 0 … 99, 1000 … 1099, …; 900 of each 1000 remain.
  const Jitter os = jitter(1'000, 100, JitterDistribution::Fixed, true);
  EXPECT_EQ(os.end(0, 0, 1), 101u);
  EXPECT_EQ(os.end(0, 99, 1), 101u);
  EXPECT_EQ(os.end(0, 100, 900), 1'000u);  // done as the next loss begins
  EXPECT_EQ(os.end(0, 100, 901), 1'101u);
  EXPECT_EQ(os.end(0, 550, 500), 1'150u);
  EXPECT_EQ(os.end(0, 100, 900'000'000),
            1'000'000'000u - 0);  // a millionfold: work / (1 - duration / period)
}

TEST(Jitter, AWokenRankWaitsForTheEndOfALoss) {
  const Jitter os = jitter(1'000, 100, JitterDistribution::Fixed, true);
  EXPECT_EQ(os.end(0, 2'030, 0), 2'100u);
  EXPECT_EQ(os.end(0, 2'100, 0), 2'100u);
  EXPECT_EQ(os.end(0, 2'999, 0), 2'999u);
}

TEST(Jitter, InPartsOrAtOnceIsTheSame) {
  for (const auto distribution :
       {JitterDistribution::Fixed, JitterDistribution::Uniform, JitterDistribution::Exponential}) {
    const Jitter os = jitter(1'000, 150, distribution, false);
    std::uint64_t at = 12'345;
    for (int i = 0; i < 1'000; ++i) at = os.end(7, at, 37);
    EXPECT_EQ(at, os.end(7, 12'345, 37'000));
  }
}

TEST(Jitter, RanksLoseTheirProcessorAtTimesOfTheirOwn) {
  const Jitter os = jitter(1'000'000, 100, JitterDistribution::Fixed, false);
  EXPECT_NE(os.begin(0, 0), os.begin(1, 0));
  EXPECT_EQ(os.begin(1, 5), os.begin(1, 0) + 5'000'000);
  EXPECT_LT(os.begin(1, 0), 1'000'000u);
  EXPECT_NE(
      Jitter({Picoseconds{1'000'000}, Picoseconds{100}, JitterDistribution::Fixed, false}, 2).begin(0, 0),
      os.begin(0, 0));
}

TEST(Jitter, DrawnDurationsHaveTheirMeanAndStayWithinThePeriod) {
  for (const auto distribution : {JitterDistribution::Uniform, JitterDistribution::Exponential}) {
    const Jitter os = jitter(1'000'000, 50'000, distribution, false);
    double sum = 0;
    for (std::uint64_t n = 0; n < 20'000; ++n) {
      sum += static_cast<double>(os.duration(3, n));
      ASSERT_LT(os.duration(3, n), 1'000'000u);
    }
    EXPECT_NEAR(sum / 20'000, 50'000,
                distribution == JitterDistribution::Uniform ? 612 : 1'060);  // three deviations
  }
}

}  // namespace
}  // namespace psim::net
