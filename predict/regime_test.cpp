// SPDX-License-Identifier: Apache-2.0
#include "predict/regime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace psim::predict {
namespace {

using ::testing::HasSubstr;

TEST(Regime, ABoundaryIsWhereTheShareIsHalfWayBetweenBothEnds) {
  const std::vector<RegimePoint> points{{{256}, 0.45, 0.0}, {{64}, 0.05, 0.0}, {{128}, 0.45, 0.0}};
  const auto changes = find_regime_changes(points);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_FALSE(changes[0].memory);
  EXPECT_NEAR(changes[0].at, 90.5, 0.1);  // 64 sqrt(2), half-way on the logarithmic scale
  EXPECT_EQ(changes[0].below, 64);
  EXPECT_EQ(changes[0].above, 128);
  EXPECT_THAT(
      text_of(changes[0], "a", {"n"}),
      HasSubstr("region a: data outgrow the first-level cache near n = 91, between 64 and 128: waits for "
                "L2 rise from 5 % of the cycles at n = 64 to 45 % at 128"));
}

TEST(Regime, SlowRisesOverSeveralPointsCount) {
  const std::vector<RegimePoint> points{{{64}, 0, 0}, {{128}, 0, 0.08}, {{192}, 0, 0.16}, {{256}, 0, 0.24}};
  const auto changes = find_regime_changes(points);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_TRUE(changes[0].memory);
  EXPECT_EQ(changes[0].below, 128);
  EXPECT_THAT(text_of(changes[0], "a", {"n"}), HasSubstr("second-level cache"));
}

TEST(Regime, EachParameterIsSearchedWithTheOthersFixed) {
  std::vector<RegimePoint> points;
  for (const double n : {8, 16, 32})
    for (const double m : {1, 2, 4}) points.push_back({{n, m}, m == 1 ? 0.0 : 0.3, 0});
  const auto changes = find_regime_changes(points);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].parameter, 1u);
}

TEST(Regime, SharesThatFallOrStayAreNone) {
  EXPECT_TRUE(
      find_regime_changes(std::vector<RegimePoint>{{{1}, 0.5, 0}, {{2}, 0.1, 0}, {{3}, 0.15, 0}}).empty());
  EXPECT_TRUE(find_regime_changes({}).empty());
}

}  // namespace
}  // namespace psim::predict
