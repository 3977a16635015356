// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/free_dimension_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "netsim/testing/routing.h"

namespace psim::net {
namespace {

using testing::config;
using ::testing::HasSubstr;
using testing::walk_all;

NetworkConfig free_config(const char* kind, const char* shape, const char* routing, std::uint32_t vcs) {
  NetworkConfig made = config(kind, shape, routing, vcs);
  made.router.vc_choice = VcChoice::Free;
  return made;
}

/// A router whose virtual channels behind every port have these credits.
class Credits final : public LocalLoad {
 public:
  explicit Credits(std::vector<std::uint64_t> of) : of_(std::move(of)) {}
  std::uint64_t credits(std::uint16_t, std::uint8_t vc) const override { return of_[vc]; }
  std::uint64_t backlog(std::uint16_t) const override { return 0; }

 private:
  std::vector<std::uint64_t> of_;
};

Route first_step(const Network& network, std::uint32_t to, std::uint64_t random, const LocalLoad& load) {
  Packet packet;
  packet.address = network.routing->address(NodeId{to});
  network.routing->inject(packet, RouterId{0}, network.graph.node_port[0], load, random);
  return network.routing->route(RouterId{0}, network.graph.node_port[0], 0, packet, load);
}

TEST(FreeDimensionOrder, ReachesEveryNodeByAShortestRoute) {
  for (const char* kind : {"torus", "mesh"})
    for (const char* shape : {"4", "7", "5x4", "4x4x4", "3x2x2x2x2"})
      for (const std::uint32_t vcs : {2u, 4u, 5u})
        EXPECT_EQ(walk_all(make_topology(free_config(kind, shape, "dimension-order", vcs), 0), true), "")
            << kind << " " << shape << " " << vcs;
  EXPECT_EQ(walk_all(make_topology(config("torus", "8x8", "random-ties", 4), 0), true), "");
  EXPECT_EQ(walk_all(make_topology(free_config("tofu", "2x2x2", "random-ties", 4), 0), true), "");
}

TEST(FreeDimensionOrder, ATieIsDrawnByThePacketAndOtherDirectionsAreNot) {
  const Network network = make_topology(config("torus", "8", "random-ties", 2), 0);
  const Credits load({1, 1});
  std::set<std::uint16_t> half, less;
  for (std::uint64_t random = 0; random < 4; ++random) {
    half.insert(first_step(network, 4, random << 32, load).port);
    less.insert(first_step(network, 3, random << 32, load).port);
  }
  EXPECT_EQ(half.size(), 2u);
  EXPECT_EQ(less.size(), 1u);
  // By the flow, the direction is the same for all packets.
  const Network by_flow = make_topology(free_config("torus", "8", "dimension-order", 2), 0);
  std::set<std::uint16_t> one;
  for (std::uint64_t random = 0; random < 4; ++random)
    one.insert(first_step(by_flow, 4, random << 32, load).port);
  EXPECT_EQ(one.size(), 1u);
}

TEST(FreeDimensionOrder, APacketTakesTheChannelWithMostCreditsThatTheDatelinesAllow) {
  const Network mesh = make_topology(free_config("mesh", "8", "dimension-order", 4), 0);
  EXPECT_EQ(first_step(mesh, 3, 0, Credits({1, 2, 9, 3})).vc, 2);
  const Network torus = make_topology(free_config("torus", "8", "random-ties", 4), 0);
  // From 0 down to 6 the wrap-around cable is the first one: only the second channel of each set.
  EXPECT_EQ(first_step(torus, 6, 0, Credits({9, 1, 9, 2})).vc, 3);
}

TEST(FreeChannels, OfRoutesThroughAThirdRouterKeepTheirPlaceInASet) {
  const std::pair<const char*, const char*> kNetworks[] = {
      {"hyperx", "4x3:2"}, {"hypercube", "4:2"}, {"express-mesh", "5x4:2"}, {"slim-fly", "5"}};
  for (const auto& [kind, shape] : kNetworks)
    for (const char* routing : {"", "valiant", "ugal", "ugal-g"}) {
      const Network network = make_topology(free_config(kind, shape, routing, 8), 0);
      EXPECT_FALSE(network.routing->in_order());
      EXPECT_EQ(walk_all(network, *routing == 0), "") << kind << " " << routing;
    }
  const Network hyperx = make_topology(free_config("hyperx", "4x3:2", "", 4), 0);
  EXPECT_EQ(first_step(hyperx, 9, 0, Credits({1, 2, 9, 3})).vc, 2);
  // The first part of a route through a third router takes the first channel of a set.
  const Network valiant = make_topology(free_config("hyperx", "4x3:2", "valiant", 4), 0);
  EXPECT_EQ(first_step(valiant, 9, 0, Credits({1, 9, 2, 9})).vc, 2);
}

TEST(FreeDimensionOrder, OtherRoutingsAndTooFewChannelsAreRefused) {
  const auto refusal = [](const NetworkConfig& wrong) {
    try {
      make_topology(wrong, 0);
      return std::string("accepted");
    } catch (const UserError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(refusal(free_config("torus", "4x4", "adaptive", 4)),
              HasSubstr("router.vc_choice = \"free\": not with routing adaptive of a torus"));
  EXPECT_THAT(refusal(free_config("crossbar", "4", "", 4)),
              HasSubstr("not with routing direct of a crossbar"));
  EXPECT_THAT(refusal(free_config("hyperx", "4x3:2", "dal", 4)),
              HasSubstr("not with routing dal of a hyperx"));
  EXPECT_THAT(refusal(free_config("torus", "4x4", "dimension-order", 1)), HasSubstr("in a circle"));
  EXPECT_THAT(refusal(config("mesh", "4x4", "random-ties", 2)), HasSubstr("random-ties"));
}

}  // namespace
}  // namespace psim::net
