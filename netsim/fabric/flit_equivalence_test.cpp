// SPDX-License-Identifier: Apache-2.0
// Compares the packet engine with the flit-level reference: every head at every input and every tail at every
// node, to the picosecond, below and beyond saturation.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "netsim/simulation_service.h"
#include "netsim/testing/flit_network.h"
#include "netsim/topology/topology.h"

namespace psim::net {
namespace {

using testing::FlitNetwork;
using testing::FlitPacket;
using testing::FlitSight;
using testing::FlitTiming;

constexpr std::uint64_t kSmallFlitBytes = 64, kFlitCycle = 12'800;  // of 64 bytes at 5 GB/s

struct Case {
  std::string kind, shape;
  std::uint32_t vcs;
  std::uint32_t buffer_flits;
  std::uint32_t longest;  // packet, flits
  double load;            // flits a node makes in a cycle
  std::uint32_t packets;  // of each node
  std::uint64_t seed;
};

NetworkConfig config_of(const Case& test, const FlitTiming& timing) {
  const auto cycles = [](std::uint64_t n) { return Picoseconds{static_cast<std::int64_t>(n * kFlitCycle)}; };
  NetworkConfig config;
  config.topology.kind = test.kind;
  config.topology.shape = test.shape;
  config.router.virtual_channels = test.vcs;
  config.router.buffer = Bytes{test.buffer_flits * kSmallFlitBytes};
  config.router.routing = cycles(timing.routing);
  config.router.vc_allocation = cycles(timing.to_output);
  config.router.switch_allocation = config.router.traversal = cycles(0);
  config.router.credit_delay = cycles(timing.credit);
  config.link.delay = cycles(timing.cable);
  config.nic.delay = cycles(timing.node_cable);
  config.nic.payload = Bytes{test.longest * kSmallFlitBytes};
  return config;
}

std::vector<FlitPacket> packets_of(const Case& test, std::uint32_t nodes) {
  std::vector<FlitPacket> packets;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    std::uint64_t time = 0;
    for (std::uint32_t i = 0; i < test.packets; ++i) {
      const std::uint64_t bits = random_bits(test.seed, node, i);
      FlitPacket packet;
      packet.source = node;
      packet.destination = (node + 1 + static_cast<std::uint32_t>(bits % (nodes - 1))) % nodes;
      packet.flits = 1 + static_cast<std::uint32_t>((bits >> 20) % test.longest);
      time += (bits >> 32) % static_cast<std::uint64_t>((test.longest + 1) / test.load + 1);
      packet.made = time;
      packets.push_back(packet);
    }
  }
  return packets;
}

/// The packet engine, observed from outside.
class Watched final : public Load {
 public:
  Watched(const NetworkConfig& config, const Network& network, const std::vector<FlitPacket>& packets)
      : packets_(packets), simulation_(config, network.graph, *network.routing, *this) {
    for (std::uint32_t i = 0; i < packets.size(); ++i) {
      simulation_.engine().set_router(network.graph.node_router[packets[i].source]);
      simulation_.timer(packets[i].made * kFlitCycle, i, 0);
    }
  }
  std::vector<FlitSight> run() {
    simulation_.as_world([&](auto world) {
      Noting<decltype(world)> noting(world, *this);
      simulation_.engine().run(noting, [](std::uint64_t) { return true; });
      return true;
    });
    std::sort(sights_.begin(), sights_.end());
    return sights_;
  }

  void timer(std::uint64_t token, std::uint32_t) override {
    const std::uint32_t number = simulation_.interfaces().pool().take();
    Message& message = simulation_.interfaces().pool()[number];
    message.node = packets_[token].destination;
    message.wire_bytes = packets_[token].flits * kSmallFlitBytes;
    message.envelope = {};
    message.envelope.sender = static_cast<std::uint32_t>(token);
    simulation_.interfaces().send(packets_[token].source, number);
  }
  void delivered(Message&) override {}
  void departed(Message&) override {}
  void resume(std::uint32_t) override {}

 private:
  /// The engine's World, with a record of events.
  template <class World>
  struct Noting : World {
    Watched& watched;

    Noting(const World& world, Watched& by) : World(world), watched(by) {}
    void fabric(const Event& event) {
      if (event.kind == EventKind::Arrival) watched.note(event, false);
      World::fabric(event);
    }
    void fabric_alone(const Event& event) {
      if (event.kind == EventKind::Arrival) watched.note(event, false);
      World::fabric_alone(event);
    }
    void deliver(const Event& event) {
      if (event.kind == EventKind::Ejected) watched.note(event, true);
      World::deliver(event);
    }
  };

  void note(const Event& event, bool tail) {
    EXPECT_EQ(event.time % kFlitCycle, 0u);
    const std::uint32_t packet =
        simulation_.interfaces().pool()[simulation_.fabric().packet(event).message].envelope.sender;
    sights_.push_back({event.time / kFlitCycle, event.router, event.port, packet, tail});
  }

  const std::vector<FlitPacket>& packets_;
  Simulation simulation_;
  std::vector<FlitSight> sights_;
};

void expect_equal(const Case& test) {
  SCOPED_TRACE(test.kind + " " + test.shape + ", load " + std::to_string(test.load) + ", seed " +
               std::to_string(test.seed));
  const FlitTiming timing;
  const NetworkConfig config = config_of(test, timing);
  const Network network = make_topology(config, 0);
  const std::vector<FlitPacket> packets = packets_of(test, network.graph.nodes());
  FlitNetwork reference(network.graph, *network.routing, test.vcs, test.buffer_flits, timing);
  const std::vector<FlitSight> expected = reference.run(packets, 1'000'000);
  Watched engine(config, network, packets);
  const std::vector<FlitSight> got = engine.run();
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto text = [](const FlitSight& s) {
      return ::testing::PrintToString(std::tuple(s.cycle, s.router, s.port, s.packet, s.tail));
    };
    ASSERT_EQ(text(got[i]), text(expected[i])) << "(cycle, router, port, packet, tail) number " << i;
  }
}

TEST(FlitEquivalence, APacketAloneTakesTheSameTimeAtEveryHop) {
  expect_equal({"torus", "4x4", 2, 8, 4, 0.001, 3, 1});
}
TEST(FlitEquivalence, BelowSaturation) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) expect_equal({"torus", "4x4x2", 2, 16, 8, 0.2, 40, seed});
}
TEST(FlitEquivalence, BeyondSaturation) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) expect_equal({"torus", "5x3", 2, 8, 8, 3.0, 60, seed});
}
TEST(FlitEquivalence, ManyVirtualChannelsAndSmallPackets) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) expect_equal({"torus", "4x4", 4, 5, 2, 1.0, 80, seed});
}
TEST(FlitEquivalence, BuffersOfOnePacket) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) expect_equal({"torus", "8", 2, 4, 4, 1.0, 50, seed});
}
TEST(FlitEquivalence, OtherShapes) {
  expect_equal({"mesh", "4x3", 2, 8, 4, 0.6, 50, 7});
  expect_equal({"torus", "3x3x3", 2, 8, 4, 0.8, 30, 8});
  expect_equal({"hyperx", "4x3:2", 2, 8, 4, 0.6, 40, 9});
  expect_equal({"hypercube", "4", 2, 8, 4, 0.6, 40, 10});
  expect_equal({"slim-fly", "3:2", 2, 8, 4, 0.6, 30, 11});
  expect_equal({"dragonfly+", "2x2x2x1", 2, 8, 4, 0.6, 40, 12});
  expect_equal({"express-mesh", "7x5:2", 2, 8, 4, 0.6, 40, 13});
}

}  // namespace
}  // namespace psim::net
