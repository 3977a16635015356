// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "netsim/routing/deadlock_check.h"
#include "netsim/testing/routing.h"

namespace psim::net {
namespace {

using testing::config;

std::string kind_letters(const Network& network, const testing::Walk& walk) {
  std::string text;
  for (const std::uint8_t kind : walk.kinds) text += network.graph.kinds[kind].name[0];
  return text;
}

TEST(DragonflyPlus, JoinsAllPairsOfGroupsEquallyOften) {
  // 4 spines of 2 global ports: 9 groups by one cable, or 5 by two.
  for (const auto& [shape, groups, rails] :
       {std::tuple{"4x4x2x2", 9u, 1u}, std::tuple{"4x4x2x2x5", 5u, 2u}}) {
    const Network network = make_topology(config("dragonfly+", shape), 0);
    EXPECT_EQ(network.graph.routers(), 8 * groups);
    EXPECT_EQ(network.graph.nodes(), 8 * groups);
    EXPECT_EQ(network.group, 8u);
    EXPECT_EQ(testing::check_graph(network.graph), "");
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cables;
    for (std::uint32_t router = 0; router < network.graph.routers(); ++router)
      for (std::uint32_t port = 0; port < network.graph.ports(router); ++port) {
        const Channel& channel = network.graph.channel(router, port);
        if (channel.to_router != Channel::kNowhere && channel.cable == CableClass::Global)
          ++cables[{router / 8, channel.to_router / 8}];
      }
    EXPECT_EQ(cables.size(), std::size_t{groups} * (groups - 1));
    for (const auto& [pair, count] : cables) EXPECT_EQ(count, rails);
  }
}

TEST(DragonflyPlus, MinimalRoutesAreUpGlobalDown) {
  const Network network = make_topology(config("dragonfly+", "4x4x2x2x9", "", 1), 0);
  std::map<std::string, std::uint32_t> routes;
  for (std::uint32_t to = 0; to < 72; ++to) ++routes[kind_letters(network, testing::walk(network, 0, to))];
  const std::map<std::string, std::uint32_t> expected{{"", 2}, {"ud", 6}, {"ugd", 64}};
  EXPECT_EQ(routes, expected);
}

TEST(DragonflyPlus, ValiantRoutesCrossTwoGlobalCables) {
  const Network network = make_topology(config("dragonfly+", "4x4x2x2x9", "valiant", 3), 0);
  std::map<std::string, std::uint32_t> routes;
  for (std::uint32_t message = 0; message < 400; ++message)
    ++routes[kind_letters(network, testing::walk(network, 0, 71, message))];
  // Of the groups 1 … 7 the odd ones have the cables to groups 0 and 8 at one spine; the others need a leaf.
  EXPECT_EQ(routes["uggd"] + routes["ugdugd"], 400u);
  EXPECT_NEAR(routes["uggd"], 400 * 4 / 7, 30);
}

TEST(DragonflyPlus, ByParTheSourcesSpineDivertsAPacketFromALoadedCable) {
  const Network network = make_topology(config("dragonfly+", "4x4x2x2x9", "par", 3), 0);
  EXPECT_EQ(kind_letters(network, testing::walk(network, 0, 71, 0)), "ugd");
  testing::ChosenLoad load;
  load.queue[4] = 1 << 20;  // the first global port of spines; leaves have ports 0 … 5
  const Channel& first = network.graph.channel(4, 4);
  const std::uint32_t loaded = first.to_router / 8 * 8;  // a node of the group behind it
  std::uint32_t around = 0;
  for (std::uint32_t message = 0; message < 200; ++message) {
    const testing::Walk walk = testing::walk(network, 2, loaded, message, load);
    EXPECT_EQ(walk.problem, "");
    around += walk.hops > 3;
  }
  EXPECT_GT(around, 60u) << "the spine has one other cable";
  NetworkConfig biased = config("dragonfly+", "4x4x2x2x9", "par", 3);
  biased.adaptive.bias = Bytes{1 << 24};
  EXPECT_EQ(testing::walk(make_topology(biased, 0), 2, loaded, 0, load).hops, 3u);
}

TEST(DragonflyPlus, RoutesOfEveryKindCloseNoCircleOnTheirChannels) {
  for (const char* routing : {"minimal", "valiant", "ugal", "par"}) {
    const Network network = make_topology(config("dragonfly+", "4x4x2x2x9", routing, 3), 0);
    EXPECT_TRUE(find_circle(network.graph, *network.routing, 3).empty()) << routing;
  }
}

TEST(DragonflyPlus, OfShapesThatCannotExistIsRefusedInOneLine) {
  const auto problem = [](const std::string& shape, const std::string& routing = "",
                          std::uint32_t channels = 2) -> std::string {
    try {
      make_topology(config("dragonfly+", shape, routing, channels), 0);
      return "";
    } catch (const UserError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(problem("4x4x2x2x10"),
            "topology.shape = \"4x4x2x2x10\": 10 groups; spines x h global ports per group join at most 9");
  EXPECT_NE(problem("4x4").find("2 sizes; expected 4 … 5"), std::string::npos);
  EXPECT_EQ(problem("4x4x2x2x9", "par"),
            "router.virtual_channels = 2: routing par on this dragonfly+ needs 3");
}

}  // namespace
}  // namespace psim::net
