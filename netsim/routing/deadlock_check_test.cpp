// SPDX-License-Identifier: Apache-2.0
#include "netsim/routing/deadlock_check.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "netsim/routing/bubble_torus.h"
#include "netsim/routing/dimension_order.h"
#include "netsim/topology/graphs/lattice.h"

namespace psim::net {
namespace {

/// A routing on a ring: virtual channel 0 by dimension order without datelines, and an adaptive virtual
/// channel 1 that offers channel 0 as an escape, or not.
class Ring final : public Routing {
 public:
  Ring(const Lattice& lattice, bool escapes_are_free, bool offers_escape)
      : tables_(lattice, 1), free_(escapes_are_free), offers_(offers_escape) {}
  bool adaptive() const override { return true; }
  std::uint32_t virtual_channels() const override { return 2; }
  std::uint32_t address(NodeId node) const override { return index(node); }
  Route route(RouterId, std::uint16_t, std::uint8_t, Packet&, const LocalLoad&) const override { return {}; }
  void dependencies(RouterId router, std::uint16_t in_port, std::uint8_t in_vc,
                    const std::function<void(Route, bool)>& sink) const override {
    const Axis& axis = tables_.axis(0);
    const bool last = LatticeTables::at_edge(axis, axis.coordinate(tables_.here(router)), true);
    const bool from_node = in_port >= 2;
    if (!from_node && in_port != axis.minus) return;
    sink({axis.plus, 1}, false);
    if ((from_node || in_vc == 0 || offers_) && !(free_ && last)) sink({axis.plus, 0}, true);
  }

 private:
  LatticeTables tables_;
  bool free_, offers_;
};

std::string verdict(bool escapes_are_free, bool offers_escape) {
  const Lattice ring({{5, true, 'X'}});
  const Graph graph = ring.graph(1);
  try {
    check_deadlock(graph, Ring(ring, escapes_are_free, offers_escape), "ring", 2,
                   [&](std::uint32_t router) { return ring.name(router); });
    return "free";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(DeadlockCheck, ForgivesACircleOfAdaptiveChannelsOnlyIfEachOffersAnEscape) {
  // Escapes end at router 4, which is left by adaptive channels only.
  EXPECT_EQ(verdict(true, true), "topology.routing = \"ring\": no escape channel from (3)+X vc1");
}

TEST(DeadlockCheck, RefusesACircleOfEscapeChannels) {
  EXPECT_EQ(
      verdict(false, true),
      "topology.routing = \"ring\": packets can wait for each other in a circle of 5 channels; more virtual "
      "channels do not help: (0)+X vc0 -> (1)+X vc0 -> (2)+X vc0 -> (3)+X vc0 -> (4)+X vc0 -> (0)+X vc0");
}

TEST(DeadlockCheck, RefusesAdaptiveChannelsWithoutAnEscape) {
  EXPECT_NE(verdict(true, false).find("no escape channel from"), std::string::npos);
}

TEST(DeadlockCheck, ShortensALongCircleAndNamesItsLength) {
  const Lattice ring({{64, true, 'X'}});
  const Graph graph = ring.graph(1);
  try {
    check_deadlock(graph, DimensionOrder(ring, 1, 1), "dimension-order", 1,
                   [&](std::uint32_t router) { return ring.name(router); });
    FAIL();
  } catch (const UserError& error) {
    const std::string text = error.what();
    EXPECT_NE(
        text.find(
            "a circle of 64 channels; expected 2 for routing dimension-order: (0)+X vc0 -> (1)+X vc0 -> "),
        std::string::npos);
    EXPECT_NE(text.find(" -> … -> (63)+X vc0 -> (0)+X vc0"), std::string::npos) << text;
  }
}

TEST(DeadlockCheck, FollowsATorusOf131072RoutersWithTwoVirtualChannels) {
  const Lattice torus({{64, true, 'X'}, {64, true, 'Y'}, {32, true, 'Z'}});
  EXPECT_TRUE(find_circle(torus.graph(1), DimensionOrder(torus, 1, 2), 2).empty());
}

TEST(DeadlockCheck, LetsPacketsWaitRoundARingThatABubbleKeepsFree) {
  const Lattice torus({{5, true, 'X'}, {4, true, 'Y'}, {6, true, 'Z'}});
  EXPECT_FALSE(find_circle(torus.graph(1), DimensionOrder(torus, 1, 1), 1).empty());
  EXPECT_TRUE(find_circle(torus.graph(1), BubbleTorus(torus, 1, 1), 1).empty());
}

/// A bubble routing that may turn from any dimension into any other.
class AnyTurn final : public Routing {
 public:
  explicit AnyTurn(const Lattice& lattice) : tables_(lattice, 1) {}
  bool bubble() const override { return true; }
  std::uint32_t virtual_channels() const override { return 1; }
  std::uint32_t address(NodeId node) const override { return index(node); }
  Route route(RouterId, std::uint16_t, std::uint8_t, Packet&, const LocalLoad&) const override { return {}; }
  void dependencies(RouterId, std::uint16_t in_port, std::uint8_t,
                    const std::function<void(Route, bool)>& sink) const override {
    for (std::uint16_t port = 0; port < tables_.link_ports(); ++port)
      if (port != in_port) sink({port, 0, tables_.axis_of_port(port) != tables_.axis_of_port(in_port)}, true);
  }

 private:
  LatticeTables tables_;
};

TEST(DeadlockCheck, RefusesACircleOfRingsThatWaitToEnterEachOther) {
  const Lattice torus({{4, true, 'X'}, {4, true, 'Y'}});
  const auto circle = find_circle(torus.graph(1), AnyTurn(torus), 1);
  ASSERT_GE(circle.size(), 2u);
  for (std::size_t i = 0; i < circle.size(); ++i)  // from X to Y and back
    EXPECT_NE(circle[i].port / 2, circle[(i + 1) % circle.size()].port / 2);
}

}  // namespace
}  // namespace psim::net
