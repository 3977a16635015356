// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "netsim/statistics/blocked_time.h"
#include "netsim/statistics/latency_histogram.h"
#include "netsim/statistics/occupancy.h"
#include "netsim/statistics/time_bins.h"

namespace psim::net {
namespace {

TEST(BlockedTime, WaitsWhileNoMessageIsInFlight) {
  BlockedTime time;
  time.begin(100);
  EXPECT_EQ(time.wait(150), 50u);
  time.message(120, 150);  // 100 … 120
  EXPECT_EQ(time.wait(150), 20u);
  time.message(160, 200);  // 150 … 160
  time.message(130, 210);  // covers the second gap
  EXPECT_EQ(time.wait(210), 20u);
  time.message(110, 220);  // and half of the first
  EXPECT_EQ(time.wait(230), 10u + 10u);
  time.begin(1'000);
  time.message(10, 1'500);  // under way before
  EXPECT_EQ(time.wait(1'500), 0u);
}

TEST(BlockedTime, CountsOldGapsAsWaits) {
  BlockedTime time;
  time.begin(0);
  for (std::uint64_t i = 1; i <= 10; ++i) time.message(10 * i - 5, 10 * i);
  EXPECT_EQ(time.wait(100), 50u);
  time.message(0, 101);  // the last four gaps were transfers
  EXPECT_EQ(time.wait(101), 30u);
}

TEST(TimeBins, PutsEachPartIntoItsBin) {
  TimeBins bins(2);
  const std::uint64_t w = bins.width();
  bins.add(1, w / 2, 2 * w);
  EXPECT_EQ(bins.at(1, 0), w / 2);
  EXPECT_EQ(bins.at(1, 1), w);
  EXPECT_EQ(bins.at(1, 2), w / 2);
  EXPECT_EQ(bins.at(0, 1), 0u);
}

TEST(TimeBins, GrowsWiderAndLosesNothing) {
  TimeBins bins(1);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const std::uint64_t bits = random_bits(1, 1, i);
    bins.add(0, i * 1'000'000 + bits % 1000, bits >> 44);
    sum += bits >> 44;
  }
  std::uint64_t all = 0;
  for (std::uint32_t i = 0; i < TimeBins::kMost; ++i) all += bins.at(0, i);
  EXPECT_EQ(all, sum);
  EXPECT_LT(10'000ull * 1'000'000, TimeBins::kMost * bins.width());
  EXPECT_GT(10'000ull * 1'000'000, TimeBins::kMost * bins.width() / 2);  // no wider than it takes
}

TEST(TimeBins, GivesEachBinItsOverlapWithTheIntervals) {
  struct Interval {
    std::uint64_t start, end;
  };
  std::vector<Interval> intervals;
  TimeBins bins(1), rest(1);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::uint64_t bits = random_bits(5, 5, i), start = bits % 40'000'000,
                        length = (bits >> 40) % 3'000'000;
    (i % 2 == 0 ? bins : rest).add(0, start, length);
    intervals.push_back({start, start + length});
  }
  bins.add(rest.shift(), rest.sums());
  for (std::uint32_t bin = 0; bin < TimeBins::kMost; ++bin) {
    const std::uint64_t begin = bin * bins.width(), end = begin + bins.width();
    std::uint64_t overlap = 0;
    for (const Interval& one : intervals)
      if (one.start < end && one.end > begin) overlap += std::min(one.end, end) - std::max(one.start, begin);
    ASSERT_EQ(bins.at(0, bin), overlap) << bin;
    ASSERT_EQ(bins.sums()[bin], overlap) << bin;
  }
}

TEST(LatencyHistogram, EveryLatencyIsBelowTheEndOfItsClassAndNotOfTheOneBefore) {
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    const std::uint64_t latency = random_bits(3, 3, i) >> (random_bits(4, 4, i) % 60 + 4);
    const std::uint32_t at = LatencyHistogram::class_of(latency);
    ASSERT_LT(latency, LatencyHistogram::end(at));
    if (at > 0) {
      ASSERT_GE(latency, LatencyHistogram::end(at - 1));
    }
  }
}

TEST(LatencyHistogram, QuantilesAreRightWithinAnEighth) {
  LatencyHistogram histogram;
  EXPECT_EQ(histogram.quantile(0.5), 0u);
  for (std::uint64_t i = 1; i <= 1'000; ++i) histogram.add(i * 1'000);
  EXPECT_EQ(histogram.quantile(0.5), 524'288u);  // the ends of the classes of 500,000 and 990,000
  EXPECT_EQ(histogram.quantile(0.99), 1'048'576u);
}

TEST(OccupancySeries, KeepsFewSamplesOfALongRun) {
  OccupancySeries series;
  std::size_t taken = 0;
  for (std::uint64_t time = 0; time < 1'000'000'000; time += 50'000) {
    if (!series.due(time)) continue;
    series.add_until(time, {});
    ++taken;
  }
  EXPECT_EQ(series.samples().size(), 239u);
  EXPECT_LT(series.samples().size(), OccupancySeries::kMost);
  EXPECT_EQ(taken, 1'007u);
  for (std::size_t i = 1; i < series.samples().size(); ++i)
    EXPECT_GT(series.samples()[i].time, series.samples()[i - 1].time);
}

TEST(OccupancySeries, InstantsDoNotDependOnTheNumberOfCalls) {
  OccupancySeries often, rarely;
  for (std::uint64_t time = 0; time <= 400'000'000; time += 50'000)
    if (often.due(time)) often.add_until(time, {});
  for (std::uint64_t time = 0; time <= 400'000'000; time += 40'000'000)
    if (rarely.due(time)) rarely.add_until(time, {});
  ASSERT_EQ(often.samples().size(), rarely.samples().size());
  for (std::size_t i = 0; i < often.samples().size(); ++i)
    EXPECT_EQ(often.samples()[i].time, rarely.samples()[i].time);
}

}  // namespace
}  // namespace psim::net
