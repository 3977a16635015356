// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <bit>

#include "base/error.h"
#include "netsim/routing/deadlock_check.h"
#include "netsim/routing/graph_routes.h"
#include "netsim/testing/routing.h"

namespace psim::net {
namespace {

using testing::config;

/// Returns the cables between the routers with the last coordinate in the lower half of `size` and the
/// others.
std::uint32_t cables_across(const Graph& graph, std::uint32_t size) {
  const std::uint32_t half = graph.routers() / size * (size / 2);
  std::uint32_t cables = 0;
  for (std::uint32_t router = 0; router < half; ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port) {
      const std::uint32_t to = graph.channel(router, port).to_router;
      cables += to != Channel::kNowhere && to >= half;
    }
  return cables;
}

std::uint32_t all_cables(const Graph& graph) {
  std::uint32_t channels = 0;
  for (const Channel& channel : graph.channels) channels += channel.to_router != Channel::kNowhere;
  return channels / 2;
}

std::string hyperx_problem(const std::string& kind, const std::string& shape, const std::string& routing = "",
                           std::uint32_t channels = 2) {
  try {
    make_topology(config(kind, shape, routing, channels), 0);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(HyperX, HasTheSizesAndTheBisectionOfItsClosedForms) {
  // Ahn et al.: P = Π S routers, Σ K (S - 1) cables each, K S²/4 · P/S cables across the middle.
  const Network network = make_topology(config("hyperx", "4x3x6:5:1x1x2"), 0);
  EXPECT_EQ(network.graph.routers(), 72u);
  EXPECT_EQ(network.graph.nodes(), 360u);
  EXPECT_EQ(network.group, 5u);
  EXPECT_EQ(network.graph.ports(0), 3u + 2 + 2 * 5 + 5);
  EXPECT_EQ(all_cables(network.graph), 72u * (3 + 2 + 10) / 2);
  EXPECT_EQ(cables_across(network.graph, 6), 2u * 6 * 6 / 4 * (72 / 6));
}

TEST(HyperX, IsAsManyHopsAcrossAsItHasDimensionsAndSumsTheirShares) {
  // In each dimension a pair differs with probability 1 - 1/S.
  const Network network = make_topology(config("hyperx", "4x3x6:1"), 0);
  const std::vector<std::uint32_t> distance = distances(network.graph, 17);
  std::uint32_t sum = 0, most = 0;
  for (const std::uint32_t hops : distance) sum += hops, most = std::max(most, hops);
  EXPECT_EQ(most, 3u);
  EXPECT_EQ(sum, 72u * 3 / 4 + 72u * 2 / 3 + 72u * 5 / 6);
}

TEST(HyperX, OfOneDimensionIsAFullConnection) {
  const Network network = make_topology(config("hyperx", "9:3"), 0);
  EXPECT_EQ(all_cables(network.graph), 9u * 8 / 2);
  EXPECT_EQ(testing::walk(network, 0, 26).hops, 1u);
}

TEST(Hypercube, HasTheSizesAndTheBisectionOfItsClosedForms) {
  const Network network = make_topology(config("hypercube", "6:2"), 0);
  EXPECT_EQ(network.graph.routers(), 64u);
  EXPECT_EQ(network.graph.nodes(), 128u);
  EXPECT_EQ(all_cables(network.graph), 64u * 6 / 2);
  EXPECT_EQ(cables_across(network.graph, 2), 32u);
  const std::vector<std::uint32_t> distance = distances(network.graph, 0);
  for (std::uint32_t router = 0; router < 64; ++router)
    EXPECT_EQ(distance[router], static_cast<std::uint32_t>(std::popcount(router)));
  EXPECT_EQ(make_topology(config("hypercube", ""), 33).graph.nodes(), 64u);
}

TEST(Hypercube, ByECubeCorrectsTheLowestBitFirst) {
  const Network network = make_topology(config("hypercube", "4"), 0);
  const testing::Walk walk = testing::walk(network, 0b0110, 0b1011);
  EXPECT_EQ(walk.kinds, (std::vector<std::uint8_t>{0, 2, 3}));
}

TEST(HyperX, ByDalDeroutesOncePerDimensionAtMost) {
  const Network network = make_topology(config("hyperx", "5x5:1", "dal", 2), 0);
  EXPECT_EQ(testing::walk(network, 0, 24).hops, 2u);
  testing::ChosenLoad load;
  // The minimal ports of every router to coordinate 4 are full: ports 3 and 7 of those below.
  for (const std::uint16_t port : {std::uint16_t{3}, std::uint16_t{7}}) load.queue[port] = 1 << 20;
  const testing::Walk walk = testing::walk(network, 0, 24, 0, load);
  EXPECT_EQ(walk.problem, "");
  EXPECT_EQ(walk.hops, 4u) << "one deroute in each of two dimensions, after which it takes the minimal ports";
}

TEST(HyperX, ByDalWithoutRoomOnAdaptiveChannelsEscapesByDimensionOrder) {
  const Network network = make_topology(config("hyperx", "4x4:1", "dal", 2), 0);
  testing::ChosenLoad load;
  for (std::uint16_t port = 0; port < 6; ++port) load.full.insert({port, 1});
  EXPECT_EQ(testing::walk(network, 0, 15, 0, load).kinds, (std::vector<std::uint8_t>{0, 1}));
}

TEST(HyperX, WithUgalGoesAroundOnlyWhenTheMinimalRouteIsLoadedBeyondTheBias) {
  NetworkConfig chosen = config("hyperx", "6:1", "ugal", 2);
  testing::ChosenLoad load;
  load.queue[4] = 5'000;  // from router 0 to router 5
  const auto mean_hops = [&] {
    const Network network = make_topology(chosen, 0);
    std::uint32_t hops = 0;
    for (std::uint32_t message = 0; message < 200; ++message)
      hops += testing::walk(network, 0, 5, message, load).hops;
    return hops / 200.0;
  };
  // Of six routers as the third, two are the ends.
  EXPECT_NEAR(mean_hops(), 1 + 4.0 / 6, 0.1);
  chosen.adaptive.candidates = 8;
  EXPECT_GT(mean_hops(), 1.95);
  chosen.adaptive.bias = Bytes{5'000};
  EXPECT_EQ(mean_hops(), 1);
}

TEST(HyperX, RoutesOfEveryKindCloseNoCircleOnTheirChannels) {
  // The graph of all waits of all routes and channels, followed to its ends.
  for (const char* routing : {"dimension-order", "adaptive", "valiant", "ugal", "ugal-g", "dal"}) {
    const Network network = make_topology(config("hyperx", "5x4x3:2", routing, 4), 0);
    EXPECT_TRUE(find_circle(network.graph, *network.routing, 4).empty()) << routing;
    EXPECT_FALSE(find_trap(network.graph, *network.routing, 4)) << routing;
  }
}

TEST(HyperX, OfShapesThatCannotExistIsRefusedInOneLine) {
  EXPECT_EQ(hyperx_problem("hyperx", "4x0"),
            "topology.shape = \"4x0\": size 0 is out of range; 1 … 16777216");
  EXPECT_EQ(hyperx_problem("hyperx", "4x4:2:3"),
            "topology.shape = \"3\": 1 sizes; expected 2, as in \"2x1x1\"");
  EXPECT_EQ(hyperx_problem("hyperx", "70000"),
            "topology.shape = \"70000\": a router of 69999 ports; at most 65535");
  EXPECT_EQ(hyperx_problem("hypercube", "25"), "topology.shape = \"25\": 25 dimensions; expected 1 … 24");
  EXPECT_EQ(hyperx_problem("hyperx", "4x4", "dal", 1),
            "router.virtual_channels = 1: routing dal on this hyperx needs 2");
  EXPECT_NE(hyperx_problem("hypercube", "4", "dal").find("unknown routing of a hypercube"),
            std::string::npos);
  NetworkConfig biased = config("hyperx", "4x4", "valiant", 2);
  biased.adaptive.bias = Bytes{1};
  try {
    make_topology(biased, 0);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(
        error.what(),
        "routing.bias: routing valiant does not choose between minimal and other routes; expected ugal, "
        "ugal-g or par");
  }
}

}  // namespace
}  // namespace psim::net
