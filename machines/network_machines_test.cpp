// SPDX-License-Identifier: Apache-2.0
// Every shipped network carries messages, in the times that its file derives by hand.
#include <gtest/gtest.h>

#include <utility>

#include "machines/network_machine.h"
#include "netsim/testing/script.h"
#include "netsim/topology/topology.h"

namespace psim {
namespace {

using net::testing::Script;
using net::testing::Sent;

/// Returns the times of lone messages, ps.
std::vector<std::uint64_t> times(const char* name, std::uint32_t nodes, std::vector<Sent> sent) {
  const auto machine = load_network({.machine = name, .sets = {}});
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i].time = i * 1'000'000'000;
  const Script script(machine->network, sent, 1, nodes);
  std::vector<std::uint64_t> took;
  for (std::size_t i = 0; i < sent.size(); ++i) took.push_back(script.took(i));
  return took;
}
using Times = std::vector<std::uint64_t>;

TEST(NetworkMachines, Torus3d) {
  // Node cable 5 ns, hops of 100 ns, the last router's 95 ns, node cable 5 ns; 1000 bytes at 5 GB/s.
  EXPECT_EQ(times("torus3d", 64, {{0, 0, 1, 1'000}, {0, 0, 5, 1'000}}), (Times{405'000, 505'000}));
}

TEST(NetworkMachines, BluegeneL) {
  // 90 ns per hop, 85 ns of it the router's; 154 bytes at 154 MB/s take 1 us.
  EXPECT_EQ(
      times("bluegene_l", 128, {{0, 0, 1, 154}, {0, 0, 9, 154}}),
      (Times{5'000 + 90'000 + 85'000 + 5'000 + 1'000'000, 5'000 + 180'000 + 85'000 + 5'000 + 1'000'000}));
}

TEST(NetworkMachines, InfinibandQdr) {
  // Read and written at 2.8 GB/s, 0.5 us each; 1400 bytes at 4 GB/s; 140 ns and two cables of 0.6 ns.
  EXPECT_EQ(times("infiniband_qdr", 16, {{0, 0, 15, 1'400}}),
            (Times{500'000 + 600 + 140'000 + 600 + 350'000 + 500'000}));
}

TEST(NetworkMachines, InfinibandQdrTree) {
  // Eight nodes are at one switch; routes to the others have three switches and two cables more.
  EXPECT_EQ(times("infiniband_qdr_tree", 16, {{0, 0, 7, 1'400}, {0, 0, 8, 1'400}}),
            (Times{1'491'200, 1'491'200 + 2 * 140'600}));
}

TEST(NetworkMachines, Tofu) {
  // 3x2x2 units; one step along X, and one along X and A each. 500 bytes and a header of 32 at 5 GB/s.
  EXPECT_EQ(times("tofu", 144, {{0, 0, 1, 500}, {0, 0, 13, 500}}),
            (Times{5'000 + 100'000 + 95'000 + 5'000 + 106'400, 5'000 + 200'000 + 95'000 + 5'000 + 106'400}));
}

TEST(NetworkMachines, Petascale) {
  // 105 ns per hop inside a cabinet, 125 ns to the next; 1000 bytes at 10 GB/s.
  EXPECT_EQ(
      times("petascale", 4'096, {{0, 0, 3, 1'000}, {0, 3, 4, 1'000}}),
      (Times{5'000 + 3 * 105'000 + 100'000 + 5'000 + 100'000, 5'000 + 125'000 + 100'000 + 5'000 + 100'000}));
}

TEST(NetworkMachines, FatTree) {
  // 200 ns per switch, cables of 10 ns, and of 50 ns above level 2; 1038 bytes at 1.25 GB/s take 830.4 ns.
  constexpr std::uint64_t kLeaf = 10'000 + 200'000 + 10'000 + 830'400;
  EXPECT_EQ(times("fat_tree", 288, {{0, 0, 11, 1'000}, {0, 0, 12, 1'000}, {0, 0, 287, 1'000}}),
            (Times{kLeaf, kLeaf + 2 * 210'000, kLeaf + 2 * 210'000 + 2 * 250'000}));
}

TEST(NetworkMachines, Dragonfly) {
  // Within a switch, within a group, and by the global cable from switch 0 of group 0 to switch 5 of
  // group 18.
  constexpr std::uint64_t kSwitch = 10'000 + 200'000 + 10'000 + 830'400;
  EXPECT_EQ(times("dragonfly", 342, {{0, 0, 2, 1'000}, {0, 0, 3, 1'000}, {0, 0, 341, 1'000}}),
            (Times{kSwitch, kSwitch + 210'000, kSwitch + 300'000}));
}

TEST(NetworkMachines, MachinesOfTodayHaveTheSizesOfTheMachines) {
  // make_topology() refuses a network whose packets could wait for each other in a circle.
  const auto size = [](const char* name) {
    const auto machine = load_network({.machine = name, .sets = {}});
    const net::Graph graph = net::make_topology(machine->network, 0).graph;
    return std::pair{graph.nodes(), graph.routers()};
  };
  EXPECT_EQ(size("frontier"), std::pair(74u * 32 * 4, 74u * 32));
  EXPECT_EQ(size("fugaku"), std::pair(158'976u, 158'976u));
  EXPECT_EQ(size("ndr_fat_tree"), std::pair(65'536u, 2'048u + 2'048 + 1'024));
}

TEST(NetworkMachines, Frontier) {
  // 350 ns per switch; cables of 13 ns, and of 150 ns between groups; 1046 bytes at 25 GB/s. Nodes 0 and 1
  // are at one switch, 4 at the next one of the group.
  constexpr std::uint64_t kSwitch = 13'000 + 350'000 + 13'000 + 41'840;
  EXPECT_EQ(times("frontier", 9'472, {{0, 0, 1, 1'000}, {0, 0, 4, 1'000}}),
            (Times{kSwitch, kSwitch + 363'000}));
}

TEST(NetworkMachines, Tofud) {
  // A put to a neighbour in 0.49 us, as published: node cables of 137 ns, a hop of 100, a router of 95; 144
  // bytes at 6.8 GB/s. 13 is one step along X and one along A.
  constexpr std::uint64_t kNeighbour = 2 * 137'000 + 100'000 + 95'000 + 21'177;
  EXPECT_EQ(times("tofud", 144, {{0, 0, 1, 8}, {0, 0, 13, 8}}), (Times{kNeighbour, kNeighbour + 100'000}));
}

TEST(NetworkMachines, NdrFatTree) {
  // 150 ns per switch; cables of 15, 50 and 150 ns; 1026 bytes at 50 GB/s. A leaf has 32 nodes, a tree of two
  // levels 1024.
  constexpr std::uint64_t kLeaf = 15'000 + 150'000 + 15'000 + 20'520;
  EXPECT_EQ(times("ndr_fat_tree", 65'536, {{0, 0, 31, 1'000}, {0, 0, 32, 1'000}, {0, 0, 65'535, 1'000}}),
            (Times{kLeaf, kLeaf + 2 * 200'000, kLeaf + 2 * 200'000 + 2 * 300'000}));
}

TEST(NetworkMachines, BluegeneP) {
  // 67 ns per hop, 62 ns of it the router's, node cables of 150 ns; 38 bytes at 425 MB/s. The published 0.5
  // us to a neighbour.
  constexpr std::uint64_t kNeighbour = 2 * 150'000 + 67'000 + 62'000 + 89'412;
  EXPECT_EQ(times("bluegene_p", 512, {{0, 0, 1, 8}, {0, 0, 9, 8}}), (Times{kNeighbour, kNeighbour + 67'000}));
}

}  // namespace
}  // namespace psim
