// SPDX-License-Identifier: Apache-2.0
// Closed forms: the time of a message without contention, and bounds for many messages.
#include "netsim/simulation.h"

#include <gtest/gtest.h>

#include <vector>

#include "netsim/testing/script.h"

namespace psim::net {
namespace {

using testing::easy_network;
using testing::Script;
using testing::Sent;

constexpr std::uint64_t kNs = 1000;

/// Node cable, h hops of 100 ns, the last router's pass of 80 ns, node cable, and the length of all bytes.
std::uint64_t alone(std::uint64_t hops, std::uint64_t bytes) {
  return (10 + hops * 100 + 80 + 10 + bytes) * kNs;
}

TEST(Simulation, ALoneMessageTakesItsHopsAndItsLength) {
  const std::vector<Sent> sent{
      {0, 0, 1, 100}, {1'000'000'000, 0, 4, 1}, {2'000'000'000, 0, 36, 1024}, {3'000'000'000, 63, 0, 700}};
  const Script script(easy_network(), sent);
  EXPECT_EQ(script.arrived[0], alone(1, 100));
  EXPECT_EQ(script.arrived[1] - sent[1].time, alone(4, 1));
  EXPECT_EQ(script.arrived[2] - sent[2].time, alone(8, 1024));
  EXPECT_EQ(script.arrived[3] - sent[3].time, alone(2, 700));
}

TEST(Simulation, ManyPacketsArePipelined) {
  // l + s/w whatever the number of packets: the buffers hold a round trip of credits.
  for (const std::uint64_t bytes : {2048u, 10'000u, 100'000u, 1u << 20}) {
    const Script script(easy_network(), {{0, 0, 27, bytes}});
    EXPECT_EQ(script.arrived[0], alone(6, bytes)) << bytes;
    EXPECT_EQ(script.departed_at[0], bytes * kNs);
  }
}

TEST(Simulation, HeadersCostTheirBytesInEveryPacket) {
  NetworkConfig config = easy_network();
  config.nic.header = 32_B;
  const Script script(config, {{0, 0, 1, 10'240}});
  EXPECT_EQ(script.arrived[0], alone(1, 10'240 + 10 * 32));
}

TEST(Simulation, AMessageOfNothingIsOnePacketOfOneByte) {
  Script script(easy_network(), {{0, 0, 1, 0}});
  EXPECT_EQ(script.arrived[0], alone(1, 1));
  EXPECT_EQ(script.simulation().interfaces().received().packets, 1u);
}

TEST(Simulation, FractionsOfAByteTimeAddUpOverTheMessage) {
  // 154 MB/s is 6493.506… ps per byte: ten packets of 1000 bytes take ⌈10^4 · 10^12 / 154·10^6⌉, not ten
  // rounded ones.
  NetworkConfig config = easy_network();
  config.link.bandwidth = config.nic.bandwidth = BytesPerSecond{154'000'000};
  config.nic.payload = Bytes{1000};
  const Script script(config, {{0, 0, 1, 10'000}});
  EXPECT_EQ(script.arrived[0], (10 + 100 + 80 + 10) * kNs + 64'935'065);
}

TEST(Simulation, PacedPacketsLeaveAnIntervalApart) {
  NetworkConfig config = easy_network();
  config.nic.packet_interval = Picoseconds{5'000'000};
  const Script script(config, {{0, 0, 1, 10'240}});
  EXPECT_EQ(script.arrived[0], 9 * 5'000 * kNs + alone(1, 1'024));
}

TEST(Simulation, APacedPortKeepsToItsRateThoughItsChannelIsFaster) {
  NetworkConfig config = easy_network();
  config.nic.injection_rate = BytesPerSecond{250'000'000};  // 4 ns per byte
  const Script script(config, {{0, 0, 1, 10'240}});
  EXPECT_EQ(script.arrived[0], 9 * 4 * 1'024 * kNs + alone(1, 1'024));
}

TEST(Simulation, ASlowerNodeChannelSetsThePace) {
  NetworkConfig config = easy_network();
  config.link.bandwidth = 2_GBps;
  const Script in(config, {{0, 0, 1, 64'000}});
  EXPECT_EQ(in.arrived[0], alone(1, 64'000));
}

TEST(Simulation, TheDmaEngineSetsThePaceWhereItIsSlowest) {
  // The first packet is read before it leaves; the last is written when it is there.
  NetworkConfig config = easy_network();
  config.nic.dma_bandwidth = BytesPerSecond{500'000'000};  // 2 ns per byte
  config.nic.dma_startup = Picoseconds{300'000};
  const Script script(config, {{0, 0, 1, 10'240}});
  const std::uint64_t read = 300 + 2 * 10'240, last = 1024;
  EXPECT_EQ(script.arrived[0], (read + (10 + 100 + 80 + 10) + last + 2 * last) * kNs);
}

TEST(Simulation, SeveralDmaEnginesShareThePacketsOfAMessage) {
  // Two engines of 1 ns per byte each read ten packets in five turns; the last two leave one after the other.
  NetworkConfig config = easy_network();
  config.nic.bandwidth = config.link.bandwidth = 10_GBps;
  config.nic.dma_bandwidth = 1_GBps;
  config.nic.dma_engines = 2;
  const Script script(config, {{0, 0, 1, 10'240}});
  const std::uint64_t read = 5 * 1024 * kNs, wire = 1024 * 100;
  EXPECT_EQ(script.arrived[0], read + 2 * wire + (10 + 100 + 80 + 10) * kNs + 1024 * kNs);
}

TEST(Simulation, LongMessagesTakeTurnsWhereInterleaved) {
  // Two messages of ten packets each, to different nodes at the same distance: together twice as long as one,
  // in both modes.
  NetworkConfig config = easy_network();
  const std::vector<Sent> both{{0, 0, 1, 10'240}, {0, 0, 7, 10'240}};
  const Script apart(config, both);
  EXPECT_EQ(apart.arrived[0], alone(1, 10'240));
  EXPECT_EQ(apart.arrived[1], alone(1, 20'480));
  config.nic.interleave = true;
  const Script mixed(config, both);
  EXPECT_EQ(mixed.arrived[0], alone(1, 18 * 1024));  // no message waited during its first two packets
  EXPECT_EQ(mixed.arrived[1], alone(1, 20 * 1024));
}

TEST(Simulation, MessagesBetweenTwoNodesStayInOrderWhereInterleaved) {
  NetworkConfig config = easy_network();
  config.nic.interleave = true;
  const Script script(config, {{0, 0, 1, 10'240}, {0, 0, 1, 1'024}});
  EXPECT_EQ(script.arrived[0], script.arrived[1]);
  EXPECT_EQ(script.arrived[0], alone(1, 11'264));
}

TEST(Simulation, LoopbackTakesAMessageThroughThePortAndStraightBack) {
  NetworkConfig config = easy_network();
  config.nic.loopback = true;
  config.nic.dma_bandwidth = BytesPerSecond{500'000'000};  // 2 ns per byte
  Script script(config, {{0, 5, 5, 10'240}});
  EXPECT_EQ(script.arrived[0], (2 * 10'240 + 1024 + 2 * 1024) * kNs);
  EXPECT_EQ(script.departed_at[0], (2 * 10'240 + 1024) * kNs);
  EXPECT_EQ(script.simulation().fabric().packet_hops(), 0u);
}

TEST(Simulation, LoopbackSharesItsPortWithPacketsThatLeaveTheNode) {
  NetworkConfig config = easy_network();
  config.nic.loopback = config.nic.interleave = true;
  const Script script(config, {{0, 5, 6, 10'240}, {0, 5, 5, 10'240}});
  EXPECT_EQ(script.arrived[0], alone(1, 18 * 1024));
  EXPECT_EQ(script.arrived[1], 20 * 1024 * kNs);
}

TEST(Simulation, MessagesInsideANodeGoThroughItsMemoryOneAfterTheOther) {
  NetworkConfig config = easy_network();
  config.node.memory_latency = Picoseconds{400'000};
  config.node.copy_bandwidth = 10_GBps;
  Script script(config, {{0, 5, 5, 10'000}, {0, 5, 5, 20'000}});
  EXPECT_EQ(script.arrived[0], (1'000 + 400) * kNs);
  EXPECT_EQ(script.arrived[1], (1'000 + 2'000 + 400) * kNs);
  EXPECT_EQ(script.departed_at[0], 1'000 * kNs);
  EXPECT_EQ(script.simulation().fabric().packet_hops(), 0u);
}

TEST(Simulation, MessagesTakeThePortsOfANodeInTurn) {
  NetworkConfig config = easy_network();
  config.topology = {"crossbar", "24", ""};
  config.nic.ports = 4;
  // To nodes that are equal modulo four: by four ports at once, in the time of one alone.
  std::vector<Sent> sent;
  for (std::uint32_t i = 0; i < 4; ++i) sent.push_back({0, 0, 4 + 4 * i, 10'240});
  const Script apart(config, sent);
  for (const std::uint64_t time : apart.arrived) EXPECT_EQ(time, alone(0, 10'240));
  // Eight: the second of each port waits for the first.
  for (std::uint32_t i = 0; i < 4; ++i) sent.push_back({0, 0, 5 + 4 * i, 10'240});
  const Script twice(config, sent);
  for (std::size_t i = 4; i < 8; ++i) EXPECT_EQ(twice.arrived[i], alone(0, 20'480));
}

TEST(Simulation, MessagesBetweenTwoNodesStayInOrderOverSeveralPorts) {
  NetworkConfig config = easy_network();
  config.nic.ports = 4;
  std::vector<Sent> sent;
  for (std::uint32_t i = 0; i < 200; ++i) sent.push_back({0, 3, 36, i % 4 == 0 ? 5'000u : 1u});
  const Script script(config, sent);
  for (std::uint32_t i = 1; i < 200; ++i) ASSERT_GE(script.arrived[i], script.arrived[i - 1]) << i;
}

TEST(Simulation, InputsShareAnOutputEquallyHoweverManyVirtualChannelsTheyUse) {
  // A line of routers: node 0 sends by many virtual channels, node 1 by one, both over the channel from 1
  // to 2.
  for (const std::uint32_t virtual_channels : {1u, 2u, 4u, 8u}) {
    NetworkConfig config = easy_network();
    config.topology = {"mesh", "8", ""};
    config.router.virtual_channels = virtual_channels;
    constexpr std::uint32_t kEach = 60;
    std::vector<Sent> sent;
    for (std::uint32_t i = 0; i < kEach; ++i) sent.push_back({0, 1, 7, 1'024});
    for (std::uint32_t i = 0; i < kEach; ++i) sent.push_back({0, 0, 2 + i % 6, 1'024});
    const Script script(config, sent);
    // By turns: after n packets of node 1, n packets of node 0 have passed, except for later arrivals at
    // first.
    EXPECT_NEAR(static_cast<double>(script.arrived[kEach / 2]), 1e6 * 1.024 * kEach, 3e6 * 1.024)
        << virtual_channels;
  }
}

TEST(Simulation, AllToOneIsBoundByTheLastChannel) {
  std::vector<Sent> sent;
  for (std::uint32_t node = 1; node < 64; ++node) sent.push_back({0, node, 0, 32'768});
  Script script(easy_network(), sent);
  std::uint64_t last = 0;
  for (const std::uint64_t time : script.arrived) last = std::max(last, time);
  const std::uint64_t bytes = 63 * 32'768;
  // Never idle after the first arrival: from a neighbour, over two routers of 80 ns and three cables.
  EXPECT_EQ(last, (bytes + 2 * 80 + 10 + 20 + 10) * kNs);
}

TEST(Simulation, EveryPacketLeavesAndNothingStays) {
  std::vector<Sent> sent;
  for (std::uint32_t i = 0; i < 2'000; ++i)
    sent.push_back({i * 7 * kNs, i % 64, i * 31 % 64, i * 13 % 9'000});
  for (const Arbitration arbitration : {Arbitration::RoundRobin, Arbitration::Age})
    for (const auto& [virtual_channels, speedup] :
         {std::pair(2u, 1u), std::pair(4u, 1u), std::pair(4u, 2u), std::pair(6u, 4u), std::pair(16u, 16u)}) {
      NetworkConfig config = easy_network();
      config.router.arbitration = arbitration;
      config.router.virtual_channels = virtual_channels;
      config.router.input_speedup = speedup;
      Script script(config, sent);
      for (const std::uint64_t time : script.arrived) EXPECT_GT(time, 0u);
      EXPECT_EQ(script.simulation().interfaces().pool().in_flight(), 0u);
      EXPECT_EQ(script.simulation().fabric().in_flight(), 0u);
      EXPECT_EQ(script.simulation().interfaces().backlog(), 0u);
    }
}

TEST(Simulation, AnAnswerTakesTurnsWithTheDataOfARendezvous) {
  // A long message is in flight when the replies are handed over: each waits for one packet of 1 KiB.
  const std::uint64_t at = 5'500 * kNs, next = 6 * 1'024 * kNs;
  const Script script(easy_network(), {{0, 0, 1, 100'000}, {at, 0, 9, 8, false}, {at, 0, 18, 8, false}});
  EXPECT_EQ(script.arrived[1], next + alone(2, 8));
  EXPECT_EQ(script.arrived[2], next + (8 + 1'024) * kNs + alone(4, 8));
  EXPECT_EQ(script.arrived[0], alone(1, 100'000 + 2 * 8));
}

TEST(Simulation, MessagesBetweenTwoNodesArriveInOrder) {
  std::vector<Sent> sent;
  for (std::uint32_t i = 0; i < 300; ++i) sent.push_back({0, i % 2 ? 9u : 3u, 36, 1 + i * 37 % 3'000});
  const Script script(easy_network(), sent);
  for (std::uint32_t i = 2; i < 300; ++i) EXPECT_GT(script.arrived[i], script.arrived[i - 2]);
}

TEST(Simulation, MessagesArriveInOrderThoughTheirPacketsOvertake) {
  // Large and small messages in turn, over many routes.
  for (const char* routing : {"adaptive", "valiant"}) {
    NetworkConfig config = easy_network();
    config.topology.routing = routing;
    config.router.virtual_channels = 4;
    std::vector<Sent> sent;
    for (std::uint32_t i = 0; i < 300; ++i) sent.push_back({0, i % 2 ? 9u : 3u, 36, i % 3 ? 1u : 5'000u});
    const Script script(config, sent);
    for (std::uint32_t i = 2; i < 300; ++i)
      ASSERT_GE(script.arrived[i], script.arrived[i - 2]) << routing << i;
  }
}

TEST(Simulation, RandomRoutesDependOnTheSeed) {
  NetworkConfig config = easy_network();
  config.topology.routing = "valiant";
  config.router.virtual_channels = 4;
  std::vector<Sent> sent;
  for (std::uint32_t i = 0; i < 20; ++i) sent.push_back({i * 1'000'000, i, 63 - i, 100});
  const Script one(config, sent, 1), again(config, sent, 1), other(config, sent, 2);
  EXPECT_EQ(one.arrived, again.arrived);
  EXPECT_NE(one.arrived, other.arrived);
}

CableConfig& class_of(NetworkConfig& config, CableClass cable) {
  return config.link.classes[static_cast<std::size_t>(cable)];
}

TEST(Simulation, ACableBetweenCabinetsHasADelayOfItsOwn) {
  NetworkConfig config = easy_network();
  config.topology.cabinet = "4x8";
  class_of(config, CableClass::Global).delay = Picoseconds{520'000};  // 500 ns more than inside
  const std::vector<Sent> sent{{0, 3, 4, 100},                        // out of a cabinet
                               {1'000'000'000, 7, 0, 100},    // by the cable back to the start of the ring
                               {2'000'000'000, 0, 3, 100},    // inside
                               {3'000'000'000, 1, 57, 100}};  // inside: one cabinet takes the whole ring
  const Script script(config, sent);
  EXPECT_EQ(script.arrived[0], alone(1, 100) + 500 * kNs);
  EXPECT_EQ(script.arrived[1] - sent[1].time, alone(1, 100) + 500 * kNs);
  EXPECT_EQ(script.arrived[2] - sent[2].time, alone(3, 100));
  EXPECT_EQ(script.arrived[3] - sent[3].time, alone(1, 100));
}

TEST(Simulation, AGlobalCableOfADragonflyHasADelayAndABandwidthOfItsOwn) {
  // Groups of two routers with a node each, one global cable a router: 1 -> 2 lead from group to group.
  NetworkConfig config = easy_network();
  config.topology = {"dragonfly", "2x1x1x3:consecutive", "minimal"};
  class_of(config, CableClass::Global) = {BytesPerSecond{250'000'000}, Picoseconds{120'000}};
  const std::vector<Sent> sent{{0, 0, 1, 5'000}, {1'000'000'000, 1, 4, 5'000}, {2'000'000'000, 0, 4, 1'000}};
  const Script script(config, sent);
  EXPECT_EQ(script.arrived[0], alone(1, 5'000));
  EXPECT_EQ(script.arrived[1] - sent[1].time, alone(1, 4 * 5'000) + 100 * kNs);
  // The tail comes off the global cable at its pace.
  EXPECT_EQ(script.arrived[2] - sent[2].time, alone(2, 4 * 1'000) + 100 * kNs);
}

TEST(Simulation, LevelsOfAFatTreeHaveDelaysOfTheirOwn) {
  NetworkConfig config = easy_network();
  config.topology = {"fat-tree", "2x2x2x2", "d-mod-k"};
  class_of(config, CableClass::Level2).delay = Picoseconds{50'000};
  class_of(config, CableClass::Level3).delay = Picoseconds{90'000};
  const std::vector<Sent> sent{{0, 0, 2, 100}, {1'000'000'000, 0, 4, 100}, {2'000'000'000, 0, 15, 100}};
  const Script script(config, sent);
  EXPECT_EQ(script.arrived[0], alone(2, 100));
  EXPECT_EQ(script.arrived[1] - sent[1].time, alone(4, 100) + 2 * 30 * kNs);
  EXPECT_EQ(script.arrived[2] - sent[2].time, alone(6, 100) + 2 * (30 + 70) * kNs);
}

TEST(Simulation, TheWindowIsTheShortestOfAllCables) {
  NetworkConfig config = easy_network();
  class_of(config, CableClass::Global).delay = Picoseconds{7'000};
  EXPECT_EQ(Fabric::lookahead(config), (80 + 7) * kNs);
}

TEST(Simulation, TheWindowIsTheShorterOfHeadAndCredit) {
  NetworkConfig config = easy_network();
  EXPECT_EQ(Fabric::lookahead(config), 100 * kNs);
  config.router.credit_delay = Picoseconds{30'000};
  EXPECT_EQ(Fabric::lookahead(config), 30 * kNs);
}

}  // namespace
}  // namespace psim::net
