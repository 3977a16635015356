// SPDX-License-Identifier: Apache-2.0
#include "ranks/timeline/pair_times.h"

#include <gtest/gtest.h>

namespace psim::net {
namespace {

TEST(PairTimes, MessagesOfFurtherPairsAreOnlyInTheSum) {
  PairTimes times;
  for (std::uint32_t to = 0; to < PairTimes::kMostPairs; ++to)
    times.add({.from = 0, .to = to, .messages = 1, .bytes = 8, .time = 5, .waited = 0});
  EXPECT_EQ(times.unlisted(), 0u);
  times.add({.from = 1, .to = 0, .messages = 3, .bytes = 8, .time = 5, .waited = 5});
  times.add({.from = 0, .to = 7, .messages = 2, .bytes = 8, .time = 5, .waited = 5});
  EXPECT_EQ(times.unlisted(), 3u);
  EXPECT_EQ(times.pairs(), PairTimes::kMostPairs);
  EXPECT_EQ(times.sum().messages, PairTimes::kMostPairs + 5);
  EXPECT_EQ(times.longest(1).front().to, 7u);
}

}  // namespace
}  // namespace psim::net
