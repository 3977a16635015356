// SPDX-License-Identifier: Apache-2.0
#include "papers/comparison.h"

#include <gtest/gtest.h>

#include <limits>

namespace psim::reproduce {
namespace {

Comparison ratio(double paper, std::optional<double> run, std::optional<double> fit, double goal) {
  return {"dgemm ratio", "", paper, run, fit, goal};
}

TEST(Comparison, TheBorderOfTheGoalIsWithinAndOneStepBeyondIsNot) {
  EXPECT_TRUE(ratio(100, 110, {}, 0.10).within());
  EXPECT_TRUE(ratio(100, 90, {}, 0.10).within());
  EXPECT_FALSE(ratio(100, 110.01, {}, 0.10).within());
  EXPECT_FALSE(ratio(100, 89.99, {}, 0.10).within());
}

TEST(Comparison, ARunIsJudgedBeforeAFit) {
  EXPECT_TRUE(ratio(100, 100, 200, 0.10).within());
  EXPECT_FALSE(ratio(100, 200, 100, 0.10).within());
  EXPECT_FALSE(ratio(100, {}, 200, 0.10).within());
}

TEST(Comparison, NotANumberIsNotWithin) {
  EXPECT_FALSE(ratio(100, std::numeric_limits<double>::quiet_NaN(), {}, 0.10).within());
}

TEST(Comparison, OneMissAmongManyMakesTheStatusOne) {
  const std::vector<Comparison> good{ratio(6.9, 7, {}, 0.05), ratio(6.0, {}, 6.1, 0.05)};
  EXPECT_EQ(status_of(good), 0);
  EXPECT_TRUE(misses(good).empty());
  std::vector<Comparison> bad = good;
  bad.push_back({"zgemm scalar", "ms", 1114.6, {}, 1310.9, 0.10});
  EXPECT_EQ(status_of(bad), 1);
  EXPECT_EQ(misses(bad),
            std::vector<std::string>{"zgemm scalar: 1311 ms by fit, paper 1114.6 ms: +17.6 %, goal 10 %"});
}

}  // namespace
}  // namespace psim::reproduce
