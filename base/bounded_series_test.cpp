// SPDX-License-Identifier: Apache-2.0
#include "base/bounded_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace psim {
namespace {

using ::testing::ElementsAre;

void add(int& into, const int& next) { into += next; }
using Series = BoundedSeries<int, add>;

TEST(BoundedSeries, KeepsEventsThatFit) {
  Series series(4);
  for (int i = 1; i <= 4; ++i) series.add(i);
  EXPECT_THAT(series.pieces(), ElementsAre(1, 2, 3, 4));
}

TEST(BoundedSeries, JoinsTwoAndTwoWhenOneMoreComes) {
  Series series(4);
  for (int i = 1; i <= 5; ++i) series.add(i);
  EXPECT_THAT(series.pieces(), ElementsAre(3, 7, 5));
  series.add(6);
  EXPECT_THAT(series.pieces(), ElementsAre(3, 7, 11));
  series.add(7);
  EXPECT_THAT(series.pieces(), ElementsAre(3, 7, 11, 7));
}

TEST(BoundedSeries, LosesNothing) {
  Series series(8);
  int all = 0;
  for (int i = 1; i <= 1000; ++i) {
    series.add(i);
    all += i;
    ASSERT_LE(series.pieces().size(), 8U);
    ASSERT_EQ(std::accumulate(series.pieces().begin(), series.pieces().end(), 0), all);
  }
}

TEST(BoundedSeries, AnAdditionToTheLastPieceMakesNoNewPiece) {
  Series series(4);
  series.add_to_last(1);
  series.add(2);
  series.add_to_last(5);
  EXPECT_THAT(series.pieces(), ElementsAre(1, 7));
}

}  // namespace
}  // namespace psim
