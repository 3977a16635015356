// SPDX-License-Identifier: Apache-2.0
#include "netsim/load_group.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "netsim/topology/topology.h"

namespace psim::net {
namespace {

/// Sends a message from its node to another at each of its times, and notes the calls.
class SomeLoad final : public Load {
 public:
  SomeLoad(std::uint32_t node, std::uint32_t to) : node_(node), to_(to) {}

  void start(Simulation& simulation, std::uint32_t first_rank, const std::vector<std::uint64_t>& times) {
    simulation_ = &simulation;
    simulation.engine().set_router(simulation.graph().node_router[node_]);
    for (const std::uint64_t time : times) simulation.timer(time, time, first_rank + 2);
  }
  void delivered(Message& message) override { from.push_back(message.source); }
  void departed(Message&) override {}
  void timer(std::uint64_t token, std::uint32_t rank) override {
    timers.emplace_back(token, rank);
    MessagePool& pool = simulation_->interfaces().pool();
    const std::uint32_t number = pool.take();
    pool[number].node = to_;
    pool[number].wire_bytes = 64;
    simulation_->interfaces().send(node_, number);
  }
  void resume(std::uint32_t) override {}
  bool outdated(std::uint64_t token, std::uint32_t rank) const override { return token == 77 && rank == 2; }
  bool should_continue(std::uint64_t start, const Votes&) override { return start < until; }
  bool done(const Votes&) const override { return simulation_->engine().now() >= done_at; }

  std::vector<std::pair<std::uint64_t, std::uint32_t>> timers;
  std::vector<std::uint32_t> from;
  std::uint64_t until = ~std::uint64_t{0}, done_at = ~std::uint64_t{0};

 private:
  std::uint32_t node_, to_;
  Simulation* simulation_ = nullptr;
};

struct TwoLoads {
  explicit TwoLoads(LoadGroup::Kind kind_of_second, bool ends = false)
      : config(line()),
        network(make_topology(config, 4)),
        group(4, 0, [ends] { return ends; }),
        simulation(config, network.graph, *network.routing, group) {
    const std::vector<std::uint32_t> zero{0}, three{3};
    firsts[0] = group.add(one, zero, 5, LoadGroup::Kind::Foreground);
    firsts[1] = group.add(two, three, 7, kind_of_second);
  }
  static NetworkConfig line() {
    NetworkConfig config;
    config.topology.kind = "mesh";
    config.topology.shape = "4";
    return config;
  }
  NetworkConfig config;
  Network network;
  SomeLoad one{0, 3}, two{3, 0};
  LoadGroup group;
  Simulation simulation;
  std::uint32_t firsts[2];
};

TEST(LoadGroup, EventsReachThePartThatOwnsTheirRankOrSource) {
  TwoLoads loads(LoadGroup::Kind::Foreground);
  EXPECT_EQ(loads.firsts[1], 5u);
  loads.one.start(loads.simulation, loads.firsts[0], {1'000'000, 2'000'000});
  loads.two.start(loads.simulation, loads.firsts[1], {1'500'000});
  loads.simulation.run();
  const std::vector<std::pair<std::uint64_t, std::uint32_t>> ones{{1'000'000, 2}, {2'000'000, 2}},
      twos{{1'500'000, 2}};
  EXPECT_EQ(loads.one.timers, ones);
  EXPECT_EQ(loads.two.timers, twos);
  EXPECT_EQ(loads.one.from, (std::vector<std::uint32_t>{0, 0})) << "by the source, wherever the message goes";
  EXPECT_EQ(loads.two.from, (std::vector<std::uint32_t>{3}));
}

TEST(LoadGroup, APartThatHasEndedGetsNoMoreTimersAndTheOthersContinue) {
  TwoLoads loads(LoadGroup::Kind::Foreground);
  loads.one.until = 1'500'000;
  loads.one.start(loads.simulation, loads.firsts[0], {1'000'000, 2'000'000});
  loads.two.start(loads.simulation, loads.firsts[1], {3'000'000});
  loads.simulation.run();
  EXPECT_EQ(loads.one.timers.size(), 1u);
  EXPECT_EQ(loads.two.timers.size(), 1u);
}

TEST(LoadGroup, BackgroundEndsWhenTheOthersAreDone) {
  TwoLoads loads(LoadGroup::Kind::Background);
  loads.one.done_at = 2'000'000;
  loads.one.start(loads.simulation, loads.firsts[0], {1'000'000});
  loads.two.start(loads.simulation, loads.firsts[1], {1'500'000, 2'000'000, 9'000'000});
  loads.simulation.run();
  EXPECT_EQ(loads.two.timers.size(), 2u);
}

TEST(LoadGroup, AnInterruptionEndsAll) {
  TwoLoads loads(LoadGroup::Kind::Foreground, true);
  loads.one.start(loads.simulation, loads.firsts[0], {1'000'000});
  loads.two.start(loads.simulation, loads.firsts[1], {});
  loads.simulation.run();
  EXPECT_TRUE(loads.one.timers.empty());
  EXPECT_TRUE(loads.group.ended());
}

TEST(LoadGroup, AsksALoadWhetherItsTimerIsOutdated) {
  LoadGroup group(4, 0, [] { return false; });
  SomeLoad one(0, 1), other(2, 3);
  const std::uint32_t nodes[] = {0, 1, 2, 3};
  group.add(one, std::span(nodes).first(2), 5, LoadGroup::Kind::Foreground);
  const std::uint32_t first = group.add(other, std::span(nodes).last(2), 5, LoadGroup::Kind::Foreground);
  EXPECT_TRUE(group.outdated(77, 2));
  EXPECT_TRUE(group.outdated(77, first + 2));
  EXPECT_FALSE(group.outdated(77, first + 1));
  EXPECT_FALSE(group.outdated(78, first + 2));
}

}  // namespace
}  // namespace psim::net
