// SPDX-License-Identifier: Apache-2.0
#include "report/net/machine_map.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace psim {
namespace {

net::Network network_of(const std::string& kind, const std::string& shape) {
  net::NetworkConfig config;
  config.topology.kind = kind;
  config.topology.shape = shape;
  return net::make_topology(config, 0);
}

TEST(MachineMap, MoreLinksThanAPictureHasLinesAreDrawnWithFewerPoints) {
  const net::Network network = network_of("full", "400:2");
  const MachineMap map(network);
  EXPECT_LE(map.links(), MachineMap::kMostLinks);
  EXPECT_GT(map.links(), MachineMap::kMostLinks / 4);
  const nlohmann::ordered_json drawing = map.drawing();
  EXPECT_LT(drawing["points"], 400);
  std::uint64_t channels = 0;
  for (const auto& line : drawing["channels"]) channels += line.get<std::uint64_t>();
  std::uint64_t between = 0;
  for (const net::Channel& channel : network.graph.channels)
    between += channel.to_router != net::Channel::kNowhere;
  EXPECT_GT(between, MachineMap::kMostLinks);
  EXPECT_EQ(channels, between) << "each link belongs to a line";
  EXPECT_EQ(map.history().links(), map.links()) << "the run records lines";
}

TEST(MachineMap, OtherMachinesAreDrawnInDetail) {
  const net::Network network = network_of("torus", "8x8x8");
  const MachineMap map(network);
  EXPECT_EQ(map.links(), 8u * 8 * 8 * 6);
  EXPECT_FALSE(map.drawing().contains("channels"));
}

}  // namespace
}  // namespace psim
