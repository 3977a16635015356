// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "netsim/testing/routing.h"
#include "netsim/topology/graphs/lattice.h"

namespace psim::net {
namespace {

using testing::config;
using ::testing::StartsWith;

/// Returns the number of channels that lead to routers.
std::uint32_t channels(const Graph& graph) {
  std::uint32_t count = 0;
  for (const Channel& channel : graph.channels) count += channel.to_router != Channel::kNowhere;
  return count;
}

/// Returns the number of channels in one direction between the halves of the first coordinate.
std::uint32_t bisection(const Graph& graph, std::uint32_t size) {
  std::uint32_t count = 0;
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    for (std::uint32_t port = 0; port < graph.ports(router); ++port) {
      const std::uint32_t to = graph.channel(router, port).to_router;
      count += to != Channel::kNowhere && router % size < size / 2 && to % size >= size / 2;
    }
  return count;
}

double mean_hops(const Network& network) {
  const std::uint32_t nodes = network.graph.nodes();
  std::uint64_t hops = 0;
  for (std::uint32_t from = 0; from < nodes; ++from)
    for (std::uint32_t to = 0; to < nodes; ++to) hops += testing::walk(network, from, to).hops;
  return static_cast<double>(hops) / nodes / nodes;
}

TEST(Torus, HasTwoChannelsADimensionOfEachRouterAndTwoLayersAcrossTheMiddle) {
  for (const std::uint32_t k : {2u, 4u, 6u}) {
    const std::string size = std::to_string(k);
    const Graph graph = make_topology(config("torus", size + "x" + size + "x" + size), k * k * k).graph;
    EXPECT_EQ(testing::check_graph(graph), "");
    EXPECT_EQ(channels(graph), 6 * k * k * k);
    EXPECT_EQ(bisection(graph, k), 2 * k * k);
  }
}

TEST(Torus, MeanHopsAreAQuarterOfTheSizeForEachEvenDimension) {
  // Destinations include the source: Σ k/4 over even sizes, Σ (k - 1/k)/4 over odd ones.
  EXPECT_DOUBLE_EQ(mean_hops(make_topology(config("torus", "8x4x2"), 0)), 2 + 1 + 0.5);
  EXPECT_DOUBLE_EQ(mean_hops(make_topology(config("torus", "5x3"), 0)), (5 - 0.2) / 4 + (3 - 1. / 3) / 4);
}

TEST(Tofu, WithoutAShapeHasTheFewestUnitsOfTwelveNodesThatHoldTheRanks) {
  for (const auto& [ranks, nodes] : {std::pair{1u, 12u}, {12u, 12u}, {13u, 24u}, {64u, 72u}, {100u, 108u}})
    EXPECT_EQ(make_topology(config("tofu", ""), ranks).graph.nodes(), nodes) << ranks;
  EXPECT_THROW(make_topology(config("tofu", ""), 0), UserError);
}

TEST(Mesh, HasChannelsBetweenNeighboursOnlyAndOneLayerAcrossTheMiddle) {
  for (const std::uint32_t k : {2u, 3u, 4u}) {
    const std::string size = std::to_string(k);
    const Network network = make_topology(config("mesh", size + "x" + size), k * k);
    EXPECT_EQ(testing::check_graph(network.graph), "");
    EXPECT_EQ(channels(network.graph), 2 * 2 * k * (k - 1));
    EXPECT_EQ(bisection(network.graph, k), k);
    EXPECT_DOUBLE_EQ(mean_hops(network), 2 * (k - 1. / k) / 3);
  }
}

TEST(Torus, WithoutAShapeIsAsNearCubicAsTheNumberOfNodesAllows) {
  EXPECT_EQ(make_topology(NetworkConfig{}, 1024).shape, "16x8x8");
  EXPECT_EQ(make_topology(NetworkConfig{}, 36).shape, "4x3x3");
  EXPECT_EQ(make_topology(NetworkConfig{}, 2).shape, "2x1x1");
  EXPECT_EQ(make_topology(NetworkConfig{}, 3).shape, "3x1x1");
  EXPECT_EQ(make_topology(NetworkConfig{}, 10).shape, "5x2x1");
  EXPECT_EQ(make_topology(NetworkConfig{}, 1).graph.routers(), 1u);
}

TEST(Torus, WithoutAShapeLeavesNodesIdleRatherThanBecomingARing) {
  struct Case {
    std::uint32_t nodes;
    const char* shape;
    std::uint32_t idle;
  };
  // The next number of nodes with a box whose longest side is at most 2.5 times that of a cube.
  for (const Case& each : {Case{5, "3x2x1", 1},
                           {7, "2x2x2", 1},
                           {13, "5x3x1", 2},
                           {26, "3x3x3", 1},
                           {101, "7x5x3", 4},
                           {1021, "16x8x8", 3}}) {
    const Network network = make_topology(NetworkConfig{}, each.nodes);
    EXPECT_EQ(network.shape, each.shape) << each.nodes;
    EXPECT_EQ(network.idle, each.idle) << each.nodes;
  }
  EXPECT_EQ(make_topology(config("torus", "7x1x1"), 7).shape, "7x1x1");
  EXPECT_EQ(make_topology(config("torus", "7x1x1"), 7).idle, 0u);
}

TEST(Torus, NamesRoutersAndChannelsByCoordinatesTheFirstRunningFastest) {
  const Network network = make_topology(config("torus", "4x3x2"), 24);
  EXPECT_EQ(network.router_name(3 + 4 * (1 + 3 * 1)), "(3,1,1)");
  EXPECT_EQ(network.graph.kinds[network.graph.channel(0, 3).kind].name, "-Y");
  EXPECT_EQ(network.graph.channel(0, 3).to_router, 8u);  // (0,2,0)
}

TEST(Torus, GivesEachNodeAsManyPortsAsItsInterfaceHas) {
  NetworkConfig four = config("torus", "3x3");
  four.nic.ports = 4;
  const Network network = make_topology(four, 9);
  EXPECT_EQ(testing::check_graph(network.graph), "");
  EXPECT_EQ(network.graph.ports(0), 4u + 4u);
  EXPECT_EQ(testing::walk_all(network, true, 5), "");
}

std::string refusal(const NetworkConfig& config, std::uint32_t nodes) {
  try {
    make_topology(config, nodes);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MakeTopology, ReportsTheMistakeAndTheExpectedValue) {
  EXPECT_THAT(refusal(config("tours", ""), 8),
              StartsWith("topology.kind = \"tours\": unknown topology; did you mean torus? (o"));
  EXPECT_THAT(
      refusal(config("mesh", "", "dimension-odrer"), 8),
      StartsWith("topology.routing = \"dimension-odrer\": unknown routing of a mesh; did you mean dimens"));
  EXPECT_EQ(refusal(config("torus", "16x0x8"), 0),
            "topology.shape = \"16x0x8\": size 0 is out of range; 1 … 16777216");
  EXPECT_EQ(refusal(config("torus", "16x8x"), 0),
            "topology.shape = \"16x8x\": expected sizes with x between them, as in \"16x8x8\"");
  EXPECT_EQ(refusal(config("torus", "2x2x2x2x2x2x2"), 0),
            "topology.shape = \"2x2x2x2x2x2x2\": 7 sizes; expected 1 … 6, as in \"16x8x8\"");
  EXPECT_EQ(refusal(config("torus", "16x8x8"), 1025),
            "topology.shape = \"16x8x8\": this torus has 1024 nodes; expected at least 1025");
  EXPECT_EQ(
      refusal(config("torus", "99999999999999999999"), 0),
      "topology.shape = \"99999999999999999999\": size 99999999999999999999 is out of range; 1 … 16777216");
  EXPECT_EQ(refusal(config("torus", "4096x4096x2"), 0),
            "topology.shape = \"4096x4096x2\": more than 16777216 routers");
  EXPECT_EQ(refusal(config("torus", ""), 0), "topology.shape = \"\": expected sizes or a number of nodes");
  NetworkConfig cabinets = config("torus", "8x8");
  cabinets.topology.cabinet = "4x4x4";
  EXPECT_EQ(refusal(cabinets, 0), "topology.cabinet = \"4x4x4\": 3 sizes; expected 2, as in \"8x8x4\"");
  NetworkConfig bubble = config("torus", "8x8", "bubble", 1);
  bubble.nic.payload = 4_KiB;
  bubble.router.buffer = Bytes{8191};
  EXPECT_EQ(refusal(bubble, 0),
            "router.buffer = 8191 B: too small for routing bubble; expected room for two packets of 4096 B");
}

}  // namespace
}  // namespace psim::net
