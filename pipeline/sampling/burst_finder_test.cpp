// SPDX-License-Identifier: Apache-2.0
#include "pipeline/sampling/burst_finder.h"

#include <gtest/gtest.h>

namespace psim::pipeline {
namespace {
constexpr std::uint64_t kOneCycle = 65'536, kWait = 100;

TEST(BurstFinder, FindsMissesThatFollowEachOtherClosely) {
  BurstFinder finder(kWait);
  finder.go_on(1'000, kOneCycle);
  // Each miss of 100 cycles adds 100 - 4 × 10: the level is 100, 160, 220, 280, 340, 400.
  for (std::uint64_t n = 0; n < 5; ++n) EXPECT_FALSE(finder.add(1'000 + 10 * n, 1)) << n;
  EXPECT_TRUE(finder.add(1'050, 1));
  EXPECT_EQ(finder.from(), 1'000u);
}

TEST(BurstFinder, FindsNothingInAProgramThatMissesAllTheTime) {
  BurstFinder finder(kWait);
  // The average has a miss for each ten instructions.
  finder.go_on(0, 10 * kOneCycle);
  for (std::uint64_t n = 0; n < 1'000; ++n) EXPECT_FALSE(finder.add(10 * n, 1)) << n;
}

TEST(BurstFinder, KnowsThatABurstHasEnded) {
  BurstFinder finder(kWait);
  finder.go_on(0, kOneCycle);
  for (std::uint64_t n = 0; n < 6; ++n) finder.add(10 * n, 1);
  finder.forget_end();
  finder.add(60, 1);
  EXPECT_FALSE(finder.ended());
  finder.add(1'000, 1);
  EXPECT_TRUE(finder.ended());
  EXPECT_EQ(finder.from(), 1'000u);
}

TEST(BurstFinder, LeavesOutWhatIsBetweenTwoPlaces) {
  BurstFinder finder(kWait);
  finder.go_on(0, kOneCycle);
  for (std::uint64_t n = 0; n < 5; ++n) finder.add(10 * n, 1);
  finder.go_on(500'000, kOneCycle);
  EXPECT_TRUE(finder.add(500'010, 1));
  EXPECT_EQ(finder.from(), 500'000u);
}

}  // namespace
}  // namespace psim::pipeline
