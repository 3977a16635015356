// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "netsim/routing/deadlock_check.h"
#include "netsim/routing/graph_routes.h"
#include "netsim/testing/routing.h"
#include "netsim/topology/graphs/slim_fly_graph.h"

namespace psim::net {
namespace {

using testing::config;

std::string slim_fly_problem(const std::string& shape) {
  try {
    make_topology(config("slim-fly", shape), 0);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(FiniteField, OfAPrimePowerHasAGeneratorAndInverses) {
  for (const std::uint32_t q : {3u, 4u, 5u, 7u, 8u, 9u, 16u, 25u, 27u, 49u}) {
    const FiniteField field(q);
    std::set<std::uint32_t> powers;
    for (std::uint32_t n = 0; n + 1 < q; ++n) powers.insert(field.power(n));
    EXPECT_EQ(powers.size(), q - 1) << q;
    for (std::uint32_t a = 1; a < q; ++a) {
      std::set<std::uint32_t> products;
      for (std::uint32_t b = 0; b < q; ++b) {
        products.insert(field.multiply(a, b));
        const std::uint32_t left = field.multiply(a, field.add(b, 1));
        EXPECT_EQ(left, field.add(field.multiply(a, b), a)) << "a (b + 1) = a b + a in " << q;
      }
      EXPECT_EQ(products.size(), q) << q;
    }
  }
  EXPECT_EQ(FiniteField::characteristic(12), 0u);
  EXPECT_EQ(FiniteField::characteristic(27), 3u);
}

TEST(SlimFly, HasTheDegreeTheDiameterAndTheMeanDistanceOfItsClosedForms) {
  // Besta and Hoefler: N = 2 q² routers, k' = (3 q - δ) / 2; k' routers at one hop, all others at two.
  for (const std::uint32_t q : {3u, 4u, 5u, 7u, 8u, 9u, 11u, 13u, 16u}) {
    const SlimFly fly{.q = q, .terminals = 1};
    const Graph graph = fly.graph(1);
    EXPECT_EQ(testing::check_graph(graph), "") << q;
    const std::uint32_t degree = SlimFly::degree(q);
    EXPECT_EQ(2 * degree, 3 * q - static_cast<std::uint32_t>(SlimFly::delta(q))) << q;
    for (std::uint32_t router = 0; router < graph.routers(); ++router) {
      std::set<std::uint32_t> neighbours;
      for (std::uint32_t port = 0; port < degree; ++port) {
        const std::uint32_t to = graph.channel(router, port).to_router;
        if (to != Channel::kNowhere) neighbours.insert(to);
      }
      ASSERT_EQ(neighbours.size(), degree) << "q " << q << ", router " << router;
      std::uint32_t at_two = 0;
      for (const std::uint32_t hops : distances(graph, router)) at_two += hops == 2;
      ASSERT_EQ(at_two, 2 * q * q - 1 - degree) << "q " << q << ", router " << router;
    }
  }
}

TEST(SlimFly, WithoutTheNodesIsBalanced) {
  // Table 2 of the paper: q = 19 has 722 routers of 29 cables and 15 nodes, 10,830 nodes in all.
  const Network network = make_topology(config("slim-fly", "19"), 0);
  EXPECT_EQ(network.graph.routers(), 722u);
  EXPECT_EQ(network.graph.nodes(), 10'830u);
  EXPECT_EQ(network.shape, "19:15");
  EXPECT_EQ(make_topology(config("slim-fly", ""), 150).shape, "5:4");
}

TEST(SlimFly, RoutesAreOneOrTwoHopsOrThroughAThirdRouterUpToFour) {
  const Network minimal = make_topology(config("slim-fly", "5"), 0);
  EXPECT_EQ(testing::walk_all(minimal, true), "");
  const Network valiant = make_topology(config("slim-fly", "5", "valiant", 4), 0);
  std::uint32_t most = 0;
  for (std::uint32_t message = 0; message < 300; ++message) {
    const testing::Walk walk = testing::walk(valiant, 0, 199, message);
    EXPECT_EQ(walk.problem, "");
    most = std::max(most, walk.hops);
  }
  EXPECT_EQ(most, 4u);
}

TEST(SlimFly, ByUgalGlobalSeesTheQueueBehindTheFirstHop) {
  /// All queues of one router are long.
  struct OneRouter final : testing::ChosenLoad {
    std::uint32_t loaded = 0;
    std::uint64_t backlog_at(RouterId router, std::uint16_t) const override {
      return index(router) == loaded ? 1 << 20 : 0;
    }
  };
  const Network network = make_topology(config("slim-fly", "5", "ugal-g", 4), 0);
  const std::vector<std::uint32_t> distance = distances(network.graph, 0);
  std::uint32_t far = 1;
  while (distance[far] != 2) ++far;
  OneRouter load;
  // The router between 0 and `far`.
  const std::vector<std::uint32_t> from_far = distances(network.graph, far);
  for (std::uint32_t router = 0; router < 50; ++router)
    if (distance[router] == 1 && from_far[router] == 1) load.loaded = router;
  std::uint32_t around = 0;
  for (std::uint32_t message = 0; message < 100; ++message)
    around += testing::walk(network, 0, far * 4, message, load).hops > 2;
  EXPECT_GT(around, 70u);
  EXPECT_EQ(testing::walk(network, 0, far * 4, 0).hops, 2u);
}

TEST(SlimFly, RoutesOfEveryKindCloseNoCircleOnTheirChannels) {
  for (const char* routing : {"minimal", "valiant", "ugal", "ugal-g"}) {
    const Network network = make_topology(config("slim-fly", "5", routing, 4), 0);
    EXPECT_TRUE(find_circle(network.graph, *network.routing, 4).empty()) << routing;
  }
}

TEST(SlimFly, OfQThatIsNoPrimePowerOrOutOfRangeIsRefusedInOneLine) {
  EXPECT_EQ(
      slim_fly_problem("12"),
      "topology.shape = \"12\": q = 12; expected a prime power 4 w - 1, 4 w or 4 w + 1 from 3 to 61, such as "
      "11 or 13");
  EXPECT_NE(slim_fly_problem("6").find("such as 5 or 7"), std::string::npos) << slim_fly_problem("6");
  EXPECT_NE(slim_fly_problem("2").find("such as 3"), std::string::npos) << slim_fly_problem("2");
  EXPECT_NE(slim_fly_problem("64").find("such as 61"), std::string::npos) << slim_fly_problem("64");
  EXPECT_NE(slim_fly_problem("5x4").find("2 sizes; expected 1"), std::string::npos)
      << slim_fly_problem("5x4");
}

}  // namespace
}  // namespace psim::net
