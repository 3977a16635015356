// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/fit_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace psim::commands {
namespace {

using ::testing::ElementsAre;
using testing::Pair;

TEST(FitGrid, OneAxisWithoutANameIsForEveryPlaceholder) {
  const auto grid = grid_of({"./a", "-n{}", "{}"}, {"64 96"});
  ASSERT_EQ(grid.size(), 2u);
  EXPECT_THAT(grid[1].words, ElementsAre("./a", "-n96", "96"));
  EXPECT_EQ(grid[1].label, "n=96");
}

TEST(FitGrid, SeveralAxesGiveAllCombinations) {
  const auto grid = grid_of({"./a", "{}", "{m}", "{k}"}, {"1 2", "m=7,8,9", "k=5"});
  ASSERT_EQ(grid.size(), 6u);
  EXPECT_THAT(grid[5].words, ElementsAre("./a", "2", "9", "5"));
  EXPECT_THAT(grid[5].values, ElementsAre(Pair("n", "2"), Pair("m", "9"), Pair("k", "5")));
}

TEST(FitGrid, AxesAndPlaceholdersMustMatch) {
  EXPECT_THROW(grid_of({"./a", "{}"}, {}), UserError);
  EXPECT_THROW(grid_of({"./a"}, {"1 2"}), UserError);
  EXPECT_THROW(grid_of({"./a", "{}"}, {"m=1"}), UserError);
  EXPECT_THROW(grid_of({"./a", "{}"}, {"1", "2"}), UserError);
  EXPECT_THROW(grid_of({"./a", "{}"}, {"1 1"}), UserError);
  EXPECT_THROW(grid_of({"./a", "{}"}, {" "}), UserError);
  EXPECT_THROW(grid_of({"./a", "{m}"}, {"m=1", "m=2"}), UserError);
}

TEST(FitGrid, ArgumentsOfAPredictionAreWholeNumbers) {
  EXPECT_THAT(parse_arguments("512,-4"), ElementsAre(512, -4));
  for (const char* text : {"", "a", "1,", "1.5", "1 2"})
    EXPECT_THROW(parse_arguments(text), UserError) << text;
}

}  // namespace
}  // namespace psim::commands
