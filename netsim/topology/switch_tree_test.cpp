// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/switch_tree.h"

#include <gtest/gtest.h>

#include "netsim/testing/routing.h"
#include "netsim/topology/topology.h"

namespace psim::net {
namespace {

SwitchTree tree_of(const char* kind, const char* shape, NetworkConfig config = {}) {
  config.topology = {kind, shape, ""};
  config.router.virtual_channels = 4;
  config.nic.delay = Picoseconds{3'000};
  config.link.delay = Picoseconds{20'000};
  return switch_tree(config, make_topology(config, 0).graph);
}

TEST(SwitchTree, OfAFatTreeHasItsRootAtTheTop) {
  const SwitchTree two = tree_of("fat-tree", "8x4"), three = tree_of("fat-tree", "4x4x4");
  EXPECT_EQ(two.switches, 2u);
  EXPECT_EQ(two.cables.count(), 3'000 + 20'000);
  EXPECT_EQ(three.switches, 3u);
  EXPECT_EQ(three.cables.count(), 3'000 + 2 * 20'000);
}

TEST(SwitchTree, OfAMeshHasItsRootInTheMiddle) {
  // From a corner of 7 x 5 to the other are ten hops; the middle is five from both.
  EXPECT_EQ(tree_of("mesh", "7x5").switches, 6u);
  EXPECT_EQ(tree_of("torus", "8").switches, 5u);
  EXPECT_EQ(tree_of("crossbar", "16").switches, 1u);
}

TEST(SwitchTree, KnowsLongCablesAndSlowLinks) {
  NetworkConfig config;
  config.nic.bandwidth = 10_GBps;
  config.link.bandwidth = 8_GBps;
  config.link.classes[static_cast<std::size_t>(CableClass::Level2)] = {4_GBps, Picoseconds{50'000}};
  const SwitchTree tree = tree_of("fat-tree", "4x4x4", config);
  EXPECT_EQ(tree.cables.count(), 3'000 + 20'000 + 50'000);
  EXPECT_EQ(tree.bandwidth.count, 4'000'000'000u);
}

}  // namespace
}  // namespace psim::net
