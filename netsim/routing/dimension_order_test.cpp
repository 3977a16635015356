// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/dimension_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "netsim/testing/routing.h"

namespace psim::net {
namespace {

using testing::config;
using ::testing::HasSubstr;
using testing::walk_all;

TEST(DimensionOrder, ReachesEveryNodeOfEveryLatticeByAShortestRoute) {
  for (const char* kind : {"torus", "mesh"})
    for (const char* shape :
         {"1", "2", "3", "4", "7", "5x4", "2x2x2", "4x1x3", "4x4x4", "1x2x3x4", "3x2x2x2x2", "2x3x2x2x3x2"})
      for (const std::uint32_t vcs : {2u, 4u, 5u}) {
        const Network network = make_topology(config(kind, shape, "", vcs), 0);
        EXPECT_EQ(walk_all(network, true), "") << kind << " " << shape << " " << vcs;
      }
}

TEST(DimensionOrder, OnATorusWithOneChannelIsRefusedAndTheCircleShown) {
  try {
    make_topology(config("torus", "4x2", "", 1), 8);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "router.virtual_channels = 1: packets can wait for each other in a circle of 4 channels; "
                 "expected 2 for routing dimension-order: "
                 "(0,0)+X vc0 -> (1,0)+X vc0 -> (2,0)+X vc0 -> (3,0)+X vc0 -> (0,0)+X vc0");
  }
}

TEST(DimensionOrder, NeedsOneChannelWhereRingsAreCrossedInOneStep) {
  EXPECT_EQ(walk_all(make_topology(config("torus", "3x3x2", "", 1), 18), true), "");
  EXPECT_EQ(walk_all(make_topology(config("mesh", "9x9", "", 1), 81), true), "");
}

TEST(DimensionOrder, FinishesADimensionBeforeTheNext) {
  const Network network = make_topology(config("torus", "5x5x5"), 125);
  for (std::uint32_t to = 0; to < 125; ++to) {
    const testing::Walk walked = testing::walk(network, 31, to);
    EXPECT_TRUE(
        std::is_sorted(walked.kinds.begin(), walked.kinds.end()));  // +X -X +Y -Y +Z -Z, one sign of each
  }
}

}  // namespace
}  // namespace psim::net
