// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "base/random.h"
#include "base/sanitized.h"
#include "netsim/topology/topology.h"
#include "netsim/traffic/pattern.h"
#include "netsim/traffic/synthetic.h"

namespace psim::net {
namespace {

TEST(Destinations, PermutationsReachEveryNodeOnce) {
  for (const Pattern pattern : {Pattern::Transpose, Pattern::BitComplement, Pattern::BitReverse,
                                Pattern::Shuffle, Pattern::Tornado, Pattern::Neighbour}) {
    const Destinations destinations(pattern, 64, {8, 8});
    std::set<std::uint32_t> reached;
    for (std::uint32_t node = 0; node < 64; ++node) reached.insert(destinations.of(node, 0));
    EXPECT_EQ(reached.size(), 64u) << pattern_names()[static_cast<std::size_t>(pattern)];
  }
}

TEST(Destinations, FollowTheDefinitions) {
  EXPECT_EQ(Destinations(Pattern::Transpose, 16, {16}).of(0b0111, 0), 0b1101u);
  EXPECT_EQ(Destinations(Pattern::BitComplement, 16, {16}).of(0b0111, 0), 0b1000u);
  EXPECT_EQ(Destinations(Pattern::BitReverse, 16, {16}).of(0b0111, 0), 0b1110u);
  EXPECT_EQ(Destinations(Pattern::Shuffle, 16, {16}).of(0b1001, 0), 0b0011u);
  EXPECT_EQ(Destinations(Pattern::Tornado, 8, {8}).of(7, 0), 2u);         // 3 onwards
  EXPECT_EQ(Destinations(Pattern::Neighbour, 12, {4, 3}).of(11, 0), 0u);  // (3, 2) to (0, 0)
}

TEST(Destinations, UniformIsNeverOneselfAndReachesAll) {
  const Destinations destinations(Pattern::Uniform, 5, {5});
  std::map<std::uint32_t, int> reached;
  for (std::uint64_t i = 0; i < 4'000; ++i) ++reached[destinations.of(2, random_bits(1, 2, i))];
  EXPECT_EQ(reached.count(2), 0u);
  for (const std::uint32_t node : {0u, 1u, 3u, 4u})
    EXPECT_NEAR(reached[node], 1'000, 82);  // three deviations
}

TEST(Destinations, AHotspotGetsItsShare) {
  const Destinations destinations(Pattern::Hotspot, 101, {101}, {.hot = 0.3});
  int hot = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) hot += destinations.of(7, random_bits(1, 7, i)) == 0;
  EXPECT_NEAR(hot, 3'070, 138);  // three deviations
}

TEST(Destinations, RefusePatternsThatDoNotFit) {
  EXPECT_THROW(Destinations(Pattern::Transpose, 32, {32}), UserError);
  EXPECT_THROW(Destinations(Pattern::BitReverse, 12, {12}), UserError);
  EXPECT_THROW(Destinations(Pattern::Uniform, 1, {1}), UserError);
  EXPECT_THROW(pattern_of("unifrom"), UserError);
  EXPECT_THROW(Destinations(Pattern::Tornado, 8, {2, 2, 2}), UserError);  // a step of 0: all to themselves
}

TEST(Destinations, OfADiagonalAreSilent) {
  const Destinations transpose(Pattern::Transpose, 16, {4, 4}), uniform(Pattern::Uniform, 16, {4, 4});
  for (std::uint32_t node = 0; node < 16; ++node) {
    EXPECT_EQ(transpose.silent(node), node % 4 == node / 4) << node;
    EXPECT_FALSE(uniform.silent(node));
  }
}

TrafficPoint measure(double load, std::uint64_t seed, Pattern pattern = Pattern::Uniform) {
  NetworkConfig config;
  config.topology.shape = "4x4";
  const Network network = make_topology(config, 16);
  TrafficConfig traffic;
  traffic.pattern = pattern;
  traffic.load = load;
  traffic.seed = seed;
  traffic.longest_drain = Picoseconds{200'000'000};
  SyntheticTraffic source(traffic, config, Destinations(pattern, 16, {4, 4}), 16);
  Simulation simulation(config, network.graph, *network.routing, source);
  return source.run(simulation, [] { return false; });
}

TEST(SyntheticTraffic, BelowSaturationTheOfferedLoadIsAccepted) {
  const TrafficPoint point = measure(0.3, 1);
  EXPECT_FALSE(point.saturated);
  EXPECT_NEAR(point.offered, 0.3031, 1e-4);
  EXPECT_NEAR(point.accepted, 0.3018, 1e-4);
  EXPECT_EQ(point.least, 3 * 5'000u + 2 * 95'000u + 409'600u);  // one hop, nothing in the way
  EXPECT_EQ(point.median, 846'918u);
  EXPECT_EQ(point.p99, 2'068'967u);
}

TEST(SyntheticTraffic, LatencyGrowsWithLoad) {
  EXPECT_NEAR(measure(0.1, 1).mean, 787e3, 1e3);
  EXPECT_NEAR(measure(0.5, 1).mean, 1'214e3, 1e3);
  EXPECT_NEAR(measure(0.9, 1).mean, 9'201e3, 1e3);
}

TEST(SyntheticTraffic, BeyondTheBoundOfAChannelItSaturates) {
  // Tornado on a ring of 4 is one hop: no channel is shared. All to node 0 share one.
  EXPECT_FALSE(measure(0.9, 1, Pattern::Tornado).saturated);
  const TrafficPoint hot = measure(0.9, 1, Pattern::Hotspot);
  EXPECT_TRUE(hot.saturated);
  EXPECT_NEAR(hot.accepted, 0.479, 1e-3);
}

TrafficPoint measure(const NetworkConfig& config, Pattern pattern, double load, std::uint32_t messages,
                     Bytes message = Bytes{2048}) {
  const Network network = make_topology(config, 0);
  const std::uint32_t nodes = network.graph.nodes();
  TrafficConfig traffic;
  traffic.pattern = pattern;
  traffic.load = load;
  traffic.message = message;
  const Picoseconds interval = SyntheticTraffic::interval(traffic, config);
  traffic.warm_up = interval * (messages / 2);
  traffic.measured = interval * messages;
  traffic.longest_drain = traffic.measured;
  SyntheticTraffic source(traffic, config, Destinations(pattern, nodes, {nodes}), nodes);
  Simulation simulation(config, network.graph, *network.routing, source);
  return source.run(simulation, [] { return false; });
}

NetworkConfig mesh_of(const char* shape, std::uint32_t virtual_channels) {
  NetworkConfig config;
  config.topology = {"mesh", shape, ""};
  config.router.virtual_channels = virtual_channels;
  return config;
}

TEST(SyntheticTraffic, IsSaturatedWhenOneFlowStarvesThoughTheSumIsCarried) {
  // A transpose sends the seven nodes of a row beside the diagonal over one channel: 1/7 each. Round robin
  // gives the farthest of them what the nearer ones leave.
  const TrafficPoint below = measure(mesh_of("8x8", 2), Pattern::Transpose, 0.93 / 7, 500);
  EXPECT_FALSE(below.saturated);
  EXPECT_EQ(below.starved, 0u);
  const TrafficPoint above = measure(mesh_of("8x8", 2), Pattern::Transpose, 1.08 / 7, 500);
  EXPECT_TRUE(above.saturated);
  EXPECT_EQ(above.starved, 8u);
  EXPECT_NEAR(above.accepted / above.offered, 0.981, 1e-3);  // the sum hides it
}

TEST(SyntheticTraffic, OfADiagonalIsThatOfTheOtherNodes) {
  const TrafficPoint point = measure(mesh_of("4x4", 2), Pattern::Transpose, 0.1, 500);
  EXPECT_NEAR(point.offered, 0.1011, 1e-4);
  EXPECT_EQ(
      point.least,
      409'600u + 3 * 95'000u + 4 * 5'000u);  // a packet's length and three routers: nothing by way of memory
}

TEST(SyntheticTraffic, MoreVirtualChannelsMakeNoLatencyWorse) {
  if (kSanitized) GTEST_SKIP() << "only compares means, which the release build does";
  // Bit complement fills 0.92 of the channels in the middle; packets of 200 ns at routers of 95 ns.
  const auto mean = [](std::uint32_t virtual_channels) {
    NetworkConfig config = mesh_of("8x8", virtual_channels);
    config.nic.payload = Bytes{1'000};
    config.router.buffer = Bytes{8'000};
    return measure(config, Pattern::BitComplement, 0.23, 460, Bytes{1'000}).mean;
  };
  const double one = mean(1);
  EXPECT_NEAR(mean(4) / one, 0.696, 1e-3);
  EXPECT_NEAR(mean(8) / one, 0.652, 1e-3);
}

TEST(SyntheticTraffic, AdaptiveRoutesUpAFatTreeAreNoSlowerThanRandomOnes) {
  const auto mean = [](const char* routing) {
    NetworkConfig config;
    config.topology = {"fat-tree", "4x4x4", routing};
    return measure(config, Pattern::Uniform, 0.75, 200).mean;
  };
  EXPECT_NEAR(mean("adaptive") / mean("random"), 0.628, 1e-3);
}

TEST(SyntheticTraffic, TheSameSeedGivesTheSameRun) {
  const TrafficPoint a = measure(0.4, 3), b = measure(0.4, 3), c = measure(0.4, 4);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.messages, b.messages);
  EXPECT_NE(a.mean, c.mean);
}

TEST(Arrivals, BernoulliTrialsAreAtMultiplesOfAMessagesTime) {
  NetworkConfig config;
  config.topology = {"crossbar", "4", ""};
  const Network network = make_topology(config, 4);
  TrafficConfig traffic;
  traffic.load = 0.25, traffic.measured = Picoseconds{2'000'000'000};
  traffic.arrivals = Arrivals::Bernoulli;
  SyntheticTraffic source(traffic, config, Destinations(traffic.pattern, 4, {4}), 4);
  Simulation simulation(config, network.graph, *network.routing, source, 1, nullptr);
  const TrafficPoint point = source.run(simulation, [] { return false; });
  EXPECT_NEAR(point.offered, 0.25, 0.01);
  // Without a wait a message takes the same time wherever it starts: all messages meet on the grid.
  EXPECT_EQ(point.median, point.least);
  EXPECT_EQ(arrivals_of("poisson"), Arrivals::Poisson);
  EXPECT_THROW(arrivals_of("bernouli"), UserError);
}

}  // namespace
}  // namespace psim::net
