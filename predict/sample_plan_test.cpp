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

/// Gives `plan` a number of units after which the interval has `error`, of which `bias`, as from 100 units.
void measure(SamplePlan& plan, std::uint64_t units, double error, double bias = 0) {
  for (; units != 0; --units) plan.measured({error, bias, 100});
  plan.next(0);
}

TEST(SamplePlan, TakesAPeriodByWhichTheErrorIsTheRequestedOne) {
  SamplePlan plan{{.from = 16'000'000, .window = 3000, .error = 0.02}};
  plan.next(0);
  EXPECT_EQ(plan.period(), 16'000'000 / SamplePlan::kFirstShare);
  // The error without the bias is the requested one: 100 equal units, or periods of a 50th, are enough.
  measure(plan, SamplePlan::kFewestUnits, 0.02, 0.008);
  EXPECT_EQ(plan.period(), 16'250'000 / 50);
  // Half of it needs 25 equal units, but no period is longer than this share.
  measure(plan, SamplePlan::kUnitsBetween, 0.014, 0.008);
  EXPECT_EQ(plan.period(), 16'575'000 / SamplePlan::kShare);

  SamplePlan precise{{.from = 32'000'000, .window = 3000, .error = 0.01}};
  precise.next(0);
  measure(precise, SamplePlan::kFewestUnits, 0.0125);  // 78 periods are needed: it stays
  EXPECT_EQ(precise.period(), 32'500'000 / SamplePlan::kFirstShare);
  measure(precise, 1, 0.0151);
  EXPECT_EQ(precise.period(), 32'500'000 / SamplePlan::kFirstShare / 2);
  measure(precise, SamplePlan::kUnitsBetween - 1, 0.0151);
  EXPECT_EQ(precise.period(), 32'500'000 / SamplePlan::kFirstShare / 2);
  measure(precise, 1, 0.0151);
  EXPECT_EQ(precise.period(), 32'500'000 / SamplePlan::kFirstShare / 4);
  for (unsigned change = 0; change < 6; ++change) measure(precise, SamplePlan::kUnitsBetween, 0.1);
  EXPECT_EQ(precise.period(), 3u * 3000);
}

TEST(SamplePlan, KeepsThePeriodShortBesideTheProgramSoFar) {
  SamplePlan plan{{.from = 200'000, .window = 2000, .error = 0.02}};
  for (unsigned unit = 0; unit < 400; ++unit) {
    const std::uint64_t at = plan.next(0);
    EXPECT_LE(plan.period(), std::max(SamplePlan::kShortest, 2 * at / SamplePlan::kShare));
    plan.measured({0.001, 0, 100});
  }
  EXPECT_GT(plan.period(), 4 * SamplePlan::kShortest);
}

}  // namespace
}  // namespace psim::predict
