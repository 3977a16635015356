// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mutex>

#include "base/error.h"
#include "netsim/simulation.h"
#include "netsim/testing/counts.h"
#include "netsim/testing/thread_processes.h"
#include "netsim/topology/topology.h"
#include "netsim/traffic/synthetic.h"

namespace psim::net {
namespace {

TEST(Partition, RangesHaveAboutTheSameWeightAndNoneIsEmpty) {
  const Partition even = Partition::balanced(std::vector<std::uint32_t>(100, 3), 4);
  for (std::uint32_t process = 0; process < 4; ++process) EXPECT_EQ(even.first(process), process * 25);
  const Partition heavy = Partition::balanced({100, 1, 1, 1, 1}, 3);
  EXPECT_EQ(heavy.first(1), 1u);
  EXPECT_LT(heavy.first(2), 5u);
  const Partition late = Partition::balanced({1, 1, 1, 1, 100}, 3);
  for (std::uint32_t process = 0; process < 3; ++process) EXPECT_LT(late.first(process), late.end(process));
  for (std::uint32_t router = 0; router < 5; ++router) {
    EXPECT_LE(late.first(late.owner(router)), router);
    EXPECT_LT(router, late.end(late.owner(router)));
  }
}

TEST(HostProcesses, ABadInputOfOneIsTheErrorOfAll) {
  std::mutex mutex;
  std::vector<std::string> ends(3);
  on_threads(3, [&](HostProcesses& processes) {
    std::string end = "none";
    try {
      processes.together([&] {
        if (processes.rank() == 2) throw UserError("no memory here");
      });
    } catch (const UserError& error) {
      end = error.what();
    } catch (const HostProcesses::Elsewhere&) {
      end = "elsewhere";
    }
    const std::lock_guard lock(mutex);
    ends[processes.rank()] = end;
  });
  EXPECT_EQ(ends, (std::vector<std::string>{"no memory here", "elsewhere", "elsewhere"}));
}

TEST(HostProcesses, MoreThanRoutersIsAnError) {
  NetworkConfig config;
  config.topology.shape = "2x2";
  const Network network = make_topology(config, 4);
  EXPECT_THROW(Simulation::partition(network.graph, 5), UserError);
}

/// Changes its vote at each call, as a user may interrupt at any time.
class Wavering final : public Load {
 public:
  Votes votes() override { return {++voted_}; }
  bool should_continue(std::uint64_t, const Votes& votes) override {
    seen.push_back(votes[0]);
    return true;
  }
  void delivered(Message&) override {}
  void departed(Message&) override {}
  void timer(std::uint64_t, std::uint32_t) override {}
  void resume(std::uint32_t) override {}

  std::vector<std::uint64_t> seen;

 private:
  std::uint64_t voted_ = 0;
};

TEST(HostProcesses, AllSeeTheSameVotesThoughTheyChange) {
  const BusyNetwork busy("torus", "4x2", "dimension-order");
  const Network network = make_topology(busy.config, 0);
  std::vector<std::vector<std::uint64_t>> seen(3);
  on_threads(3, [&](HostProcesses& all) {
    Wavering load;
    Simulation simulation(busy.config, network.graph, *network.routing, load, 1, &all);
    if (all.first())
      for (std::uint64_t window = 0; window < 5; ++window) {
        simulation.engine().set_router(0);
        simulation.timer(window * simulation.engine().lookahead(), 0, 0);
      }
    simulation.run();
    seen[all.rank()] = load.seen;
  });
  EXPECT_EQ(seen[0], (std::vector<std::uint64_t>{3, 6, 9, 12, 15}));
  EXPECT_EQ(seen[1], seen[0]);
  EXPECT_EQ(seen[2], seen[0]);
}

/// Returns all counts of a run on `processes`, as the first of them has them.
std::string run_on(
    const char* kind, const char* shape, const char* routing, std::uint32_t processes,
    void (*change)(NetworkConfig&) = [](NetworkConfig&) {}) {
  BusyNetwork busy(kind, shape, routing);
  change(busy.config);
  const Network network = make_topology(busy.config, 0);
  std::string text;
  on_threads(processes, [&](HostProcesses& all) {
    SyntheticTraffic source = busy.source(network.graph.nodes());
    Simulation simulation(busy.config, network.graph, *network.routing, source, 7, &all);
    const TrafficPoint point = source.run(
        simulation, [] { return false; }, &all);
    if (!all.first()) return;
    text = fmt::format("{} {} {} {} {} {}", point.messages, point.mean, point.median, point.p99, point.most,
                       counts(simulation));
  });
  return text;
}

TEST(HostProcesses, EveryCountIsTheSameOnOneToFour) {
  for (const auto& [kind, shape, routing] :
       {std::tuple("torus", "4x4x2", "dimension-order"), std::tuple("torus", "4x3", "adaptive"),
        std::tuple("torus", "5x4", "valiant"), std::tuple("fat-tree", "4x4:1x2", "random"),
        std::tuple("fat-tree", "4x4x2", "adaptive"), std::tuple("dragonfly", "4x2x2x9", "ugal")}) {
    const std::string one = run_on(kind, shape, routing, 1);
    EXPECT_GT(one.size(), 1'000u);
    for (std::uint32_t processes = 2; processes <= 4; ++processes)
      EXPECT_EQ(run_on(kind, shape, routing, processes), one) << kind << " " << routing << " " << processes;
  }
}

TEST(HostProcesses, EveryCountIsTheSameOnOneToThreeWithSeveralPortsAndWiderCrossbars) {
  const auto ports = [](NetworkConfig& config) { config.nic.ports = 3; };
  const auto wide = [](NetworkConfig& config) {
    config.router.virtual_channels = 6;
    config.router.input_speedup = 4;
  };
  const auto age = [](NetworkConfig& config) {
    config.router.virtual_channels = 4;
    config.router.arbitration = Arbitration::Age;
  };
  for (void (*change)(NetworkConfig&) : {+ports, +wide, +age}) {
    const std::string one = run_on("torus", "4x4x2", "dimension-order", 1, change);
    EXPECT_GT(one.size(), 1'000u);
    EXPECT_EQ(run_on("torus", "4x4x2", "dimension-order", 2, change), one);
    EXPECT_EQ(run_on("torus", "4x4x2", "dimension-order", 3, change), one);
  }
}

}  // namespace
}  // namespace psim::net
