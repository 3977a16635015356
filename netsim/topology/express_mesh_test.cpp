// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "base/error.h"
#include "netsim/routing/deadlock_check.h"
#include "netsim/testing/routing.h"

namespace psim::net {
namespace {

using testing::config;

std::string express_problem(const std::string& shape) {
  try {
    make_topology(config("express-mesh", shape), 0);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(ExpressMesh, HasTheCablesOfAMeshAndOneMorePerInterval) {
  const Network network = make_topology(config("express-mesh", "9x5:4"), 0);
  std::uint32_t plain = 0, express = 0;
  for (const Channel& channel : network.graph.channels) {
    if (channel.to_router == Channel::kNowhere) continue;
    (network.graph.kinds[channel.kind].name.ends_with("express") ? express : plain) += 1;
  }
  EXPECT_EQ(plain, 2u * (8 * 5 + 4 * 9));
  EXPECT_EQ(express, 2u * (2 * 5 + 1 * 9));
  EXPECT_EQ(network.graph.nodes(), 45u);
}

TEST(ExpressMesh, RoutesTakeAnExpressChannelWhereItDoesNotLeadPastTheDestination) {
  const Network network = make_topology(config("express-mesh", "17:4"), 0);
  const auto hops = [&](std::uint32_t from, std::uint32_t to) {
    return testing::walk(network, from, to).hops;
  };
  EXPECT_EQ(hops(0, 16), 4u);
  EXPECT_EQ(hops(1, 14), 3u + 2 + 2);  // to 4, to 12, to 14
  EXPECT_EQ(hops(14, 1), 2u + 2 + 3);
  EXPECT_EQ(hops(1, 3), 2u);
  EXPECT_EQ(hops(4, 7), 3u);
  EXPECT_EQ(hops(8, 4), 1u);
}

TEST(ExpressMesh, RoutesOfEveryKindCloseNoCircleOnTheirChannels) {
  for (const char* routing : {"dimension-order", "valiant", "ugal", "ugal-g"}) {
    const Network network = make_topology(config("express-mesh", "9x7x4:3", routing, 2), 0);
    EXPECT_TRUE(find_circle(network.graph, *network.routing, 2).empty()) << routing;
  }
}

TEST(ExpressMesh, WithoutAnIntervalThatFitsIsRefusedInOneLine) {
  EXPECT_EQ(express_problem("9x9"),
            "topology.shape = \"9x9\": expected sizes, a colon and the interval, as in \"16x16:4\"");
  EXPECT_EQ(
      express_problem("9x9:1"),
      "topology.shape = \"9x9:1\": interval 1; expected 2 or more, and less than the longest dimension");
  EXPECT_NE(express_problem("9x9:9").find("interval 9"), std::string::npos);
}

}  // namespace
}  // namespace psim::net
