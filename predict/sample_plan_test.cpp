// SPDX-License-Identifier: Apache-2.0
#include "predict/sample_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

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

/// Gives `plan` a number of units of this variance.
void measure(SamplePlan& plan, std::uint64_t units, double variance) {
  for (; units != 0; --units) plan.measured(variance);
  plan.next(0);
}

TEST(SamplePlan, TakesAPeriodByWhichTheErrorIsTheRequestedOne) {
  SamplePlan plan{{.from = 16'000'000, .window = 3000, .error = 0.025}};
  plan.next(0);
  EXPECT_EQ(plan.period(), 16'000'000 / SamplePlan::kFirstShare);
  // Two standard errors of 100 equal units that vary by 10 % are 2 %, which leaves 0.5 % for the bias.
  // Periods of a 50th have the variance of 100 equal ones.
  measure(plan, SamplePlan::kFewestUnits, 0.01);
  EXPECT_EQ(plan.period(), 16'500'000 / 50);
  // Units that vary less need longer periods, but none is longer than this share.
  measure(plan, SamplePlan::kUnitsBetween - 1, 0.001);
  EXPECT_EQ(plan.period(), 16'500'000 / 50);
  measure(plan, 1, 0.001);
  EXPECT_EQ(plan.period(), 2 * (16'500'000 / 50));
  measure(plan, SamplePlan::kUnitsBetween, 0.001);
  EXPECT_EQ(plan.period(), 17'820'000 / SamplePlan::kShare);
  // If they vary more, periods become shorter, by half at most.
  measure(plan, SamplePlan::kUnitsBetween, 0.01);
  EXPECT_EQ(plan.period(), 17'820'000 / SamplePlan::kShare / 2);
  measure(plan, SamplePlan::kUnitsBetween, 0.01);
  EXPECT_EQ(plan.period(), 19'156'500 / 50);
  for (unsigned change = 0; change < 8; ++change) measure(plan, SamplePlan::kUnitsBetween, 10);
  EXPECT_EQ(plan.period(), 3u * 3000);
}

TEST(SamplePlan, KeepsThePeriodShortBesideTheProgramSoFar) {
  SamplePlan plan{{.from = 2'000'000, .window = 2000, .error = 0.02}};
  for (unsigned unit = 0; unit < 400; ++unit) {
    const std::uint64_t at = plan.next(0);
    EXPECT_LE(plan.period(), std::max(SamplePlan::kShortest, 2 * at / SamplePlan::kShare));
    plan.measured(0.0001);
  }
  EXPECT_GT(plan.period(), 4 * SamplePlan::kShortest);
}

TEST(SamplePlan, HasFewUnitsBeforeAProgramIsLong) {
  // Periods of 60 times the root of the instructions so far: 40 units up to 1.44 million, 20 for each further
  // e-fold.
  SamplePlan plan{{.from = 22'000, .window = 2000, .error = 0.02}};
  unsigned units = 0, early = 0;
  for (std::uint64_t at = 0; (at = plan.next(0)) < 16'000'000; ++units) {
    early += at < 1'440'000;
    plan.measured(0.0001);
  }
  EXPECT_NEAR(early, 37, 4);
  EXPECT_NEAR(units, 37 + 20 * std::log(16 / 1.44), 8);
}

TEST(SamplePlan, HasMoreUnitsEarlyIfTheyDiffer) {
  SamplePlan plan{{.from = 22'000, .window = 2000, .error = 0.02}};
  for (unsigned unit = 0; unit < 60; ++unit) plan.next(0), plan.measured(0.01);
  EXPECT_LT(static_cast<double>(plan.period()), SamplePlan::kRoot * 1000);
}

/// Executes a program that alternates between strata of these numbers of instructions, and returns the
/// instructions for which the windows of each stratum stand.
std::vector<double> stratum_weights(SamplePlan& plan, const std::vector<std::uint64_t>& parts,
                                    unsigned times) {
  std::vector<double> weights(parts.size());
  std::uint64_t now = 20'000, at = plan.next(now);
  for (unsigned turn = 0; turn < times; ++turn) {
    for (std::size_t stratum = 0; stratum < parts.size(); ++stratum) {
      at = plan.enter(stratum, now, at);
      EXPECT_GE(at, now);
      now += parts[stratum];
      while (at < now) {
        weights[stratum] += static_cast<double>(plan.period());
        plan.measured(0.0001);
        at = plan.next(at + 2000);
      }
    }
  }
  return weights;
}

TEST(SamplePlan, GivesEachStratumPeriodsOfItsOwn) {
  // One stratum follows the other, or they alternate: the windows of each stand for its instructions, but for
  // the period in which it ends.
  for (const unsigned turns : {1u, 50u}) {
    const std::vector<std::uint64_t> parts{10'000'000 / turns, 500'000 / turns, 1'500'000 / turns};
    std::vector<double> means(parts.size());
    constexpr unsigned kSeeds = 400;
    for (unsigned seed = 1; seed <= kSeeds; ++seed) {
      SamplePlan plan{{.from = 20'000, .window = 2000, .error = 0.02, .seed = seed}};
      const std::vector<double> weights = stratum_weights(plan, parts, turns);
      for (std::size_t n = 0; n < parts.size(); ++n) {
        const double all = static_cast<double>(parts[n]) * turns;
        EXPECT_LE(std::abs(weights[n] / all - 1), 1.5 / SamplePlan::kStratumShare) << turns << ' ' << n;
        means[n] += weights[n] / all / kSeeds;
      }
    }
    for (const double mean : means) EXPECT_NEAR(mean, 1, 0.02) << turns;
  }
}

TEST(SamplePlan, HasNoStrataWithAFixedPeriod) {
  SamplePlan plan{{.from = 0, .window = 100, .period = 1000}};
  const std::uint64_t at = plan.next(0);
  EXPECT_EQ(plan.enter(1, 0, at), at);
  EXPECT_EQ(plan.enter(0, 0, at), at);
  EXPECT_GE(plan.next(0), 1000u);
}

}  // namespace
}  // namespace psim::predict
