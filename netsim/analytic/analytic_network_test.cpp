// SPDX-License-Identifier: Apache-2.0
// The formula of the analytic network: l + h hop + s/w, without overtaking.
#include "netsim/analytic/analytic_network.h"

#include <gtest/gtest.h>

#include "netsim/testing/script.h"

namespace psim::net {
namespace {

using testing::easy_network;
using testing::Script;

constexpr std::uint64_t kAnalyticNs = 1000;

NetworkConfig analytic_network() {
  NetworkConfig config =
      easy_network();  // a byte is 1 ns; nodes 0 and 1 are neighbours, 0 and 36 are 8 hops apart
  config.model = NetworkModel::Analytic;
  config.analytic.latency = Picoseconds{40'000'000};
  config.analytic.bandwidth = BytesPerSecond{100'000'000};
  return config;
}

TEST(AnalyticNetwork, AMessageTakesLatencyAndItsBytes) {
  const Script script(analytic_network(), {{0, 0, 1, 0}, {1'000'000'000, 0, 36, 12'345}});
  EXPECT_EQ(script.arrived[0], 40'000 * kAnalyticNs);
  EXPECT_EQ(script.arrived[1] - 1'000'000'000, (40'000 + 123'450) * kAnalyticNs);
  EXPECT_EQ(script.departed_at[1] - 1'000'000'000, 123'450 * kAnalyticNs);
}

TEST(AnalyticNetwork, EachLinkBetweenRoutersAddsItsHop) {
  NetworkConfig config = analytic_network();
  config.analytic.hop = Picoseconds{7'000};
  const Script script(config, {{0, 0, 1, 0}, {1'000'000'000, 0, 36, 0}});
  EXPECT_EQ(script.arrived[0], (40'000 + 7) * kAnalyticNs);
  EXPECT_EQ(script.arrived[1] - 1'000'000'000, (40'000 + 8 * 7) * kAnalyticNs);
}

TEST(AnalyticNetwork, WithoutALatencyItIsTheEmptyNetworkOfPackets) {
  NetworkConfig config = easy_network();
  const Script packets(config, {{0, 0, 1, 100}, {1'000'000'000, 0, 36, 2048}});
  config.model = NetworkModel::Analytic;
  const Script analytic(config, {{0, 0, 1, 100}, {1'000'000'000, 0, 36, 2048}});
  EXPECT_EQ(analytic.arrived, packets.arrived);
}

TEST(AnalyticNetwork, MessagesDoNotDisturbEachOther) {
  std::vector<testing::Sent> sent;
  for (std::uint32_t node = 1; node < 64; ++node) sent.push_back({0, node, 0, 1000});
  const Script script(analytic_network(), sent);
  for (const std::uint64_t arrived : script.arrived) EXPECT_EQ(arrived, (40'000 + 10'000) * kAnalyticNs);
}

TEST(ArrivalOrder, NoMessageOvertakesAnEarlierOneOfItsPair) {
  ArrivalOrder order;
  EXPECT_EQ(order.after_earlier(1, 0, 500), 500u);
  EXPECT_EQ(order.after_earlier(1, 10, 300), 500u);
  EXPECT_EQ(order.after_earlier(2, 10, 300), 300u);
  EXPECT_EQ(order.after_earlier(1, 10, 501), 501u);
  EXPECT_EQ(order.after_earlier(1, 600, 700), 700u);
}

TEST(ArrivalOrder, HoldsWithManyPairsInFlight) {
  ArrivalOrder order;
  for (std::uint64_t pair = 0; pair < 100'000; ++pair)
    ASSERT_EQ(order.after_earlier(pair * 7, 0, 1000 + pair), 1000 + pair);
  for (std::uint64_t pair = 0; pair < 100'000; ++pair)
    ASSERT_EQ(order.after_earlier(pair * 7, 1, 2), 1000 + pair);
}

}  // namespace
}  // namespace psim::net
