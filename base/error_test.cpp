// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <gtest/gtest.h>

namespace psim {
namespace {

TEST(DidYouMean, NamesTheNearestCandidateOrAnotherWay) {
  const std::vector<std::string> names{"torus", "fat-tree", "dragonfly"};
  EXPECT_EQ(did_you_mean("torsu", names), "; did you mean torus?");
  EXPECT_EQ(did_you_mean("torsu", names, "see `psim --help`"), "; did you mean torus?");
  EXPECT_EQ(did_you_mean("crossbar", names), "");
  EXPECT_EQ(did_you_mean("crossbar", names, "see `psim --help`"), "; see `psim --help`");
  EXPECT_EQ(did_you_mean("torus", {}), "");
  EXPECT_EQ(did_you_mean(std::string(1'000'000, 't'), names), "");
}

}  // namespace
}  // namespace psim
