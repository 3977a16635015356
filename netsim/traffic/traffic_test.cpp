// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "netsim/random.h"
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

TEST(Destinations, AreThoseOfTheDefinitions) {
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
  for (const std::uint32_t node : {0u, 1u, 3u, 4u}) EXPECT_NEAR(reached[node], 1'000, 120);
}

TEST(Destinations, AHotspotGetsItsShare) {
  const Destinations destinations(Pattern::Hotspot, 101, {101}, 0.3);
  int hot = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) hot += destinations.of(7, random_bits(1, 7, i)) == 0;
  EXPECT_NEAR(hot, 3'070, 150);
}

TEST(Destinations, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(Destinations(Pattern::Transpose, 32, {32}), UserError);
  EXPECT_THROW(Destinations(Pattern::BitReverse, 12, {12}), UserError);
  EXPECT_THROW(Destinations(Pattern::Uniform, 1, {1}), UserError);
  EXPECT_THROW(pattern_of("unifrom"), UserError);
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

TEST(SyntheticTraffic, BelowSaturationWhatIsOfferedIsAccepted) {
  const TrafficPoint point = measure(0.3, 1);
  EXPECT_FALSE(point.saturated);
  EXPECT_NEAR(point.offered, 0.3, 0.03);
  EXPECT_NEAR(point.accepted, point.offered, 0.02);
  EXPECT_GE(point.least,
            5'000u + 100'000u + 95'000u + 5'000u - 10'000u + 409'600u);  // one hop, nothing in the way
  EXPECT_LE(point.median, point.p99);
}

TEST(SyntheticTraffic, LatencyGrowsWithLoad) {
  EXPECT_LT(measure(0.1, 1).mean, measure(0.5, 1).mean);
  EXPECT_LT(measure(0.5, 1).mean, measure(0.9, 1).mean);
}

TEST(SyntheticTraffic, BeyondTheBoundOfAChannelItSaturates) {
  // Tornado on a ring of 4 is one hop: no channel is shared. All to node 0 share one.
  EXPECT_FALSE(measure(0.9, 1, Pattern::Tornado).saturated);
  const TrafficPoint hot = measure(0.9, 1, Pattern::Hotspot);
  EXPECT_LE(hot.accepted, 1.0);
}

TEST(SyntheticTraffic, TheSameSeedGivesTheSameRun) {
  const TrafficPoint a = measure(0.4, 3), b = measure(0.4, 3), c = measure(0.4, 4);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.messages, b.messages);
  EXPECT_NE(a.mean, c.mean);
}

}  // namespace
}  // namespace psim::net
