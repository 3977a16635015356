// SPDX-License-Identifier: Apache-2.0
#include "predict/late_units.h"

#include <gtest/gtest.h>

#include <functional>

namespace psim::predict {
namespace {

constexpr std::uint64_t kLater = LateUnits::kFrom;

struct LateOutcome {
  unsigned looks = 0, tests = 0;
  double difference = 0;
};

/// Runs units of one loop, whose late units differ by a function of their number.
LateOutcome run_late(unsigned units, double deviation, const std::function<double(unsigned)>& difference,
                     LateUnits& late) {
  LateOutcome run;
  for (unsigned n = 0; n < units; ++n) {
    const std::uint64_t after = late.next(kLater);
    late.add_unit(0x1000);
    run.looks += after == LateUnits::kLook, run.tests += after == LateUnits::kTest;
    if (after != 0) late.add(difference(n), deviation);
  }
  const auto differences = late.differences();
  if (const auto loop = differences.find(0x1000); loop != differences.end()) run.difference = loop->second;
  return run;
}

TEST(LateUnits, AreFewIfTheyDoNotDiffer) {
  LateUnits late;
  const LateOutcome done = run_late(
      100, 0.02, [](unsigned n) { return n % 2 ? 0.02 : -0.02; }, late);
  EXPECT_GE(done.looks, 3U);
  EXPECT_LE(done.looks, 4U);
  EXPECT_EQ(done.tests, 0U);
  EXPECT_EQ(done.difference, 0);
  EXPECT_EQ(late.pairs(), done.looks);
}

TEST(LateUnits, AreTestedIfOneDiffers) {
  LateUnits late;
  const LateOutcome done = run_late(
      60, 0.03, [](unsigned n) { return n % 4 ? 0.6 : 0.01; }, late);
  EXPECT_EQ(done.tests, LateUnits::kPairs);
  EXPECT_NEAR(done.difference, 0.6, 1e-9);
}

TEST(LateUnits, DoNotDifferByOnePair) {
  LateUnits late;
  unsigned measured = 0;
  const LateOutcome done = run_late(
      80, 0.03, [&](unsigned) { return ++measured == 2 ? 0.6 : 0.01; }, late);
  EXPECT_EQ(done.tests, LateUnits::kFewPairs);
  EXPECT_EQ(done.difference, 0);
}

TEST(LateUnits, DoNotDifferInBothDirections) {
  LateUnits late;
  EXPECT_DOUBLE_EQ(run_late(
                       80, 0.03, [](unsigned n) { return n % 2 ? 0.6 : -0.6; }, late)
                       .difference,
                   0);
}

TEST(LateUnits, AreNotOutsideOfLoopsAndNotEarly) {
  LateUnits late;
  for (unsigned n = 0; n < 100; ++n) {
    EXPECT_EQ(late.next(kLater - 1), 0U);
    late.add_unit(0x1000);
  }
  for (unsigned n = 0; n < 300; ++n) {
    late.add_unit(0);
    EXPECT_EQ(late.next(kLater), 0U);
  }
  EXPECT_DOUBLE_EQ(run_late(
                       100, 0.03, [](unsigned) { return 0.4; }, late)
                       .difference,
                   0.4);
  EXPECT_EQ(late.differences().size(), 1U);
}

}  // namespace
}  // namespace psim::predict
