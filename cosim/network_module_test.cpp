// SPDX-License-Identifier: Apache-2.0
#include "cosim/network_module.h"

#include <gtest/gtest.h>

#include <vector>

#include "netsim/testing/counts.h"
#include "netsim/topology/topology.h"
#include "netsim/traffic/synthetic.h"
#include "pipeline/testing/systemc_test.h"

namespace psim::cosim {
namespace {

using pipeline::testing::SystemCTest;

class NetworkModuleTest : public SystemCTest {};

net::NetworkConfig torus() {
  net::NetworkConfig config;
  config.topology.shape = "4x4";
  return config;
}

net::TrafficConfig some_traffic() {
  net::TrafficConfig traffic;
  traffic.load = 0.6;
  traffic.warm_up = Picoseconds{1'000'000};
  traffic.measured = Picoseconds{5'000'000};
  return traffic;
}

TEST_F(NetworkModuleTest, TheSameTrafficGivesTheSameCountsHostedAndBare) {
  const net::NetworkConfig config = torus();
  const net::Network network = net::make_topology(config, 16);
  const net::Destinations uniform(net::Pattern::Uniform, 16, {4, 4});
  net::SyntheticTraffic bare_source(some_traffic(), config, uniform, 16);
  net::Simulation bare(config, network.graph, *network.routing, bare_source);
  bare_source.run(bare, [] { return false; });

  net::SyntheticTraffic source(some_traffic(), config, uniform, 16);
  net::Simulation hosted(config, network.graph, *network.routing, source);
  source.start(hosted, [] { return false; });
  NetworkModule module("network", hosted);
  sc_core::sc_start();
  source.finish();
  EXPECT_TRUE(module.done());
  EXPECT_EQ(net::counts(hosted), net::counts(bare));
  EXPECT_GT(hosted.fabric().packet_hops(), 100u);
}

/// Sends a message when another module requests it, and notifies that module when the message has arrived.
class Bridge final : public net::Load {
 public:
  void delivered(net::Message&) override {
    arrived_at = simulation->engine().now();
    arrived.notify(NetworkModule::until(arrived_at));
  }
  void departed(net::Message&) override {}
  void resume(std::uint32_t) override {}
  void timer(std::uint64_t, std::uint32_t) override {
    net::MessagePool& pool = simulation->interfaces().pool();
    const std::uint32_t number = pool.take();
    pool[number].node = 15;
    pool[number].wire_bytes = 5'000;
    simulation->interfaces().send(0, number);
  }

  net::Simulation* simulation = nullptr;
  sc_core::sc_event arrived;
  std::uint64_t arrived_at = 0;
};

/// A processor that sends, waits for the arrival, and sends again.
class Sender : public sc_core::sc_module {
 public:
  Sender(sc_core::sc_module_name name, Bridge& bridge, NetworkModule& network)
      : sc_core::sc_module(name), bridge_(bridge), network_(network) {
    SC_HAS_PROCESS(Sender);
    SC_THREAD(run);
  }
  std::vector<double> waited_ps;

 private:
  void run() {
    for (int i = 0; i < 3; ++i) {
      wait(sc_core::sc_time(1'234'567, sc_core::SC_PS));
      const double now = sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_PS);
      net::Engine& engine = bridge_.simulation->engine();
      engine.set_router(0);
      bridge_.simulation->timer(static_cast<std::uint64_t>(now) + engine.lookahead(), 0, 0);
      network_.scheduled();
      wait(bridge_.arrived);
      const double then = sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_PS);
      EXPECT_EQ(then, static_cast<double>(bridge_.arrived_at));
      waited_ps.push_back(then - now);
    }
  }
  Bridge& bridge_;
  NetworkModule& network_;
};

TEST_F(NetworkModuleTest, AnotherModuleSendsAndIsWokenAtTheExactTime) {
  const net::NetworkConfig config = torus();
  const net::Network network = net::make_topology(config, 16);
  Bridge bridge;
  net::Simulation simulation(config, network.graph, *network.routing, bridge);
  bridge.simulation = &simulation;
  NetworkModule module("network", simulation);
  Sender sender("sender", bridge, module);
  sc_core::sc_start();
  ASSERT_EQ(sender.waited_ps.size(), 3u);
  // Three routers of 95 ns, four cables of 5 ns and 5,000 bytes at 5 GB/s. An idle network takes the same
  // time for each.
  EXPECT_EQ(sender.waited_ps[0],
            static_cast<double>(simulation.engine().lookahead() + 3 * 95'000 + 4 * 5'000 + 1'000'000));
  EXPECT_EQ(sender.waited_ps[1], sender.waited_ps[0]);
  EXPECT_EQ(sender.waited_ps[2], sender.waited_ps[0]);
}

}  // namespace
}  // namespace psim::cosim
