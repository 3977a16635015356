// SPDX-License-Identifier: Apache-2.0
// Closed forms of what interfaces and links can do beyond a port that sends one message after the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "netsim/fabric/link_errors.h"
#include "netsim/nic/back_pressure.h"
#include "netsim/nic/dcqcn.h"
#include "netsim/nic/packet_order.h"
#include "netsim/testing/script.h"

namespace psim::net {
namespace {

using testing::easy_network;
using testing::Script;
using testing::Sent;

constexpr std::uint64_t kPsOfNs = 1000;

/// As in simulation_test.cpp.
std::uint64_t lone(std::uint64_t hops, std::uint64_t bytes) {
  return (10 + hops * 100 + 80 + 10 + bytes) * kPsOfNs;
}

TEST(MessageRate, MessagesOfAPortStartAnIntervalApart) {
  NetworkConfig config = easy_network();
  config.nic.send_interval = Picoseconds{50'000};
  // Five messages of 8 ns at once: the port sends one every 50 ns. A later one waits for nothing.
  std::vector<Sent> sent(5, {0, 0, 1, 8, false});
  sent.push_back({1'000 * kPsOfNs, 0, 1, 8, false});
  Script script(config, sent);
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(script.arrived[i], i * 50 * kPsOfNs + lone(1, 8)) << i;
  EXPECT_EQ(script.took(5), lone(1, 8));
  // Each of four waited from the end of the one before, 8 ns after its start.
  const InterfaceCounts& counts = script.simulation().interfaces().counts();
  EXPECT_EQ(counts.send_waits, 4u);
  EXPECT_EQ(counts.send_wait_ps, 4 * (50 - 8) * kPsOfNs);
}

TEST(MessageRate, PacketsOfALongMessageDoNotWait) {
  NetworkConfig config = easy_network();
  config.nic.send_interval = config.nic.receive_interval = Picoseconds{5'000'000};
  const Script script(config, {{0, 0, 1, 10'240}, {0, 0, 1, 1}});
  EXPECT_EQ(script.arrived[0], lone(1, 10'240));
  EXPECT_EQ(script.arrived[1], lone(1, 10'240) + 5'000 * kPsOfNs);
}

TEST(MessageRate, MessagesOfManySendersAreCompleteAnIntervalApart) {
  NetworkConfig config = easy_network();
  config.topology = {"crossbar", "8", ""};
  config.nic.receive_interval = Picoseconds{300'000};
  std::vector<Sent> sent;
  for (std::uint32_t node = 1; node < 8; ++node) sent.push_back({0, node, 0, 100});
  Script script(config, sent);
  std::sort(script.arrived.begin(), script.arrived.end());
  // The router sends them one after the other, 100 ns each; each is complete 300 ns after the one before.
  for (std::uint64_t i = 0; i < 7; ++i) EXPECT_EQ(script.arrived[i], lone(0, 100) + i * 300 * kPsOfNs) << i;
  const InterfaceCounts& counts = script.simulation().interfaces().counts();
  EXPECT_EQ(counts.receive_waits, 6u);
  EXPECT_EQ(counts.receive_wait_ps, (1 + 2 + 3 + 4 + 5 + 6) * 200 * kPsOfNs);
}

NetworkConfig four_ports() {
  NetworkConfig config = easy_network();
  config.topology = {"crossbar", "24", ""};
  config.nic.ports = 4;
  return config;
}

TEST(Ports, AStripedMessageTakesAllOfThem) {
  NetworkConfig config = four_ports();
  config.nic.stripe = 4_KiB;
  // Ten packets of 1 KiB: three each on the first two ports, two on the others.
  Script script(config, {{0, 0, 5, 10'240}});
  EXPECT_EQ(script.arrived[0], lone(0, 3 * 1'024));
  EXPECT_EQ(script.departed_at[0], 3 * 1'024 * kPsOfNs);
  EXPECT_EQ(script.simulation().interfaces().counts().striped, 1u);
  EXPECT_EQ(script.simulation().interfaces().messages(), 1u);
  EXPECT_EQ(script.simulation().interfaces().pool().in_flight(), 0u);
  for (std::uint32_t port = 0; port < 4; ++port)
    EXPECT_EQ(script.simulation().interfaces().sent(0, port).packets, port < 2 ? 3u : 2u);
  // At the limit it is one message on one port.
  const Script whole(config, {{0, 0, 5, 4'096}});
  EXPECT_EQ(whole.arrived[0], lone(0, 4'096));
}

TEST(Ports, StripedMessagesStayInOrderWithOthers) {
  NetworkConfig config = four_ports();
  config.topology = {"torus", "4x3x2", ""};
  config.nic.stripe = 2_KiB;
  std::vector<Sent> sent;
  for (std::uint32_t i = 0; i < 200; ++i) sent.push_back({0, 3, 17, i % 4 == 0 ? 9'000u : 1u, i % 3 == 0});
  Script script(config, sent);
  for (std::uint32_t first = 0; first < 200; ++first)
    for (std::uint32_t later = first + 1; later < 200; ++later)
      if (sent[first].in_place == sent[later].in_place) {
        ASSERT_GE(script.arrived[later], script.arrived[first]) << first << " " << later;
      }
  EXPECT_EQ(script.simulation().interfaces().pool().in_flight(), 0u);
}

TEST(Ports, OneDestinationHasOnePort) {
  NetworkConfig config = four_ports();
  config.nic.port_choice = PortChoice::Destination;
  // Nodes 4 and 8 have port 0, so their messages wait for each other; node 5 has port 1.
  const Script script(config, {{0, 0, 4, 10'240}, {0, 0, 8, 10'240}, {0, 0, 5, 10'240}});
  EXPECT_EQ(script.arrived[0], lone(0, 10'240));
  EXPECT_EQ(script.arrived[1], lone(0, 20'480));
  EXPECT_EQ(script.arrived[2], lone(0, 10'240));
}

TEST(LinkErrors, BadCopiesAreAsFrequentAsTheBitsSay) {
  NetworkConfig config = easy_network();
  config.link.bit_error_rate = 1e-5;
  const LinkErrors errors(config, 1);
  // 1 KiB is good with probability (1 - 1e-5)^8192 = 0.92134: packets have 0.0854 bad copies on average.
  std::uint64_t copies = 0, bad = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const std::uint64_t here = errors.bad_copies(3, i, 1'024);
    copies += here;
    bad += here != 0;
    EXPECT_EQ(here, errors.bad_copies(3, i, 1'024));
  }
  EXPECT_NEAR(static_cast<double>(bad), 7'866, 3 * 85);
  EXPECT_NEAR(static_cast<double>(copies), 8'538, 3 * 96);
}

TEST(LinkErrors, EachBadCopyTakesItsLengthAndTheRoundTrip) {
  NetworkConfig config = easy_network();
  config.link.bit_error_rate = 3e-5;
  const LinkErrors errors(config, 7);
  // Node 0 to node 1 of the torus: its channel, then port to node 1 (hop), then ejection.
  Script clean(easy_network(), {{0, 0, 1, 1'024}});
  for (std::uint64_t first = 0; first < 3; ++first) {
    std::vector<Sent> sent;
    for (std::uint64_t i = 0; i <= first; ++i) sent.push_back({i * 1'000'000 * kPsOfNs, 0, 1, 1'024});
    Script script(config, sent, 7);
    const Graph& graph = script.simulation().graph();
    std::uint32_t hop = 0;
    while (graph.channel(0, hop).to_router != 1) ++hop;
    const std::uint64_t channels[] = {LinkErrors::kFromNodes, graph.first_port[0] + hop,
                                      std::uint64_t{graph.first_port[1]} + graph.node_port[1]};
    const std::uint64_t trips[] = {2 * 10, 2 * 20, 2 * 10};
    std::uint64_t late = 0;
    for (int i = 0; i < 3; ++i)
      late += errors.bad_copies(channels[i], first, 1'024) * (1'024 + trips[i]) * kPsOfNs;
    EXPECT_EQ(script.took(first), clean.arrived[0] + late) << first;
  }
}

TEST(LinkErrors, AChannelCarriesLessByTheBadCopies) {
  NetworkConfig config = easy_network();
  config.link.bit_error_rate = 1e-5;
  config.link.retry_delay = Picoseconds{500'000};
  config.topology = {"crossbar", "2", ""};
  constexpr std::uint64_t kPackets = 20'000;
  Script script(config, {{0, 0, 1, kPackets * 1'024}});
  const std::uint64_t retries = script.simulation().interfaces().counts().node_retries;
  EXPECT_NEAR(static_cast<double>(retries), 0.08538 * kPackets, 3 * 43);
  EXPECT_EQ(script.simulation().interfaces().counts().node_retry_ps, retries * (1'024 + 500) * kPsOfNs);
  // Both channels repeat by themselves; the slower part of each moment counts, so it is between one and both.
  const double one = (kPackets * 1'024.0 + static_cast<double>(retries) * 1'524) * kPsOfNs;
  EXPECT_GT(static_cast<double>(script.arrived[0]), one);
  EXPECT_LT(static_cast<double>(script.arrived[0]), one * 1.12);
}

TEST(Congestion, RatesFollowTheFormulas) {
  constexpr std::uint64_t kUs = 1'000'000, kFlow = 7;
  CongestionConfig config;  // 55 us
  Dcqcn flows(config, 8_GBps);
  EXPECT_EQ(flows.rate(kFlow, 0), 8e9);
  flows.take(kFlow, 0, {});  // the estimate is 1 at first
  EXPECT_EQ(flows.rate(kFlow, 0), 4e9);
  flows.sent(kFlow, 1 * kUs, 4'000);
  EXPECT_EQ(flows.next(kFlow), 2 * kUs);
  flows.take(kFlow, 10 * kUs, {});
  EXPECT_EQ(flows.rate(kFlow, 10 * kUs), 2e9);
  // Five steps to the middle of rate and target, 4 GB/s; then the target rises by 5 MB/s in each.
  double rate = 2e9, target = 4e9;
  for (std::uint64_t step = 1; step <= 8; ++step) {
    if (step > 5) target += 5e6;
    EXPECT_EQ(flows.rate(kFlow, (10 + step * 55) * kUs - 1), rate);
    rate = (rate + target) / 2;
    EXPECT_EQ(flows.rate(kFlow, (10 + step * 55) * kUs), rate);
  }
  // The estimate has fallen eight times by 1/256.
  double estimate = 1;
  for (int i = 0; i < 8; ++i) estimate *= 1 - 1.0 / 256;
  flows.take(kFlow, 450 * kUs, {});
  EXPECT_DOUBLE_EQ(flows.rate(kFlow, 450 * kUs), rate * (1 - estimate / 2));
  // After long, it has no limit.
  flows.sent(kFlow, 1'000'000 * kUs, 1);
  EXPECT_EQ(flows.next(kFlow), 0u);
}

TEST(Congestion, ADestinationSendsOneNoticeInAnInterval) {
  Dcqcn flows({.interval = Picoseconds{50}}, 1_GBps);
  EXPECT_TRUE(flows.arrived(1, 100, {.marked = true}));
  EXPECT_FALSE(flows.arrived(1, 149, {.marked = true}));
  EXPECT_TRUE(flows.arrived(2, 149, {.marked = true}));
  EXPECT_TRUE(flows.arrived(1, 150, {.marked = true}));
}

TEST(Congestion, AVictimIsFasterWhereAggressorsAreSlower) {
  // A fat tree of four leaves with four nodes each, all to one spine. Ten nodes send to node 0; node 5 sends
  // to node 8 by the uplink that nodes 4, 6 and 7 fill with packets which wait for node 0.
  NetworkConfig config;
  config.topology = {"fat-tree", "4x4", "d-mod-k"};
  std::vector<Sent> sent;
  for (const std::uint32_t node : {4u, 6u, 7u, 9u, 10u, 11u, 12u, 13u, 14u, 15u})
    for (int i = 0; i < 20; ++i) sent.push_back({0, node, 0, 100'000});
  for (int i = 0; i < 5; ++i) sent.push_back({200 * 1'000 * kPsOfNs, 5, 8, 100'000});
  const auto last = [](const Script& script) {
    return *std::max_element(script.arrived.begin(), script.arrived.end() - 5);
  };
  Script without(config, sent);
  config.congestion.control = CongestionControl::Dcqcn;
  config.congestion.mark_from = 8_KiB;
  config.congestion.mark_all = 16_KiB;
  Script with(config, sent);
  const std::vector<Sent> only(sent.end() - 5, sent.end());
  Script alone(config, only);
  // Alone 100 us; among aggressors, it shares an uplink of which they use 3/10 of node 0's channel.
  EXPECT_NEAR(static_cast<double>(alone.took(4)), 100.4e6, 1e6);
  EXPECT_GT(without.took(204), 5 * alone.took(4)) << without.took(204);
  EXPECT_LT(with.took(204), 2 * alone.took(4)) << with.took(204);
  // Rates rise slowly after notices, so node 0's channel is not always busy.
  EXPECT_LT(last(with), 2 * last(without));
  const InterfaceCounts& counts = with.simulation().interfaces().counts();
  EXPECT_GT(counts.notices, 10u);
  EXPECT_GT(counts.marked, counts.notices);
  EXPECT_EQ(without.simulation().interfaces().counts().marked, 0u);
  EXPECT_EQ(alone.simulation().interfaces().counts().marked, 0u);
}

TEST(BackPressure, ACongestedNodeReportsItsFlowsToThoseThatWait) {
  constexpr std::uint64_t kUs = 1'000'000;
  CongestionConfig config;
  config.throttle_wait = Picoseconds{2 * kUs};
  config.throttle_hold = Picoseconds{20 * kUs};
  BackPressure flows(config, 1_GBps, 1);
  const auto arrive = [&](std::uint32_t from, std::uint64_t us, std::uint64_t wait, std::uint32_t to = 9) {
    const auto notice =
        flows.arrived(FlowRates::flow(from, to), us * kUs, {.port = to, .bytes = 1'000, .wait = wait * kUs});
    if (notice) {
      EXPECT_EQ(notice->wait, wait * kUs);
    }
    return notice ? notice->flows : 0;
  };
  // A packet takes 1 us. A flow alone congests nothing, though its packets wait.
  EXPECT_EQ(arrive(1, 10, 5), 0u);
  EXPECT_EQ(arrive(1, 11, 5), 0u);
  EXPECT_EQ(arrive(1, 12, 5), 0u);
  EXPECT_EQ(arrive(2, 13, 1), 0u) << "it has not waited for long enough";
  EXPECT_EQ(arrive(1, 14, 5), 2u);
  EXPECT_EQ(arrive(2, 15, 2), 2u);
  // The next one after half the hold, or at once if there are more flows.
  for (std::uint64_t us = 16; us < 24; ++us) EXPECT_EQ(arrive(1, us, 5), 0u);
  EXPECT_EQ(arrive(1, 24, 5), 2u);
  EXPECT_EQ(arrive(3, 25, 0), 0u);
  EXPECT_EQ(arrive(1, 26, 5), 3u);
  // After a gap the port is not congested, nor is another node's.
  EXPECT_EQ(arrive(2, 30, 5), 0u);
  EXPECT_EQ(arrive(2, 31, 5), 0u);
  EXPECT_EQ(arrive(3, 31, 5, 8), 0u);
  EXPECT_EQ(arrive(2, 32, 5), 3u);
  // Flow 3 was last seen at 25 us: it counts for the hold, and 3 us for the packets of all.
  for (std::uint64_t us = 33; us < 48; ++us) arrive(1, us, 0);
  EXPECT_EQ(arrive(1, 48, 5), 3u);
  EXPECT_EQ(arrive(2, 49, 5), 2u);
}

TEST(BackPressure, ASourceSendsItsShareAndDoublesIt) {
  constexpr std::uint64_t kUs = 1'000'000;
  CongestionConfig config;
  config.throttle_hold = Picoseconds{20 * kUs};
  BackPressure flows(config, 1_GBps, 1);
  // A quarter of the port, and of that 20 / (20 + 20).
  flows.take(7, 10 * kUs, {.flows = 4, .wait = 20 * kUs});
  EXPECT_EQ(flows.next(8), 0u);
  EXPECT_EQ(flows.next(7), 0u);
  flows.sent(7, 10 * kUs, 1'000);  // 1 us at the port's rate
  EXPECT_EQ(flows.next(7), 18 * kUs);
  flows.sent(7, 29 * kUs, 1'000);
  EXPECT_EQ(flows.next(7), 37 * kUs);
  flows.sent(7, 38 * kUs, 1'000);  // doubled at 30 us
  EXPECT_EQ(flows.next(7), 42 * kUs);
  flows.sent(7, 58 * kUs, 1'000);
  EXPECT_EQ(flows.next(7), 60 * kUs);
  flows.sent(7, 80 * kUs, 1'000);
  EXPECT_EQ(flows.next(7), 0u);
  // A packet of 80 us: the rate holds for two, then it has doubled at 91, 111, 131 and 151 us.
  flows.take(7, 10 * kUs, {.flows = 4, .wait = 380 * kUs});
  flows.sent(7, 10 * kUs, 1'000);
  EXPECT_EQ(flows.next(7), 90 * kUs);
  flows.sent(7, 90 * kUs, 1'000);
  EXPECT_EQ(flows.next(7), 170 * kUs);
  flows.sent(7, 170 * kUs, 1'000);
  EXPECT_EQ(flows.next(7), 175 * kUs);
}

TEST(BackPressure, OnlyTheFlowsThatCongestANodeAreThrottled) {
  // The network and the messages of the test of DCQCN. Node 4 sends to node 8 too.
  NetworkConfig config;
  config.topology = {"fat-tree", "4x4", "d-mod-k"};
  std::vector<Sent> sent;
  for (const std::uint32_t node : {4u, 6u, 7u, 9u, 10u, 11u, 12u, 13u, 14u, 15u})
    for (int i = 0; i < 20; ++i) sent.push_back({0, node, 0, 100'000});
  const std::size_t victims = sent.size();
  for (int i = 0; i < 5; ++i) sent.push_back({200 * 1'000 * kPsOfNs, 5, 8, 100'000});
  for (int i = 0; i < 5; ++i) sent.push_back({1'000 * 1'000 * kPsOfNs, 4, 8, 100'000, false});
  const auto last = [&](const Script& script) {
    return *std::max_element(script.arrived.begin(),
                             script.arrived.begin() + static_cast<std::ptrdiff_t>(victims));
  };
  Script without(config, sent);
  config.congestion.control = CongestionControl::BackPressure;
  Script with(config, sent);
  const std::vector<Sent> only(sent.end() - 10, sent.end());
  Script alone(config, only);
  EXPECT_EQ(alone.simulation().interfaces().counts().notices, 0u);
  // A node between the aggressors, and a flow of an aggressor to another node. Three aggressors share their
  // uplink and use three tenths of it, so 1.43 times is fair.
  for (const std::size_t end : {std::size_t{4}, std::size_t{9}}) {
    EXPECT_GT(without.took(victims + end), 3 * alone.took(end)) << end;
    EXPECT_LT(static_cast<double>(with.took(victims + end)), 1.9 * static_cast<double>(alone.took(end)))
        << end;
  }
  // Node 0's channel stays busy.
  EXPECT_LT(static_cast<double>(last(with)), 1.05 * static_cast<double>(last(without)));
}

TEST(PacketOrder, HoldsPacketsUntilThoseBeforeHaveArrived) {
  PacketOrder order(2);
  InterfaceCounts counts;
  // Packets 0, 2, 3, 1, 4 at 0, 10, 20, 50, 60.
  EXPECT_TRUE(order.take(1, 5, 0, 100, 0, counts));
  EXPECT_FALSE(order.next(1, 5, 100, 0, counts));
  EXPECT_FALSE(order.take(1, 5, 2, 100, 10, counts));
  EXPECT_FALSE(order.take(1, 5, 3, 100, 20, counts));
  EXPECT_TRUE(order.take(1, 5, 1, 100, 50, counts));
  EXPECT_TRUE(order.next(1, 5, 100, 50, counts));
  EXPECT_TRUE(order.next(1, 5, 100, 50, counts));
  EXPECT_FALSE(order.next(1, 5, 100, 50, counts));
  EXPECT_TRUE(order.take(1, 5, 4, 100, 60, counts));
  EXPECT_EQ(counts.overtaking, 2u);
  EXPECT_EQ(counts.overtaking_ps, 40u + 30u);
  EXPECT_EQ(counts.most_held, 200u);
}

TEST(PacketOrder, PlacementInOrderCostsTheWritesAfterTheLastGap) {
  // A permutation on a fat tree with random routes, where packets wait for each other on the way down.
  // Writing is slower than the channel would allow after a gap, so the packets held are written late.
  NetworkConfig config;
  config.topology = {"fat-tree", "4x4", "random"};
  config.nic.payload = Bytes{1'000};
  config.nic.dma_bandwidth = BytesPerSecond{5'500'000'000};
  std::vector<Sent> sent;
  for (std::uint32_t node = 0; node < 16; ++node) sent.push_back({0, node, (5 * node + 3) % 16, 200'000});
  Script any(config, sent);
  config.nic.placement = PacketPlacement::Ordered;
  Script ordered(config, sent);
  const InterfaceCounts& counts = ordered.simulation().interfaces().counts();
  EXPECT_GT(counts.overtaking, 10u);
  EXPECT_GE(counts.most_held, 1'000u);
  EXPECT_EQ(counts.most_held % 1'000, 0u);
  EXPECT_EQ(any.simulation().interfaces().counts().overtaking, 0u);
  std::uint64_t later = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    EXPECT_GE(ordered.arrived[i], any.arrived[i]);
    later += ordered.arrived[i] - any.arrived[i];
  }
  EXPECT_GT(later, 0u);
  EXPECT_EQ(ordered.simulation().interfaces().received().packets,
            any.simulation().interfaces().received().packets);
}

}  // namespace
}  // namespace psim::net
