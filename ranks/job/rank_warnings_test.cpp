// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/rank_warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace psim::net {
namespace {

using ::testing::ElementsAre;

TEST(RankWarnings, OneLineNamesAllRanksOfAKindInOrder) {
  RankWarnings warnings;
  for (const std::uint32_t rank : {7u, 2u, 0u, 1u, 3u}) warnings.add("ended early", rank);
  warnings.add("kept requests", 5, 2);
  EXPECT_THAT(warnings.lines(""), ElementsAre("ranks 0-3 and 7 ended early", "rank 5 kept requests: 2"));
  EXPECT_THAT(warnings.lines("a"),
              ElementsAre("job a: ranks 0-3 and 7 ended early", "job a: rank 5 kept requests: 2"));
}

TEST(RankWarnings, LinesAndRanksAreBounded) {
  RankWarnings warnings;
  for (std::uint32_t rank = 0; rank < 40; rank += 2) warnings.add("b", rank);
  EXPECT_THAT(warnings.lines(""), ElementsAre("ranks 0, 2, 4, 6, 8, 10, 12, 14 and 12 more b"));
  for (int i = 0; i < 30; ++i) warnings.add("c" + std::to_string(i), 1);
  const auto lines = warnings.lines("");
  EXPECT_EQ(lines.size(), RankWarnings::kMostLines);
  EXPECT_EQ(lines.back(), "16 more kinds of warnings");
}

TEST(RankWarnings, WarningsOfHostProcessesAddUp) {
  RankWarnings first, second;
  first.add("kept requests", 0, 1);
  second.add("kept requests", 1, 3);
  Parcel parcel;
  second.write(parcel);
  first.read(parcel);
  EXPECT_THAT(first.lines(""), ElementsAre("ranks 0-1 kept requests: 4"));
}

}  // namespace
}  // namespace psim::net
