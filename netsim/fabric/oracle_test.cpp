// SPDX-License-Identifier: Apache-2.0
// Compares runs with their shortcuts (credits taken early, grants without arbitration) with the same runs
// event by event, on drawn topologies, traffic and features.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/random.h"
#include "base/sanitized.h"
#include "netsim/testing/counts.h"
#include "netsim/testing/thread_processes.h"
#include "netsim/topology/topology.h"

namespace psim::net {
namespace {

struct Drawn {
  NetworkConfig config;
  TrafficConfig traffic;
  std::string text;
};

Drawn draw(std::uint64_t seed) {
  struct Kind {
    const char *kind, *shape, *routing;
  };
  constexpr std::array kKinds{
      Kind{"torus", "4x4x2", "dimension-order"},
      Kind{"torus", "5x3", "dimension-order"},
      Kind{"mesh", "6x4", "dimension-order"},
      Kind{"torus", "8x2", "dimension-order"},
      Kind{"torus", "4x4", "adaptive"},
      Kind{"torus", "4x4", "bubble"},
      Kind{"torus", "4x3", "valiant"},
      Kind{"fat-tree", "4x4:1x2", "random"},
      Kind{"dragonfly", "4x2x2x9", "minimal"},
      Kind{"crossbar", "8", "direct"},
      Kind{"dragonfly", "4x2x2x9", "par"},
      Kind{"dragonfly+", "3x2x2x2x4", "par"},
      Kind{"hyperx", "4x3:2", "dal"},
      Kind{"hyperx", "4x3:2", "dimension-order"},
      Kind{"slim-fly", "4:2", "ugal"},
      Kind{"express-mesh", "7x5:2", "dimension-order"},
  };
  std::uint64_t number = 0;
  const auto any = [&](std::uint64_t below) { return random_bits(seed, 0, number++) % below; };
  Drawn drawn;
  const Kind& kind = kKinds[any(kKinds.size())];
  NetworkConfig& config = drawn.config;
  config.topology.kind = kind.kind;
  config.topology.shape = kind.shape;
  config.topology.routing = kind.routing;
  config.router.virtual_channels = std::array<std::uint32_t, 3>{2, 4, 6}[any(3)];
  if (config.topology.routing != "dimension-order")
    config.router.virtual_channels = std::max(4u, config.router.virtual_channels);
  config.router.input_speedup = 1 + static_cast<std::uint32_t>(any(2));
  config.router.arbitration = any(3) == 0 ? Arbitration::Age : Arbitration::RoundRobin;
  config.router.buffer = Bytes{(2 + any(8)) * 2'112};
  if (any(3) == 0) config.nic.bandwidth = 3_GBps;
  constexpr std::array kPolicies{SleepPolicy::Off, SleepPolicy::Off, SleepPolicy::Fixed, SleepPolicy::Port};
  config.link.sleep.policy = kPolicies[any(kPolicies.size())];
  config.link.sleep.after = Picoseconds{500'000};
  config.link.sleep.wake = Picoseconds{300'000};
  drawn.traffic.load = 0.1 + 0.3 * static_cast<double>(any(4));
  drawn.traffic.message = Bytes{std::array<std::uint64_t, 4>{8, 700, 2'048, 9'000}[any(4)]};
  drawn.traffic.warm_up = Picoseconds{1'000'000};
  drawn.traffic.measured = Picoseconds{10'000'000};
  drawn.traffic.longest_drain = Picoseconds{10'000'000};
  drawn.traffic.seed = seed;
  drawn.text =
      std::string(kind.kind) + " " + kind.shape + " " + kind.routing + ", seed " + std::to_string(seed);
  return drawn;
}

std::string run(const Drawn& drawn, bool each_event, HostProcesses* processes = nullptr) {
  const Network network = make_topology(drawn.config, 0);
  const std::uint32_t nodes = network.graph.nodes();
  SyntheticTraffic source(drawn.traffic, drawn.config, Destinations(Pattern::Uniform, nodes, {nodes}), nodes);
  Simulation simulation(drawn.config, network.graph, *network.routing, source, 7, processes);
  if (each_event) simulation.serve_each_event();
  source.run(
      simulation, [] { return false; }, processes);
  simulation.gather();
  const FabricStats& stats = simulation.fabric().stats();
  std::string text = counts(simulation);
  for (const statistics::Counter* counter :
       {&stats.packet_hops, &stats.waits, &stats.wait_ps, &stats.credit_stalls, &stats.stall_ps})
    text += std::to_string(counter->count()) + " ";
  return text;
}

TEST(Fabric, ShortcutsGiveTheSameRunAsOneEventAfterTheOther) {
  for (std::uint64_t seed = kSanitized ? 27 : 1; seed <= 30; ++seed) {
    const Drawn drawn = draw(seed);
    SCOPED_TRACE(drawn.text);
    const std::string expected = run(drawn, true);
    EXPECT_EQ(run(drawn, false), expected);
    if (seed % 10 != 0 || make_topology(drawn.config, 0).graph.routers() < 3) continue;
    on_threads(3, [&](HostProcesses& processes) {
      const std::string got = run(drawn, false, &processes);
      if (processes.first()) {
        EXPECT_EQ(got, expected);
      }
    });
  }
}

}  // namespace
}  // namespace psim::net
