// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graph_file.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "netsim/routing/deadlock_check.h"
#include "netsim/testing/routing.h"

namespace psim::net {
namespace {

std::string problem(const std::string& text, const std::string& routing = "up-down", std::uint32_t vcs = 8) {
  try {
    const Network network =
        make_network(read_graph(text, "n.dot"), testing::config("file", "n.dot", routing, vcs), 0, routing);
    check_deadlock(network.graph, *network.routing, routing, vcs, network.router_name);
    return testing::walk_all(network, false);
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(GraphFile, IsReadAsGraphvizWritesIt) {
  const GraphFile file = read_graph(R"(
    # written by hand
    strict graph "a net" {
      rankdir = LR;
      node [nodes=2, color=red]; edge [kind=optical]
      a -- b -- "c d" [cables=2 label="x"];
      spine [nodes=0 shape=box]; /* no
                                    nodes */
      spine -- a [kind="copper"]; 7 -- spine
    })",
                                    "n.dot");
  ASSERT_EQ(file.routers.size(), 5u);
  EXPECT_EQ(file.routers[2].name, "c d");
  EXPECT_EQ(file.routers[2].nodes, 2u);
  EXPECT_EQ(file.routers[3].nodes, 0u);
  ASSERT_EQ(file.cables.size(), 6u);
  EXPECT_EQ(file.cables[0].kind, "optical");
  EXPECT_EQ(file.cables[4].kind, "copper");
  EXPECT_EQ(file.routers[file.cables[5].a].name, "7");
}

TEST(GraphFile, ReportsTheLineOfAMistake) {
  EXPECT_EQ(problem("graph {\n a -- b\n b -> c\n}"),
            "n.dot:3: a cable leads both ways: expected --, found ->");
  EXPECT_EQ(problem("digraph { a -> b }"), "n.dot:1: a cable leads both ways: expected graph, found digraph");
  EXPECT_EQ(problem("graph {\n a [node=2]\n}"), "n.dot:2: unknown attribute node; did you mean nodes?");
  EXPECT_EQ(problem("graph {\n a -- b [cables=0]\n}"), "n.dot:2: cables = 0: expected 1 … 64");
  EXPECT_EQ(problem("graph {\n a -- b\n"), "n.dot:3: expected a router, found the end of the file");
  EXPECT_EQ(problem("graph { a -- a }"), "n.dot:1: a cable from a to itself");
  EXPECT_EQ(problem("graph { a; b }"), "n.dot: no cables lead from a to b");
  EXPECT_EQ(problem("graph { a [nodes=0] }"), "n.dot: no nodes at any router");
  EXPECT_EQ(problem("graph { }"), "n.dot:1: no routers");
  EXPECT_EQ(problem("graph { a -- \"b"), "n.dot:1: unterminated quoted string");
  EXPECT_EQ(problem("graph { subgraph x { a } }"), "n.dot:1: subgraphs are not supported");
  EXPECT_EQ(problem(""), "n.dot:1: expected graph, found the end of the file");
  try {
    make_topology(testing::config("file", "/nowhere/n.dot"), 0);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "topology.shape = \"/nowhere/n.dot\": cannot be read: No such file or directory");
  }
}

// A ring of 6 with a chord.
const std::string kRing = "graph { a -- b -- c -- d -- e -- f -- a; b -- e }";

TEST(GraphFile, IsRoutedUpAndDownOnOneVirtualChannel) {
  EXPECT_EQ(problem(kRing, "up-down", 1), "");
  EXPECT_EQ(problem(kRing, "up-down", 3), "");
  EXPECT_EQ(problem("graph { node [nodes=0]; s -- t [cables=3]; node [nodes=3]; s -- x; t -- y; s -- z }"),
            "");
  EXPECT_EQ(problem("graph { alone [nodes=4] }"), "");
}

TEST(GraphFile, IsRoutedByShortestRoutesOnAsManyVirtualChannelsAsItsDiameter) {
  const auto build = [](std::uint32_t vcs) {
    return make_network(read_graph(kRing, "n.dot"), testing::config("file", "n.dot", "shortest", vcs), 6,
                        "shortest");
  };
  EXPECT_EQ(testing::walk_all(build(3), true), "");
  EXPECT_EQ(testing::walk_all(build(7), true), "");
  EXPECT_TRUE(find_circle(build(3).graph, *build(3).routing, 3).empty());
  EXPECT_EQ(problem(kRing, "shortest", 2),
            "router.virtual_channels = 2: routing shortest on this file needs 3");
}

TEST(GraphFile, IsRoutedByGivenTables) {
  const std::string star = "graph { hub [nodes=0 routes=\"a:a b:b c:c\"]; hub -- a; hub -- b; hub -- c;\n";
  EXPECT_EQ(problem(star + "a [routes=\"*:hub\"]; b [routes=\"*:hub\"]; c [routes=\"a:hub b:hub hub:hub\"] }",
                    "table", 1),
            "");
  EXPECT_EQ(problem(star + "a [routes=\"*:hub\"]; b [routes=\"*:hub\"] }", "table"),
            "n.dot: c has no route to hub");
  EXPECT_EQ(problem(star + "a [routes=\"*:b\"] }", "table"), "n.dot:2: no cable leads from a to b");
  EXPECT_EQ(problem(star + "a [routes=\"*:x\"] }", "table"), "n.dot:2: no router x");
  EXPECT_EQ(problem("graph { a -- b -- c; a [routes=\"*:b\"]; b [routes=\"c:a a:a\"]; c [routes=\"*:b\"] }",
                    "table"),
            "n.dot:1: routes from a to c loop at b");
}

TEST(GraphFile, WithTablesThatCloseACircleIsRefusedWithTheCircle) {
  const std::string ring =
      "graph { a -- b -- c -- a; a [routes=\"*:b\"]; b [routes=\"*:c\"]; c [routes=\"*:a\"] }";
  for (const std::uint32_t vcs : {1u, 4u})
    EXPECT_EQ(problem(ring, "table", vcs),
              "topology.routing = \"table\": packets can wait for each other in a circle of 3 channels; more "
              "virtual "
              "channels do not help: "
              "(a)link vc0 -> (b)link vc0 -> (c)link vc0 -> (a)link vc0");
}

}  // namespace
}  // namespace psim::net
