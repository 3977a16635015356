// SPDX-License-Identifier: Apache-2.0
#include "netsim/sleep/link_sleep.h"
#include "base/sanitized.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "netsim/testing/counts.h"
#include "netsim/testing/script.h"
#include "netsim/testing/thread_processes.h"

namespace psim::net {
namespace {

using testing::Script;
using testing::Sent;

constexpr std::uint64_t kNanosecond = 1000, kMicrosecond = 1'000'000;
constexpr std::uint64_t kSleep = 50 * kMicrosecond, kWake = 7 * kMicrosecond;

/// Two nodes at one switch; 1 GB/s is 1 ns per byte.
NetworkConfig sleeping_pair(SleepPolicy policy) {
  NetworkConfig config;
  config.topology.kind = "crossbar";
  config.topology.shape = "2";
  config.link.bandwidth = config.nic.bandwidth = 1_GBps;
  config.nic.payload = 4_KiB;
  config.link.sleep = {policy, Picoseconds{kSleep}, Picoseconds{kWake}, {}};
  return config;
}
/// The line of `nodes` that a message crosses from end to end.
NetworkConfig line(SleepPolicy policy, const char* nodes) {
  NetworkConfig config = sleeping_pair(policy);
  config.topology.kind = "mesh";
  config.topology.shape = nodes;
  return config;
}

std::uint64_t took_alone(NetworkConfig config, std::uint32_t to, std::uint64_t bytes) {
  config.link.sleep.policy = SleepPolicy::Off;
  return Script(config, {{0, 0, to, bytes}}).took(0);
}
const LinkSleep::Direction& from_node(Script& script, std::uint32_t node) {
  const LinkSleep& sleep = *script.simulation().sleep();
  return sleep.directions()[sleep.of_node(node, 0)];
}
const LinkSleep::Direction& to_node(Script& script, std::uint32_t node) {
  const LinkSleep& sleep = *script.simulation().sleep();
  const Graph& graph = script.simulation().graph();
  return sleep.directions()[sleep.of_router(graph.node_router[node], graph.node_port[node])];
}

TEST(LinkSleep, AMessageWaitsForEveryLinkThatHasBeenIdleForTs) {
  // The first at 0 finds links that have been on for no time. Links are idle from the end of its passing on;
  // the second is sent so that at the first link exactly that time, or 1 ps less, has gone by.
  for (const auto& [nodes, links] : {std::pair("2", 3u), {"4", 5u}, {"6", 7u}}) {
    const NetworkConfig config = line(SleepPolicy::Fixed, nodes);
    const std::uint32_t last = links - 2;
    const std::uint64_t bytes = 1'000, alone = took_alone(config, last, bytes), passed = bytes * kNanosecond;
    Script early(config, {{0, 0, last, bytes}, {passed + kSleep - 1, 0, last, bytes}});
    EXPECT_EQ(early.took(0), alone);
    EXPECT_EQ(early.took(1), alone) << "one step before";
    Script on_time(config, {{0, 0, last, bytes}, {passed + kSleep, 0, last, bytes}});
    EXPECT_EQ(on_time.took(1), alone + links * kWake) << "on time";
  }
}

TEST(LinkSleep, WithoutASleepTimePacketsThatFollowEachOtherStillPass) {
  NetworkConfig config = line(SleepPolicy::Fixed, "4");
  config.link.sleep.after = Picoseconds{0};
  Script script(config, {{0, 0, 3, 40'960}});
  // Only links that have been idle since 0, all but the first, wake, once.
  EXPECT_EQ(script.took(0), took_alone(config, 3, 40'960) + 4 * kWake);
}

TEST(LinkSleep, EveryChunkWaitsIfThereIsNoSleepTime) {
  // Of 40 chunks of 1 KiB the first finds the first link awake, and the four other links asleep.
  NetworkConfig config = line(SleepPolicy::Fixed, "4");
  config.link.sleep.after = Picoseconds{0};
  config.link.sleep.chunk = 1_KiB;
  const std::uint64_t alone = took_alone(config, 3, 40'960);
  Script script(config, {{0, 0, 3, 40'960}});
  EXPECT_EQ(script.took(0), alone + (39 + 4) * kWake);
  EXPECT_EQ(from_node(script, 0).wakes, 39u);
  EXPECT_EQ(to_node(script, 3).wakes, 40u);
  config.link.sleep.after = Picoseconds{1};
  Script awake(config, {{0, 0, 3, 40'960}});
  EXPECT_EQ(awake.took(0), alone + 4 * kWake) << "with a sleep time chunks follow each other";
}

TEST(LinkSleep, APacketOfChunksPassesAsPacketsOfThatSize) {
  // Two flows share the link to node 4; buffers hold all packets, so that their number makes no difference.
  NetworkConfig config = line(SleepPolicy::Fixed, "5");
  config.link.sleep.after = Picoseconds{0};
  config.link.sleep.chunk = 512_B;
  config.router.buffer = 64_KiB;
  const std::vector<Sent> sent{{0, 0, 4, 10'000}, {900 * kMicrosecond, 0, 4, 8'192}, {0, 3, 4, 100}};
  Script chunks(config, sent);
  config.nic.payload = 512_B;
  Script packets(config, sent);
  for (std::size_t i = 0; i < sent.size(); ++i) EXPECT_EQ(chunks.took(i), packets.took(i)) << i;
  EXPECT_EQ(to_node(chunks, 4).wakes, to_node(packets, 4).wakes);
}

TEST(LinkSleep, AChunkThatWaitsForItsLinkWaitsOnce) {
  NetworkConfig config = sleeping_pair(SleepPolicy::Fixed);
  config.link.sleep.after = Picoseconds{0};
  config.link.sleep.chunk = 4_KiB;
  const std::uint64_t later = 100 * kMicrosecond;
  Script script(config, {{later, 0, 1, 1'000}});
  EXPECT_EQ(script.took(0), took_alone(config, 1, 1'000) + 2 * kWake);
}

TEST(LinkSleep, APacketThatWaitsKeepsItsLinkAwake) {
  // Node 1's packet requests the link to node 2 while node 0's long message is on it: no sleep in between.
  NetworkConfig config = line(SleepPolicy::Fixed, "3");
  config.link.sleep.after = Picoseconds{10};
  config.nic.payload = 16_KiB;
  config.router.buffer = 64_KiB;
  Script script(config,
                {{0, 0, 2, 16'384}, {100 * kMicrosecond, 1, 2, 16'384}, {100 * kMicrosecond, 0, 2, 16'384}});
  EXPECT_EQ(to_node(script, 2).wakes, 2u);
}

TEST(LinkSleep, WakingDirectionsAreNotIdle) {
  NetworkConfig config = sleeping_pair(SleepPolicy::Fixed);
  config.link.sleep.after = Picoseconds{1};
  Script script(config, {{kMicrosecond, 0, 1, 100}, {2 * kMicrosecond, 0, 1, 100}});
  EXPECT_EQ(from_node(script, 0).wakes, 1u);
  EXPECT_EQ(script.arrived[1] - script.arrived[0], 100 * kNanosecond) << "both wait for the same waking";
}

/// One direction of a ping-pong whose messages leave each side every `interval`, `trips` times and once more.
LinkSleep::Direction ping_pong(SleepPolicy policy, std::uint64_t interval, std::uint32_t trips) {
  std::vector<Sent> sent;
  for (std::uint32_t i = 0; i <= trips; ++i) {
    sent.push_back({i * interval, 0, 1, 1'000});
    if (i < trips) sent.push_back({i * interval + interval / 2, 1, 0, 1'000});
  }
  Script script(sleeping_pair(policy), sent);
  return from_node(script, 0);
}

TEST(LinkSleep, PingPongIsActiveByTheFormula) {
  // Active share min(1, D rho), rho = T_f / I, D = (T_w + T_s + T_f) / T_f (docs/sleeping-links.md): T_w +
  // T_s + T_f of every interval I. Just below I = T_w + T_s + T_f every second interval has a rest of I - T_f
  // - T_s.
  constexpr std::uint32_t kTrips = 6;
  constexpr std::uint64_t kPass = 1'000 * kNanosecond;
  std::uint32_t regimes[3]{};
  for (std::uint64_t interval = 10 * kMicrosecond; interval < 100 * kMicrosecond; interval += 1'234'567) {
    const LinkSleep::Direction direction = ping_pong(SleepPolicy::Fixed, interval, kTrips);
    if (interval < kPass + kSleep) {
      ++regimes[0];
      EXPECT_EQ(direction.low, 0u) << interval;
    } else if (interval < kPass + kSleep + kWake) {
      ++regimes[1];
      EXPECT_EQ(direction.low, kTrips / 2 * (interval - kPass - kSleep)) << interval;
    } else {
      ++regimes[2];  // the first message alone finds the link active, so its interval has no T_w
      EXPECT_EQ(direction.low, kTrips * (interval - (kWake + kSleep + kPass)) + kWake) << interval;
      EXPECT_EQ(direction.wakes, kTrips) << interval;
    }
  }
  EXPECT_EQ(regimes[0], 34u);
  EXPECT_EQ(regimes[1], 5u);
  EXPECT_EQ(regimes[2], 34u);
}

TEST(LinkSleep, NeverAndOffAreAlwaysActive) {
  for (const std::uint64_t interval : {100 * kMicrosecond, 1'000 * kMicrosecond}) {
    EXPECT_EQ(ping_pong(SleepPolicy::Never, interval, 3).low, 0u);
    EXPECT_EQ(ping_pong(SleepPolicy::Never, interval, 3).wakes, 0u);
  }
  Script off(sleeping_pair(SleepPolicy::Off), {{kMicrosecond, 0, 1, 1}});
  EXPECT_EQ(off.simulation().sleep(), nullptr);
}

TEST(LinkSleep, PacketsKnownAheadCostNoTimeAndTheSamePower) {
  NetworkConfig config = line(SleepPolicy::Known, "4");
  const std::vector<Sent> sent{{0, 0, 3, 1'000}, {1'000 * kNanosecond + kSleep + kWake + 5, 0, 3, 1'000}};
  Script script(config, sent);
  EXPECT_EQ(script.took(1), took_alone(config, 3, 1'000));
  EXPECT_EQ(from_node(script, 0).low, 5u);
  EXPECT_EQ(from_node(script, 0).wakes, 1u);
  Script sooner(config, {sent[0], {sent[1].time - 6, 0, 3, 1'000}});
  EXPECT_EQ(from_node(sooner, 0).low, 0u);
  EXPECT_EQ(from_node(sooner, 0).wakes, 0u);
}

TEST(LinkSleep, APortSleepsOnlyWithBothItsDirections) {
  // Node 1 answers 40 us after each message: neither direction of its port is idle for 50 us, though each
  // alone is.
  std::vector<Sent> sent;
  for (std::uint64_t i = 0; i < 4; ++i) {
    sent.push_back({i * 80 * kMicrosecond, 0, 1, 1'000});
    sent.push_back({i * 80 * kMicrosecond + 40 * kMicrosecond, 1, 0, 1'000});
  }
  Script port(sleeping_pair(SleepPolicy::Port), sent), fixed(sleeping_pair(SleepPolicy::Fixed), sent);
  EXPECT_EQ(from_node(port, 1).wakes, 0u);
  EXPECT_EQ(from_node(fixed, 1).wakes, 3u);
  EXPECT_EQ(port.took(2), took_alone(sleeping_pair(SleepPolicy::Off), 1, 1'000));
}

TEST(LinkSleep, APacketWakesTheOtherDirectionOfItsPort) {
  // The answer leaves when its port, woken by the message, is awake for long.
  const std::uint64_t later = 1'000 * kMicrosecond;
  Script port(sleeping_pair(SleepPolicy::Port),
              {{later, 0, 1, 1'000}, {later + 30 * kMicrosecond, 1, 0, 1'000}});
  EXPECT_EQ(port.took(1), took_alone(sleeping_pair(SleepPolicy::Off), 1, 1'000));
}

TEST(LinkSleep, ClassesOfCablesHaveTimesOfTheirOwn) {
  NetworkConfig config = line(SleepPolicy::Fixed, "4");
  config.link.sleep.after_by_class[kCableClasses] = Picoseconds{1'000'000'000'000};  // links of nodes
  const std::uint64_t later = 500 * kMicrosecond;
  Script script(config, {{later, 0, 3, 1'000}});
  EXPECT_EQ(script.took(0), took_alone(config, 3, 1'000) + 3 * kWake);
}

TEST(LinkSleep, RestsThatLastToTheEndCount) {
  Script script(sleeping_pair(SleepPolicy::Fixed), {{0, 0, 1, 1'000}, {900 * kMicrosecond, 0, 1, 1'000}});
  script.simulation().gather();
  const std::uint64_t end = script.simulation().last();
  EXPECT_EQ(from_node(script, 1).low, end - kSleep) << "never used";
  EXPECT_EQ(from_node(script, 0).low, 900 * kMicrosecond - 1'000 * kNanosecond - kSleep);
  std::uint64_t sum = 0, all = 0;
  const LinkSleep& sleep = *script.simulation().sleep();
  for (const std::uint64_t low : sleep.low().sums()) sum += low;
  for (const LinkSleep::Direction& direction : sleep.directions()) all += direction.low;
  EXPECT_EQ(sum, all);
}

std::string run_on(SleepPolicy policy, const char* kind, const char* shape, const char* routing,
                   std::uint32_t processes, std::uint64_t chunk = 0) {
  BusyNetwork busy(kind, shape, routing);
  busy.traffic.load = 0.2;
  busy.config.link.sleep = {policy, Picoseconds{chunk == 0 ? 300'000 : 0}, Picoseconds{200'000}, {}, {chunk}};
  const Network network = make_topology(busy.config, 0);
  std::string text;
  on_threads(processes, [&](HostProcesses& all) {
    SyntheticTraffic source = busy.source(network.graph.nodes());
    Simulation simulation(busy.config, network.graph, *network.routing, source, 7, &all);
    source.run(
        simulation, [] { return false; }, &all);
    if (all.first()) text = counts(simulation);
  });
  return text;
}

TEST(LinkSleep, EveryCountIsTheSameOnOneToFourHostProcesses) {
  for (const SleepPolicy policy : {SleepPolicy::Fixed, SleepPolicy::Known, SleepPolicy::Port})
    for (const auto& [kind, shape, routing] :
         {std::tuple("torus", "4x4", "dimension-order"), std::tuple("torus", "4x3", "adaptive")}) {
      const std::string one = run_on(policy, kind, shape, routing, 1);
      for (std::uint32_t processes = kSanitized ? 3 : 2; processes <= (kSanitized ? 3 : 4); ++processes)
        EXPECT_EQ(run_on(policy, kind, shape, routing, processes), one)
            << kind << " " << routing << " " << processes;
    }
  const std::string chunks = run_on(SleepPolicy::Fixed, "torus", "4x4", "dimension-order", 1, 100);
  EXPECT_NE(chunks, run_on(SleepPolicy::Fixed, "torus", "4x4", "dimension-order", 1));
  EXPECT_EQ(chunks, run_on(SleepPolicy::Fixed, "torus", "4x4", "dimension-order", 3, 100));
}

}  // namespace
}  // namespace psim::net
