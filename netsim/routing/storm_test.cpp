// SPDX-License-Identifier: Apache-2.0
// Tests of the deadlock check: all nodes send at once, far more than buffers of a single packet hold.
#include <gtest/gtest.h>

#include <cctype>
#include <sstream>

#include "base/error.h"
#include "base/random.h"
#include "base/sanitized.h"
#include "netsim/routing/dimension_order.h"
#include "netsim/simulation.h"
#include "netsim/testing/routing.h"

namespace psim::net {
namespace {

/// Every node sends `messages` messages of five packets: in turn to any node, to a distant number, and to
/// node 0.
class Storm final : public Load {
 public:
  Storm(std::uint32_t nodes, std::uint32_t messages) : nodes_(nodes), messages_(messages) {}

  void run(Simulation& simulation) {
    simulation_ = &simulation;
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      simulation.engine().set_router(simulation.graph().node_router[node]);
      simulation.timer(1, node, 0);
    }
    simulation.run();
  }
  void timer(std::uint64_t token, std::uint32_t) override {
    const auto node = static_cast<std::uint32_t>(token);
    for (std::uint32_t i = 0; i < messages_; ++i) {
      MessagePool& pool = simulation_->interfaces().pool();
      const std::uint32_t number = pool.take();
      const std::uint64_t bits = random_bits(1, node, i);
      pool[number].node = i % 4 == 0   ? 0
                          : i % 2 == 0 ? (node + nodes_ / 2) % nodes_
                                       : static_cast<std::uint32_t>(bits % nodes_);
      pool[number].wire_bytes = 5 * 64 - i % 3 * 30;  // last packets of several lengths
      pool[number].envelope = {};
      simulation_->interfaces().send(node, number);
    }
  }
  void delivered(Message&) override { ++delivered_; }
  void departed(Message&) override {}
  void resume(std::uint32_t) override {}
  std::uint32_t delivered() const { return delivered_; }

 private:
  Simulation* simulation_ = nullptr;
  std::uint32_t nodes_, messages_, delivered_ = 0;
};

struct StormCase {
  const char *kind, *shape, *routings;
};

class Storms : public ::testing::TestWithParam<StormCase> {};

constexpr std::uint32_t kMessages = kSanitized ? 6 : 24;  // of a node

/// Options of interfaces and links.
void nothing(NetworkConfig&) {}
void options(NetworkConfig& config) {
  config.nic.ports = 2;
  config.nic.stripe = 64_B;
  config.nic.send_interval = config.nic.receive_interval = Picoseconds{20'000};
  config.link.bit_error_rate = 1e-4;
}
void planes(NetworkConfig& config) {
  config.nic.ports = 2;
  config.nic.rails = NicRails::Planes;
}
void spread(NetworkConfig& config) {
  config.nic.ports = 2;
  config.nic.rails = NicRails::Spread;
  config.nic.stripe = 128_B;
}
void any_channel(NetworkConfig& config) { config.router.vc_choice = VcChoice::Free; }
void back_pressure(NetworkConfig& config) {
  config.congestion.control = CongestionControl::BackPressure;
  config.congestion.throttle_wait = Picoseconds{20'000};
  config.congestion.throttle_hold = Picoseconds{1'000'000};
}
void flows(NetworkConfig& config) {
  config.nic.placement = PacketPlacement::Ordered;
  config.congestion.control = CongestionControl::Dcqcn;
  config.congestion.mark_from = 64_B, config.congestion.mark_all = 256_B, config.congestion.mark_most = 1;
  config.congestion.interval = config.congestion.increase = Picoseconds{100'000};
}

/// Expects that a storm with `more` virtual channels than the routing needs, and with `change`, is delivered.
void expect_delivery(const StormCase& network_case, const std::string& routing, std::uint32_t more,
                     void (*change)(NetworkConfig&), const std::string& name) {
  NetworkConfig config = testing::config(network_case.kind, network_case.shape, routing, 16);
  config.router.virtual_channels = make_topology(config, 0).routing->virtual_channels() + more;
  config.router.buffer = routing == "bubble" ? 128_B : 64_B;
  config.nic.payload = 64_B;
  change(config);
  const Network network = make_topology(config, 0);
  Storm storm(network.graph.nodes(), kMessages);
  Simulation simulation(config, network.graph, *network.routing, storm);
  storm.run(simulation);
  EXPECT_EQ(storm.delivered(), network.graph.nodes() * kMessages)
      << network_case.kind << " " << routing << " +" << more << ", " << name;
}

TEST_P(Storms, AreDeliveredCompletely) {
  std::istringstream routings(GetParam().routings);
  for (std::string routing; routings >> routing;) {
    expect_delivery(GetParam(), routing, 0, &nothing, "no options");
    expect_delivery(GetParam(), routing, 2, &nothing, "no options");
    expect_delivery(GetParam(), routing, 0, &options, "options");
    expect_delivery(GetParam(), routing, 0, &flows, "flows");
    expect_delivery(GetParam(), routing, 0, &planes, "planes");
    expect_delivery(GetParam(), routing, 0, &back_pressure, "back-pressure");
  }
}

class FreeStorms : public ::testing::TestWithParam<StormCase> {};

/// Packets change between three sets of channels at every hop, and have buffers of a single packet.
TEST_P(FreeStorms, AreDeliveredCompletely) {
  std::istringstream routings(GetParam().routings);
  for (std::string routing; routings >> routing;) {
    NetworkConfig config = testing::config(GetParam().kind, GetParam().shape, routing, 16);
    const std::uint32_t needed = make_topology(config, 0).routing->virtual_channels();
    expect_delivery(GetParam(), routing, 2 * needed, &any_channel, "any channel");
    config.router.virtual_channels = 3 * needed;
    any_channel(config);
    EXPECT_TRUE(make_topology(config, 0).routing->any_set()) << routing;
  }
}

std::string name_of(const ::testing::TestParamInfo<StormCase>& info) {
  std::string name = std::string(info.param.kind) + "_" + info.param.shape;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Everywhere, FreeStorms,
    ::testing::Values(StormCase{"torus", "5x4x4", "dimension-order random-ties"},
                      StormCase{"mesh", "5x4x2", "dimension-order"},
                      StormCase{"hyperx", "4x3:2", "dimension-order valiant ugal ugal-g"},
                      StormCase{"hyperx", "3x2:2:1x2", "dimension-order valiant ugal"},
                      StormCase{"hypercube", "5", "e-cube valiant ugal ugal-g"},
                      StormCase{"slim-fly", "4:2", "minimal valiant ugal ugal-g"},
                      StormCase{"slim-fly", "5:2", "minimal valiant ugal"},
                      StormCase{"express-mesh", "7x5:2", "dimension-order valiant ugal"}),
    name_of);

class SpreadStorms : public ::testing::TestWithParam<StormCase> {};

TEST_P(SpreadStorms, AreDeliveredCompletely) {
  std::istringstream routings(GetParam().routings);
  for (std::string routing; routings >> routing;)
    for (const std::uint32_t more : {0u, 2u}) expect_delivery(GetParam(), routing, more, &spread, "spread");
}

INSTANTIATE_TEST_SUITE_P(
    Everywhere, SpreadStorms,
    ::testing::Values(StormCase{"torus", "6x4", "dimension-order adaptive valiant bubble"},
                      StormCase{"fat-tree", "4x3x2:1x2x1", "d-mod-k random adaptive"},
                      StormCase{"hyperx", "4x3:2", "dimension-order adaptive valiant ugal ugal-g dal"},
                      StormCase{"dragonfly+", "2x2x2x1", "minimal valiant ugal par"},
                      StormCase{"slim-fly", "4:2", "minimal valiant ugal ugal-g"},
                      StormCase{"dragonfly", "4x2x2x9", "minimal valiant ugal ugal-g par"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Everywhere, Storms,
    ::testing::Values(StormCase{"torus", "8", "dimension-order adaptive valiant bubble"},
                      StormCase{"torus", "5x4x4", "dimension-order adaptive valiant bubble"},
                      StormCase{"mesh", "5x4x2", "dimension-order adaptive valiant"},
                      StormCase{"tofu", "4x1x2", "dimension-order adaptive valiant bubble"},
                      StormCase{"crossbar", "8", "direct"}, StormCase{"dragonfly", "2x1x1", "ugal-g par"},
                      StormCase{"dragonfly+", "2x2x2x1", "minimal valiant ugal par"},
                      StormCase{"dragonfly+", "3x2x1x2x3", "minimal valiant ugal par"},
                      StormCase{"hyperx", "4x3:2", "dimension-order adaptive valiant ugal ugal-g dal"},
                      StormCase{"hyperx", "3x2:2:1x2", "dimension-order adaptive valiant ugal dal"},
                      StormCase{"hypercube", "5", "e-cube adaptive valiant ugal"},
                      StormCase{"slim-fly", "4:2", "minimal valiant ugal ugal-g"},
                      StormCase{"express-mesh", "7x5:2", "dimension-order valiant ugal"},
                      StormCase{"fat-tree", "3x3x3", "d-mod-k random adaptive"},
                      StormCase{"fat-tree", "4x3x2:1x2x1", "d-mod-k random adaptive"},
                      StormCase{"dragonfly", "4x2x2x9", "minimal valiant ugal"},
                      StormCase{"dragonfly", "4x2x2x3:consecutive", "minimal valiant ugal"},
                      StormCase{"full", "8x4", "minimal valiant ugal"}),
    name_of);

/// A storm of gets, with buffers of one packet: every node requests data from others, replies to requests
/// with five packets, and sends another request after each reply. Nodes accept arrivals whatever they have to
/// send, so requests and replies need no separate virtual channels.
class GetStorm final : public Load {
 public:
  GetStorm(std::uint32_t nodes, std::uint32_t at_once, std::uint32_t each)
      : nodes_(nodes), at_once_(at_once), left_(nodes, each) {}

  void run(Simulation& simulation) {
    simulation_ = &simulation;
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      simulation.engine().set_router(simulation.graph().node_router[node]);
      simulation.timer(1, node, 0);
    }
    simulation.run();
  }
  void timer(std::uint64_t node, std::uint32_t) override {
    for (std::uint32_t i = 0; i < at_once_; ++i) send_request(static_cast<std::uint32_t>(node));
  }
  void delivered(Message& message) override {
    const std::uint32_t here = message.node;
    if (message.envelope.kind == 0)
      send(here, message.source, 1, 5 * 64);
    else
      ++answers_, send_request(here);
  }
  void departed(Message&) override {}
  void resume(std::uint32_t) override {}
  std::uint32_t answers() const { return answers_; }

 private:
  void send_request(std::uint32_t node) {
    if (left_[node] == 0) return;
    const std::uint64_t bits = random_bits(2, node, --left_[node]);
    send(node, (node + 1 + static_cast<std::uint32_t>(bits % (nodes_ - 1))) % nodes_, 0, 8);
  }
  void send(std::uint32_t from, std::uint32_t to, std::uint8_t kind, std::uint64_t bytes) {
    MessagePool& pool = simulation_->interfaces().pool();
    const std::uint32_t number = pool.take();
    pool[number].node = to;
    pool[number].wire_bytes = bytes;
    pool[number].envelope = {};
    pool[number].envelope.kind = kind;
    simulation_->interfaces().send(from, number);
  }

  Simulation* simulation_ = nullptr;
  std::uint32_t nodes_, at_once_;
  std::vector<std::uint32_t> left_;
  std::uint32_t answers_ = 0;
};

TEST_P(Storms, OfGetsAreAllAnswered) {
  std::istringstream routings(GetParam().routings);
  for (std::string routing; routings >> routing;) {
    NetworkConfig config = testing::config(GetParam().kind, GetParam().shape, routing, 16);
    config.router.virtual_channels = make_topology(config, 0).routing->virtual_channels();
    config.router.buffer = routing == "bubble" ? 128_B : 64_B;
    config.nic.payload = 64_B;
    const Network network = make_topology(config, 0);
    GetStorm storm(network.graph.nodes(), 8, 10);
    Simulation simulation(config, network.graph, *network.routing, storm);
    storm.run(simulation);
    EXPECT_EQ(storm.answers(), network.graph.nodes() * 10) << routing;
  }
}

/// Goes straight on around a ring on one channel, which the check refuses.
TEST(Storm, OnARingWithoutDatelinesStands) {
  NetworkConfig config = testing::config("torus", "8", "", 1);
  config.router.buffer = 64_B;
  config.nic.payload = 64_B;
  EXPECT_THROW(make_topology(config, 8), UserError);
  const Lattice ring({{8, true, 'X'}});
  const Graph graph = ring.graph(1);
  const DimensionOrder routing(ring, 1, 1);
  Storm storm(8, 24);
  Simulation simulation(config, graph, routing, storm);
  storm.run(simulation);
  EXPECT_LT(storm.delivered(), 8u * 24);
}

}  // namespace
}  // namespace psim::net
