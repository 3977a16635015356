// SPDX-License-Identifier: Apache-2.0

#include "netsim/topology/graphs/dragonfly_graph.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "netsim/routing/deadlock_check.h"
#include "netsim/testing/routing.h"

namespace psim::net {
namespace {

using testing::config;

std::string kinds(const Network& network, const testing::Walk& walk) {
  std::string text;
  for (const std::uint8_t kind : walk.kinds) text += network.graph.kinds[kind].name[0];
  return text;
}

std::uint32_t global_cables(const Network& network, std::uint32_t a, std::uint32_t group,
                            std::uint32_t other) {
  std::uint32_t cables = 0;
  for (std::uint32_t r = 0; r < a; ++r)
    for (std::uint32_t port = 0; port < network.graph.ports(group * a + r); ++port) {
      const Channel& channel = network.graph.channel(group * a + r, port);
      cables += channel.to_router != Channel::kNowhere && channel.to_router / a == other;
    }
  return cables;
}

TEST(Dragonfly, BalancedJoinsAllPairsOfGroupsByOneCable) {
  for (const char* arrangement : {"palmtree", "consecutive"}) {
    const Network network = make_topology(config("dragonfly", "6x3x3:" + std::string(arrangement)), 342);
    EXPECT_EQ(network.graph.routers(), 6u * 19);
    EXPECT_EQ(testing::check_graph(network.graph), "");
    for (std::uint32_t group = 0; group < 19; ++group)
      for (std::uint32_t other = 0; other < 19; ++other)
        EXPECT_EQ(global_cables(network, 6, group, other), group == other ? 6u * 5 : 1u);
  }
}

TEST(Dragonfly, ByPalmTreeLeadsTheFirstGlobalPortToTheGroupBefore) {
  const Network network = make_topology(config("dragonfly", "4x2x2x9"), 72);
  EXPECT_EQ(network.graph.channel(0, 3).to_router / 4, 8u);      // slot 0 of group 0
  EXPECT_EQ(network.graph.channel(5 * 4, 3).to_router / 4, 4u);  // slot 0 of group 5
  EXPECT_EQ(network.graph.kinds[network.graph.channel(0, 3).kind].name, "global");
  EXPECT_EQ(network.graph.channel(0, 3).cable, CableClass::Global);
  EXPECT_EQ(network.graph.channel(0, 0).cable, CableClass::Usual);
}

TEST(Dragonfly, ConsecutivelyLeadsTheFirstGlobalPortToTheFirstOtherGroup) {
  const Network network = make_topology(config("dragonfly", "4x2x2x9:consecutive"), 72);
  EXPECT_EQ(network.graph.channel(0, 3).to_router / 4, 1u);
  EXPECT_EQ(network.graph.channel(5 * 4, 3).to_router / 4, 0u);
}

TEST(Dragonfly, MinimalRoutesCrossOneGlobalCableAndAtMostOneLocalOneOnEachSide) {
  const Network network = make_topology(config("dragonfly", "4x2x2x9"), 72);
  std::map<std::string, std::uint32_t> routes;
  for (std::uint32_t from = 0; from < 72; ++from)
    for (std::uint32_t to = 0; to < 72; ++to) ++routes[kinds(network, testing::walk(network, from, to))];
  // Of the 32 routers of other groups (36 - 4), 2 stand at the far ends of our own cables, and each of our
  // group's other 6 cables ends at one: g 2, lg 6, gl 2 x 3, lgl 6 x 3.
  const std::uint32_t pairs = 36 * 2 * 2;
  const std::map<std::string, std::uint32_t> expected{{"", pairs},       {"l", 3 * pairs},
                                                      {"g", 2 * pairs},  {"lg", 6 * pairs},
                                                      {"gl", 6 * pairs}, {"lgl", 18 * pairs}};
  EXPECT_EQ(routes, expected);
}

TEST(Dragonfly, ByValiantPassesThroughAThirdGroup) {
  const Network network = make_topology(config("dragonfly", "4x2x2x9", "valiant", 3), 72);
  std::map<std::uint32_t, std::uint32_t> thirds;
  for (std::uint32_t message = 0; message < 700; ++message) {
    Packet packet;
    packet.address = network.routing->address(NodeId{71});
    network.routing->inject(packet, RouterId{0}, network.graph.node_port[0], testing::ChosenLoad{},
                            (message * 0x9e3779b97f4a7c15u) ^ message << 7);
    ++thirds[packet.via - 1];
    const std::string route = kinds(network, testing::walk(network, 0, 71, message));
    EXPECT_EQ(std::count(route.begin(), route.end(), 'g'), 2) << route;
  }
  EXPECT_EQ(thirds.size(), 7u);  // not 0, the source's, nor 8, the destination's
  EXPECT_FALSE(thirds.contains(0) || thirds.contains(8));
}

TEST(Dragonfly, ByUgalGoesAroundOnlyWhenTheMinimalRouteHasTheLongerQueue) {
  const Network network = make_topology(config("dragonfly", "4x2x2x9", "ugal", 3), 72);
  testing::ChosenLoad load;
  EXPECT_EQ(kinds(network, testing::walk(network, 0, 71, 0, load)).find('g'),
            kinds(network, testing::walk(network, 0, 71, 0, load)).rfind('g'));
  // The cable from group 0 to group 8 is slot 0: port 3 of router 0.
  load.queue[3] = 1 << 20;
  std::uint32_t around = 0;
  for (std::uint32_t message = 0; message < 100; ++message) {
    const std::string route = kinds(network, testing::walk(network, 0, 71, message, load));
    around += std::count(route.begin(), route.end(), 'g') == 2;
  }
  EXPECT_EQ(around, 100u);
}

TEST(Dragonfly, ByParTheNextRouterOfTheGroupDivertsAPacketFromALoadedCable) {
  const Network network = make_topology(config("dragonfly", "4x2x2x9", "par", 4), 72);
  // Slot 7 of group 0 leads to group 1 from the last port of router 3; node 0 is at router 0.
  const auto route = [&](std::uint32_t message, const LocalLoad& load) {
    const testing::Walk walk = testing::walk(network, 0, 8, message, load);
    EXPECT_EQ(walk.problem, "");
    return kinds(network, walk);
  };
  EXPECT_EQ(route(0, testing::ChosenLoad{}).substr(0, 2), "lg");
  testing::ChosenLoad load;
  load.queue[4] = 1 << 20;  // the second global port of all routers, not the local ones: unseen at the source
  std::uint32_t diverted = 0, twice = 0;
  for (std::uint32_t message = 0; message < 200; ++message) {
    const std::string text = route(message, load);
    diverted += std::count(text.begin(), text.end(), 'g') == 2;
    twice += text.starts_with("ll");
  }
  EXPECT_GT(diverted, 150u);
  EXPECT_GT(twice, 100u) << "to another router of the group first";
  EXPECT_TRUE(find_circle(network.graph, *network.routing, 4).empty());
  EXPECT_THROW(make_topology(config("dragonfly", "4x2x2x9", "par", 3), 72), UserError);
}

TEST(Dragonfly, ByUgalGlobalSeesTheCableBehindTheNextRouter) {
  /// All global cables of one router are loaded.
  struct OneRouter final : testing::ChosenLoad {
    std::uint64_t backlog_at(RouterId router, std::uint16_t port) const override {
      return index(router) == 3 && port >= 3 ? 1 << 20 : 0;
    }
  };
  const auto around = [](const char* routing) {
    const Network network = make_topology(config("dragonfly", "4x2x2x9", routing, 3), 72);
    std::uint32_t count = 0;
    for (std::uint32_t message = 0; message < 100; ++message) {
      const std::string text = kinds(network, testing::walk(network, 0, 8, message, OneRouter{}));
      count += std::count(text.begin(), text.end(), 'g') == 2;
    }
    return count;
  };
  EXPECT_EQ(around("ugal"), 0u);
  EXPECT_GT(around("ugal-g"), 70u);
}

TEST(Dragonfly, WithMoreGroupsThanGlobalPortsIsRefused) {
  try {
    make_topology(config("dragonfly", "4x2x2x10"), 0);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "topology.shape = \"4x2x2x10\": 10 groups; a x h global ports per group join at most 9");
  }
  EXPECT_THROW(make_topology(config("dragonfly", "4x2x2x9:circulant"), 0), UserError);
  EXPECT_THROW(make_topology(config("dragonfly", "4x2x2x9", "ugal", 2), 72), UserError);
}

TEST(FullConnection, JoinsDrawersOfEightByTwoCables) {
  const Network network = make_topology(config("full", "8x8"), 64);
  EXPECT_EQ(testing::check_graph(network.graph), "");
  for (std::uint32_t drawer = 1; drawer < 8; ++drawer) EXPECT_EQ(global_cables(network, 8, 0, drawer), 2u);
  EXPECT_EQ(network.graph.ports(0), 7u + 2 + 1);  // 14 cables over 8 routers
}

TEST(FullConnection, OfOneSizeIsOneHopFromEveryNodeToEveryOther) {
  const Network network = make_topology(config("full", "", "", 1), 12);
  EXPECT_EQ(testing::walk_all(network, true), "");
  EXPECT_EQ(testing::walk(network, 3, 9).hops, 1u);
}

}  // namespace
}  // namespace psim::net
