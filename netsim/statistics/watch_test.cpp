// SPDX-License-Identifier: Apache-2.0
#include "netsim/statistics/watch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "netsim/testing/script.h"
#include "netsim/topology/topology.h"

namespace psim::net {
namespace {

using testing::Script;

NetworkConfig line() {
  NetworkConfig config;
  config.topology = {"mesh", "3", ""};
  config.link.bandwidth = config.nic.bandwidth = 1_GBps;  // 1 ns per byte
  config.nic.payload = 1_KiB;
  return config;
}

WatchConfig all_of(const Graph& graph) {
  WatchConfig config;
  config.routers.assign(graph.routers(), true);
  config.channels.assign(graph.channels.size(), false);
  return config;
}

TEST(Watch, SpreadsAPacketOverTheIntervalsThatItPassesIn) {
  const Network network = make_topology(line(), 0);
  WatchConfig config = all_of(network.graph);
  config.every = 1'000;
  config.from = 500;
  config.to = 3'000;
  Watch watch(network.graph, config);
  watch.granted(0, 0, 0, 4'000, 400, 70);    // before what is observed: no packet of it, but bytes
  watch.granted(0, 0, 2'000, 500, 100, 30);  // in the second interval, 1500 … 2500
  const std::vector<Watch::ChannelRow> rows = watch.channels();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].bytes, 100u);  // 500 … 1500
  EXPECT_EQ(rows[0].packets, 0u);
  EXPECT_EQ(rows[1].bytes, 100u + 100u);
  EXPECT_EQ(rows[1].busy, 1'000u + 500u);
  EXPECT_EQ(rows[1].packets, 1u);
  EXPECT_EQ(rows[1].wait_sum, 30u);
  EXPECT_EQ(rows[1].wait_most, 30u);
  EXPECT_EQ(rows[2].bytes, 50u);  // 2500 … 3000, where observation ends
  EXPECT_EQ(watch.end_of(2), 3'000u);
}

TEST(Watch, CountsLatencyByNodeAndInterval) {
  const Network network = make_topology(line(), 0);
  WatchConfig config = all_of(network.graph);
  config.routers[0] = false;
  Watch watch(network.graph, config);
  watch.received(0, 5, 100, 9);  // of a router that is not observed
  watch.received(1, 5, 100, 9);
  watch.received(1, 6, 50, 3);
  watch.received(1, config.every, 1, 1);
  const std::vector<Watch::NodeRow> rows = watch.nodes();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].packets, 2u);
  EXPECT_EQ(rows[0].bytes, 150u);
  EXPECT_EQ(rows[0].latency_sum, 12u);
  EXPECT_EQ(rows[0].latency_least, 3u);
  EXPECT_EQ(rows[0].latency_most, 9u);
  EXPECT_EQ(rows[1].interval, 1u);
}

TEST(Watch, SeesWaitsAndBuffersOfARunAndTheSameBytesAsTheCounts) {
  // Nodes 0 and 1 send to node 2 over the channel from router 1: each has half of it, and packets wait at
  // router 1.
  const NetworkConfig config = line();
  const Network network = make_topology(config, 0);
  WatchConfig what = all_of(network.graph);
  what.every = 5'000'000;
  Watch watch(network.graph, what);
  Script script(config, {{0, 0, 2, 20'480}, {0, 1, 2, 20'480}}, 1, 0, &watch);
  std::uint64_t bytes = 0, wait = 0, busy = 0;
  for (const Watch::ChannelRow& row : watch.channels())
    if (!row.channel.from_node && row.channel.from == 1 &&
        network.graph.channel(1, row.channel.port).to_router == 2) {
      bytes += row.bytes;
      wait = std::max(wait, row.wait_most);
      EXPECT_LE(row.busy, what.every);
      busy += row.busy;
    }
  EXPECT_EQ(bytes, 2 * 20'480u);
  EXPECT_EQ(busy, 40 * 1'024'000u);
  EXPECT_EQ(wait, 20'380'000u);  // of 20 packets of the other, 1.024 us each, less a little
  const std::vector<Watch::BufferRow> buffers = watch.buffers();
  ASSERT_FALSE(buffers.empty());
  for (const Watch::BufferRow& row : buffers) {
    EXPECT_EQ(row.bytes, row.packets * 1'024u);
    EXPECT_LE(row.bytes, config.router.buffer.count);
  }
  EXPECT_TRUE(std::ranges::any_of(buffers, [](const Watch::BufferRow& row) { return row.router == 1; }));
  std::uint64_t received = 0;
  for (const Watch::NodeRow& row : watch.nodes()) received += row.node == 2 ? row.packets : 0;
  EXPECT_EQ(received, 40u);
}

}  // namespace
}  // namespace psim::net
