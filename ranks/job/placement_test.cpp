// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/placement.h"

#include <gtest/gtest.h>

#include <set>

#include "netsim/topology/topology.h"

namespace psim::net {
namespace {

using Nodes = std::vector<std::uint32_t>;

Network network(const char* kind, const char* shape, const char* cabinet = "") {
  NetworkConfig config;
  config.topology.kind = kind;
  config.topology.shape = shape;
  config.topology.cabinet = cabinet;
  return make_topology(config, 0);
}

TEST(Placement, ContiguousTakesTheLowestFreeNodes) {
  const Network torus = network("torus", "4x2");
  Allocation nodes(torus.graph, 1, 1);
  nodes.give(1, {.job = 9});
  EXPECT_EQ(nodes.take(Placement::Contiguous, 3, {.job = 0}), (Nodes{0, 2, 3}));
  EXPECT_EQ(nodes.take(Placement::Contiguous, 4, {.job = 1}), (Nodes{4, 5, 6, 7}));
  EXPECT_EQ(nodes.take(Placement::Contiguous, 1, {.job = 2}), Nodes{});
  EXPECT_EQ(nodes.owner(1), 9u);
  EXPECT_EQ(nodes.owner(7), 1u);
}

TEST(Placement, CabinetsAreTheGroupsOfADragonfly) {
  const Network dragonfly = network("dragonfly", "4x2x2x9");
  Allocation nodes(dragonfly.graph, 1, 1);
  for (std::uint32_t node = 0; node < 72; ++node) EXPECT_EQ(nodes.cabinet(node), node / 8) << node;
  EXPECT_EQ(nodes.take(Placement::RoundRobin, 11, {.job = 0}),
            (Nodes{0, 8, 16, 24, 32, 40, 48, 56, 64, 1, 9}));
}

TEST(Placement, CabinetWiseTakesOnlyCabinetsThatAreWhollyFree) {
  const Network torus = network("torus", "4x4", "2x2");  // nodes 0 1 4 5, 2 3 6 7, 8 9 12 13, 10 11 14 15
  Allocation nodes(torus.graph, 1, 1);
  nodes.give(3, {.job = 9});
  EXPECT_EQ(nodes.take(Placement::CabinetWise, 5, {.job = 0}), (Nodes{0, 1, 4, 5, 8}));
  EXPECT_EQ(nodes.take(Placement::CabinetWise, 4, {.job = 1}), (Nodes{10, 11, 14, 15}));
  EXPECT_EQ(nodes.take(Placement::CabinetWise, 1, {.job = 2}),
            Nodes{});  // the rest of cabinets is for other placements
  EXPECT_EQ(nodes.take(Placement::Contiguous, 2, {.job = 2}), (Nodes{2, 6}));
}

TEST(Placement, WithoutGlobalCablesACabinetIsARouter) {
  const Network tree = network("fat-tree", "4x4");
  Allocation nodes(tree.graph, 1, 1);
  EXPECT_EQ(nodes.cabinet(3), 0u);
  EXPECT_EQ(nodes.cabinet(4), 1u);
  EXPECT_EQ(nodes.take(Placement::RoundRobin, 6, {.job = 0}), (Nodes{0, 4, 8, 12, 1, 5}));
}

TEST(Placement, RandomDrawsFreeNodesByTheSeedAndTheJob) {
  const Network torus = network("torus", "8x8");
  const auto draw = [&](std::uint64_t seed, std::uint32_t job) {
    return Allocation(torus.graph, seed, 1).take(Placement::Random, 32, {.job = job});
  };
  const Nodes first = draw(1, 0);
  EXPECT_EQ(std::set<std::uint32_t>(first.begin(), first.end()).size(), 32u);
  EXPECT_EQ(first, draw(1, 0));
  EXPECT_NE(first, draw(2, 0));
  EXPECT_NE(first, draw(1, 1));
}

TEST(Placement, JobsThatShareFillTheSlotsOfANode) {
  const Network torus = network("torus", "4x2");
  Allocation nodes(torus.graph, 1, 4);
  EXPECT_EQ(nodes.take(Placement::Contiguous, 2, {.job = 0, .slots = 3}), (Nodes{0, 1}));
  EXPECT_EQ(nodes.take(Placement::Contiguous, 3, {.job = 1, .slots = 1}), (Nodes{0, 1, 2}));
  EXPECT_EQ(nodes.take(Placement::Contiguous, 1, {.job = 2, .slots = 2}), (Nodes{2}));
  EXPECT_EQ(nodes.left(2), 1u);
  EXPECT_EQ(nodes.owner(2), Allocation::kShared);
}

TEST(Placement, AJobThatDoesNotShareTakesNodesAlone) {
  const Network torus = network("torus", "4x2");
  Allocation nodes(torus.graph, 1, 4);
  EXPECT_EQ(nodes.take(Placement::Contiguous, 1, {.job = 0, .slots = 1}), (Nodes{0}));
  EXPECT_EQ(nodes.take(Placement::Contiguous, 2, {.job = 1}), (Nodes{1, 2}));
  EXPECT_FALSE(nodes.can_give(1, {.job = 2, .slots = 1}));
  EXPECT_EQ(nodes.take(Placement::RoundRobin, 3, {.job = 2, .slots = 2}), (Nodes{0, 3, 4}));
  EXPECT_EQ(nodes.take(Placement::Contiguous, 4, {.job = 3}), Nodes{}) << "nodes 5, 6 and 7 are left";
}

}  // namespace
}  // namespace psim::net
