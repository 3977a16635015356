// SPDX-License-Identifier: Apache-2.0

#include "netsim/topology/graphs/fat_tree_graph.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "netsim/testing/routing.h"

namespace psim::net {
namespace {

using testing::config;

std::uint32_t count(const Graph& graph, const std::string& kind) {
  std::uint32_t channels = 0;
  for (const Channel& channel : graph.channels)
    channels += channel.to_router != Channel::kNowhere && graph.kinds[channel.kind].name == kind;
  return channels;
}

TEST(FatTree, OfArityKAndNLevelsHasNTimesKToTheNMinusOneSwitchesOf2kPorts) {
  const Network network = make_topology(config("fat-tree", "4x4x4"), 64);
  EXPECT_EQ(network.shape, "4x4x4:1x4x4");
  EXPECT_EQ(network.graph.routers(), 3u * 16);
  for (std::uint32_t router = 0; router < 32; ++router) EXPECT_EQ(network.graph.ports(router), 8u);
  for (std::uint32_t router = 32; router < 48; ++router) EXPECT_EQ(network.graph.ports(router), 4u);
  EXPECT_EQ(count(network.graph, "up2"),
            64u);  // full bisection: the number of channels at each level equals that of nodes
  EXPECT_EQ(count(network.graph, "down1"), 64u);
}

TEST(FatTree, TaperedHasTheChannelsOfItsParents) {
  const Network network = make_topology(config("fat-tree", "18x16x3:1x6x2"), 864);
  EXPECT_EQ(count(network.graph, "up1"), 16u * 3 * 6);
  EXPECT_EQ(count(network.graph, "up2"), 3u * 6 * 2);
  EXPECT_EQ(network.graph.routers(), 48u + 18 + 12);
}

TEST(FatTree, MeanHopsFollowFromTheShareOfNodesInEachSubtree) {
  // Of 64 nodes 4 are under the same switch (0 hops), 12 more under level 2 (2 hops), 48 beyond (4 hops).
  const Network network = make_topology(config("fat-tree", "4x4x4"), 64);
  std::uint32_t hops = 0;
  for (std::uint32_t to = 0; to < 64; ++to) hops += testing::walk(network, 21, to).hops;
  EXPECT_EQ(hops, 12u * 2 + 48u * 4);
}

TEST(FatTree, ByDModKAllRoutesToANodeComeDownTheSameChannelsAndShiftsDoNotMeet) {
  const Network network = make_topology(config("fat-tree", "4x4x4"), 64);
  for (std::uint32_t shift = 1; shift < 64; ++shift) {
    std::set<std::pair<std::uint32_t, std::uint16_t>> taken;
    for (std::uint32_t from = 0; from < 64; ++from) {
      Packet packet;
      packet.source = from;
      packet.address = network.routing->address(NodeId{(from + shift) % 64});
      std::uint32_t router = network.graph.node_router[from];
      std::uint16_t port = network.graph.node_port[from];
      network.routing->inject(packet, RouterId{router}, port, testing::ChosenLoad{}, 0);
      for (;;) {
        const Route route = network.routing->route(RouterId{router}, port, 0, packet, testing::ChosenLoad{});
        EXPECT_TRUE(taken.insert({router, route.port}).second) << "shift " << shift << " from " << from;
        const Channel& link = network.graph.channel(router, route.port);
        if (link.to_router == Channel::kNowhere) break;
        router = link.to_router;
        port = link.to_port;
      }
    }
  }
}

TEST(FatTree, AtRandomUsesAllParentsEvenly) {
  const Network network = make_topology(config("fat-tree", "4x4:1x4", "random"), 16);
  std::map<std::uint16_t, std::uint32_t> taken;
  std::uint64_t random = 1;
  for (int i = 0; i < 4000; ++i) {
    Packet packet;
    packet.address = network.routing->address(NodeId{15});
    random = random * 6364136223846793005u + 1442695040888963407u;
    network.routing->inject(packet, RouterId{0}, network.graph.node_port[0], testing::ChosenLoad{}, random);
    ++taken[network.routing->route(RouterId{0}, 4, 0, packet, testing::ChosenLoad{}).port];
  }
  for (std::uint16_t port = 0; port < 4; ++port) EXPECT_NEAR(taken[port], 1000, 82);  // three deviations
}

TEST(FatTree, AdaptivelyTakesTheParentWithTheLeastBacklog) {
  const Network network = make_topology(config("fat-tree", "4x4:1x4", "adaptive"), 16);
  testing::ChosenLoad load;
  load.queue = {{0, 900}, {1, 800}, {2, 100}, {3, 700}};
  Packet packet;
  packet.address = network.routing->address(NodeId{15});
  EXPECT_EQ(network.routing->route(RouterId{0}, 4, 0, packet, load).port, 2);
}

TEST(FatTree, WhereANodeHasTwoParentsIsRefused) {
  EXPECT_THROW(make_topology(config("fat-tree", "4x4:2x4"), 16), UserError);
  EXPECT_THROW(make_topology(config("fat-tree", "4x4:1"), 16), UserError);
  EXPECT_THROW(make_topology(config("fat-tree", "4x4:1x4"), 17), UserError);
}

}  // namespace
}  // namespace psim::net
