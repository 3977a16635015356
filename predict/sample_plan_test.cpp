// SPDX-License-Identifier: Apache-2.0
#include "predict/sample_plan.h"

#include <gtest/gtest.h>

#include <set>

namespace psim::predict {
namespace {

TEST(SamplePlan, PutsOneWindowIntoEachPeriod) {
  SamplePlan plan{{.from = 500, .window = 30, .period = 100, .seed = 7}};
  std::set<std::uint64_t> places;
  for (std::uint64_t period = 0; period < 1000; ++period) {
    const std::uint64_t at = plan.next(0);
    EXPECT_GE(at, 500 + 100 * period);
    EXPECT_LE(at + 30, 500 + 100 * (period + 1));
    places.insert((at - 500) % 100);
  }
  EXPECT_EQ(places.size(), 70u);
}

TEST(SamplePlan, NeverGoesBack) {
  SamplePlan plan{{.from = 0, .window = 100, .period = 100}};
  EXPECT_EQ(plan.next(0), 0u);
  EXPECT_EQ(plan.next(150), 150u);
  EXPECT_EQ(plan.next(290), 290u);
  EXPECT_EQ(plan.next(300), 300u);
}

TEST(SamplePlan, RepeatsWithItsSeed) {
  SamplePlan one{{.period = 100'000, .seed = 3}}, same{{.period = 100'000, .seed = 3}},
      other{{.period = 100'000, .seed = 4}};
  unsigned differ = 0;
  for (unsigned n = 0; n < 10; ++n) {
    const std::uint64_t at = one.next(0);
    EXPECT_EQ(at, same.next(0));
    differ += at != other.next(0);
  }
  EXPECT_GE(differ, 9u);
}

TEST(SamplePlan, LengthensThePeriodWhileTheErrorIsBelowTheRequestedOne) {
  SamplePlan plan{{.from = 1'000'000'000, .window = 3000, .error = 0.02}};
  plan.next(0);
  EXPECT_EQ(plan.period(), SamplePlan::kShortest);
  for (std::uint64_t unit = 1; unit < SamplePlan::kFewestUnits; ++unit) plan.measured(0.01);
  plan.next(0);
  EXPECT_EQ(plan.period(), SamplePlan::kShortest);
  plan.measured(0.01);
  plan.next(0);
  EXPECT_EQ(plan.period(), 2 * SamplePlan::kShortest);
  for (unsigned unit = 0; unit < 10'000; ++unit) plan.measured(0.01);
  plan.next(0);
  EXPECT_EQ(plan.period(), SamplePlan::kLongest);
  for (unsigned unit = 0; unit < SamplePlan::kUnitsBetween; ++unit) plan.measured(0.025);
  plan.next(0);
  EXPECT_EQ(plan.period(), SamplePlan::kLongest);
  plan.measured(0.031);
  plan.next(0);
  EXPECT_EQ(plan.period(), SamplePlan::kLongest / 2);
}

TEST(SamplePlan, KeepsThePeriodShortBesideTheProgramSoFar) {
  SamplePlan plan{{.from = 1'000'000, .window = 3000, .error = 0.02}};
  for (unsigned unit = 0; unit < 2'000; ++unit) {
    const std::uint64_t at = plan.next(0);
    EXPECT_LE(plan.period(), std::max(SamplePlan::kShortest, 2 * at / SamplePlan::kShare));
    plan.measured(0.001);
  }
  EXPECT_GT(plan.period(), 4 * SamplePlan::kShortest);
}

}  // namespace
}  // namespace psim::predict
