// SPDX-License-Identifier: Apache-2.0
// Ports of nodes at several routers, and in several copies of a network.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "netsim/testing/routing.h"
#include "netsim/testing/script.h"

namespace psim::net {
namespace {

using testing::easy_network;
using testing::Script;
using testing::Sent;

constexpr std::uint64_t kPsEachNs = 1000;

/// As in simulation_test.cpp.
std::uint64_t time_alone(std::uint64_t hops, std::uint64_t bytes) {
  return (10 + hops * 100 + 80 + 10 + bytes) * kPsEachNs;
}

NetworkConfig rails(const std::string& kind, const std::string& shape, const std::string& routing,
                    NicRails how, std::uint32_t ports) {
  NetworkConfig config = easy_network();
  config.topology = {kind, shape, routing};
  config.nic.rails = how;
  config.nic.ports = ports;
  return config;
}

TEST(Rails, TwoPlanesCarryTwiceAsMuch) {
  NetworkConfig config = rails("torus", "8x8", "", NicRails::Shared, 2);
  config.nic.stripe = 2_KiB;
  // Ten packets; both ports of the shared router lead to one link.
  const Script shared(config, {{0, 0, 1, 10'240}});
  EXPECT_EQ(shared.arrived[0], time_alone(1, 10'240));
  config.nic.rails = NicRails::Planes;
  Script planes(config, {{0, 0, 1, 10'240}});
  EXPECT_EQ(planes.arrived[0], time_alone(1, 5'120));
  // Five packets on the link of each plane.
  const Graph& graph = planes.simulation().graph();
  std::uint32_t used = 0;
  for (std::uint32_t port = 0; port < graph.ports(0); ++port) {
    if (graph.channel(0, port).to_router != 1) continue;
    ++used;
    EXPECT_EQ(planes.simulation().fabric().count(0, port).packets, 5u);
    EXPECT_EQ(graph.kinds[graph.channel(0, port).kind].name, used == 1 ? "+X plane 1" : "+X plane 2");
  }
  EXPECT_EQ(used, 2u);
}

TEST(Rails, APlaneIsAsTheNetworkAlone) {
  // By destination, messages to even nodes take plane 0 and others plane 1. Each plane has the times of the
  // plain network with its messages only.
  for (const char* routing : {"dimension-order", "adaptive", "valiant"}) {
    NetworkConfig config = rails("torus", "4x4", routing, NicRails::Planes, 2);
    config.router.virtual_channels = 4;
    config.nic.port_choice = PortChoice::Destination;
    config.link.sleep = {
        .policy = SleepPolicy::Fixed, .after = Picoseconds{500'000}, .wake = Picoseconds{70'000}};
    std::vector<Sent> all, of[2];
    for (std::uint32_t i = 0; i < 600; ++i) {
      const std::uint64_t bits = random_bits(5, i, 0);
      const auto from = static_cast<std::uint32_t>(bits % 16),
                 to = static_cast<std::uint32_t>(bits / 16 % 16);
      if (from == to) continue;
      all.push_back({i * 40 * kPsEachNs, from, to, 1 + bits / 256 % 3'000, false});
      of[to % 2].push_back(all.back());
    }
    Script both(config, all);
    config.nic.rails = NicRails::Shared;
    config.nic.ports = 1;
    std::uint64_t hops = 0;
    for (std::uint32_t plane = 0; plane < 2; ++plane) {
      Script alone(config, of[plane]);
      hops += alone.simulation().fabric().packet_hops();
      std::size_t next = 0;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].to % 2 == plane) {
          ASSERT_EQ(both.arrived[i], alone.arrived[next++]) << routing << " " << i;
        }
    }
    EXPECT_EQ(both.simulation().fabric().packet_hops(), hops);
  }
}

TEST(Rails, SpreadPortsAreAsNodesOfTheirOwn) {
  // Node 4 b + m of the network with rails has its port s where node (2 b + s) 4 + m of the other one is.
  for (const SleepPolicy sleep : {SleepPolicy::Off, SleepPolicy::Fixed}) {
    NetworkConfig config = rails("dragonfly", "4x2x2x9", "minimal", NicRails::Spread, 2);
    config.nic.port_choice = PortChoice::Destination;
    config.link.sleep = {.policy = sleep, .after = Picoseconds{500'000}, .wake = Picoseconds{70'000}};
    std::vector<Sent> sent, single;
    const auto end = [](std::uint32_t node, std::uint32_t port) {
      return (node / 4 * 2 + port) * 4 + node % 4;
    };
    for (std::uint32_t i = 0; i < 3'000; ++i) {
      const std::uint64_t bits = random_bits(6, i, 0);
      const auto from = static_cast<std::uint32_t>(bits % 72),
                 to = static_cast<std::uint32_t>(bits / 72 % 72);
      if (from == to) continue;
      sent.push_back({i * 10 * kPsEachNs, from, to, 1 + bits / 8'192 % 3'000, false});
      single.push_back(sent.back());
      single.back().from = end(from, to % 2);
      single.back().to = end(to, to % 2);
    }
    Script spread(config, sent);
    config.nic.rails = NicRails::Shared;
    config.nic.ports = 1;
    config.topology.shape = "4x4x2x9";
    Script alone(config, single);
    EXPECT_EQ(spread.arrived, alone.arrived);
    EXPECT_EQ(spread.simulation().fabric().packet_hops(), alone.simulation().fabric().packet_hops());
    EXPECT_GT(spread.simulation().fabric().stats().waits.count(), 500u);
    if (sleep == SleepPolicy::Off) continue;
    spread.simulation().gather();
    alone.simulation().gather();
    std::uint64_t wakes[2] = {}, low[2] = {};
    for (int i = 0; i < 2; ++i)
      for (const LinkSleep::Direction& each : (i == 0 ? spread : alone).simulation().sleep()->directions())
        wakes[i] += each.wakes, low[i] += each.low;
    EXPECT_GT(wakes[0], 100u);
    EXPECT_EQ(wakes[0], wakes[1]);
    EXPECT_EQ(low[0], low[1]);
  }
}

TEST(Rails, AMessageFromTheNearPortTakesTheGlobalCableOnly) {
  // Four ports at the four routers of a group, whose eight global cables lead to the eight other groups.
  NetworkConfig config = rails("dragonfly", "4x1x2x9", "minimal", NicRails::Spread, 4);
  std::vector<Sent> sent;
  for (std::uint32_t to = 1; to < 36; ++to) sent.push_back({to * 10'000 * kPsEachNs, 0, to, 1'000});
  std::vector<std::uint64_t> hops(4);
  const Script in_turn(config, sent);
  config.nic.port_choice = PortChoice::Near;
  const Script near(config, sent);
  for (std::uint32_t i = 0; i < sent.size(); ++i) {
    EXPECT_EQ(near.took(i), time_alone(sent[i].to < 4 ? 0 : 1, 1'000)) << i;
    ++hops[(in_turn.took(i) - time_alone(0, 1'000)) / (100 * kPsEachNs)];
  }
  // In turn, and to the port of the same number: up to a local step before and after the global cable.
  EXPECT_EQ(hops[0], 3u);
  EXPECT_GT(hops[3], 10u);
}

TEST(Rails, PartsOfAMessageStayAtTheirPorts) {
  NetworkConfig config = rails("fat-tree", "4x4:1x2", "d-mod-k", NicRails::Spread, 4);
  config.nic.stripe = 1_KiB;
  // Twelve packets, three on each port; node 9's ports are at the switches of node 0's: one hop less.
  Script script(config, {{0, 0, 9, 12'288}});
  EXPECT_EQ(script.arrived[0], time_alone(0, 3 * 1'024));
  EXPECT_EQ(script.simulation().fabric().packet_hops(), 0u);
  EXPECT_EQ(script.simulation().interfaces().pool().in_flight(), 0u);
}

TEST(Rails, HaveSoundGraphsRoutesAndPictures) {
  struct {
    const char *kind, *shape, *routing;
    NicRails how;
    std::uint32_t ports;
  } cases[] = {{"torus", "4x3x2", "dimension-order", NicRails::Planes, 3},
               {"fat-tree", "4x4x4", "d-mod-k", NicRails::Planes, 2},
               {"crossbar", "6", "direct", NicRails::Planes, 4},
               {"torus", "8x3", "dimension-order", NicRails::Spread, 4},
               {"fat-tree", "4x4x4", "d-mod-k", NicRails::Spread, 4},
               {"dragonfly", "4x2x2x9", "minimal", NicRails::Spread, 4},
               {"dragonfly+", "4x4x2x2x9", "minimal", NicRails::Spread, 2},
               {"hyperx", "4x3:2", "dimension-order", NicRails::Spread, 2}};
  for (const auto& one : cases) {
    const NetworkConfig config = rails(one.kind, one.shape, one.routing, one.how, one.ports);
    const Network network = make_topology(config, 0);
    EXPECT_EQ(testing::check_graph(network.graph), "") << one.kind;
    EXPECT_EQ(testing::walk_all(network, false), "") << one.kind;
    NetworkConfig plain = config;
    plain.nic.rails = NicRails::Shared;
    EXPECT_EQ(network.graph.nodes(), make_topology(plain, 0).graph.nodes()) << one.kind;
    for (const std::uint32_t most : {Drawing::kMostPoints, 5u}) {
      const Drawing drawing = network.drawing(network.graph, most);
      std::vector<bool> used(drawing.points.size());
      for (std::uint32_t router = 0; router < network.graph.routers(); ++router)
        used.at(drawing.point(router)) = true;
      EXPECT_EQ(std::count(used.begin(), used.end(), false), 0) << one.kind << " " << most;
      for (const Drawing::Point& point : drawing.points) EXPECT_TRUE(std::isfinite(point.x + point.y));
      EXPECT_LE(drawing.stubs.size(), network.graph.kinds.size());
    }
  }
}

std::string refused_with(const NetworkConfig& config) {
  try {
    make_topology(config, 0);
  } catch (const UserError& error) {
    return error.what();
  }
  return "none";
}

TEST(Rails, ThatDoNotFitAreRefused) {
  EXPECT_EQ(refused_with(rails("crossbar", "16", "direct", NicRails::Spread, 2)),
            "nic.rails = \"spread\": 1 routers with nodes; expected a multiple of nic.ports = 2");
  EXPECT_EQ(refused_with(rails("dragonfly", "3x1x1x4", "minimal", NicRails::Spread, 2)),
            "nic.rails = \"spread\": groups of 3 routers with nodes; expected a multiple of nic.ports = 2");
}

}  // namespace
}  // namespace psim::net
