// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mutex>

#include "base/error.h"
#include "base/sanitized.h"
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

TEST(Partition, ACutMovesToTheNearestRouterOfHighestMeritWithinAnEighth) {
  const std::vector<std::uint32_t> alike(64, 1);
  std::vector<std::uint64_t> merits(64, 100);
  EXPECT_EQ(Partition::balanced(alike, 2, merits).first(1), 32u);
  merits[36] = merits[29] = 200;  // an eighth of 32 routers is 4
  EXPECT_EQ(Partition::balanced(alike, 2, merits).first(1), 29u);
  merits[36] = 300;
  EXPECT_EQ(Partition::balanced(alike, 2, merits).first(1), 36u);
  merits[37] = merits[27] = 400;
  EXPECT_EQ(Partition::balanced(alike, 2, merits).first(1), 36u);
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
  EXPECT_THROW(Simulation::partition(config, network.graph, 5), UserError);
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
    for (std::uint32_t processes = kSanitized ? 3 : 2; processes <= (kSanitized ? 3 : 4); ++processes)
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
  const auto options = [](NetworkConfig& config) {
    config.nic.ports = 3;
    config.nic.stripe = 2_KiB;
    config.nic.send_interval = config.nic.receive_interval = Picoseconds{300'000};
    config.link.bit_error_rate = 1e-6;
  };
  const auto marks = [](NetworkConfig& config) {
    config.congestion.control = CongestionControl::Dcqcn;
    config.congestion.mark_from = 8_KiB, config.congestion.mark_all = 32_KiB,
    config.congestion.mark_most = 0.5;
    config.congestion.interval = config.congestion.increase = Picoseconds{1'000'000};
  };
  const auto planes = [](NetworkConfig& config) {
    config.nic.ports = 2;
    config.nic.rails = NicRails::Planes;
    config.nic.stripe = 3_KiB;
  };
  for (void (*change)(NetworkConfig&) : {+ports, +wide, +age, +options, +marks, +planes}) {
    const std::string one = run_on("torus", "4x4x2", "dimension-order", 1, change);
    EXPECT_GT(one.size(), 1'000u);
    EXPECT_EQ(run_on("torus", "4x4x2", "dimension-order", 2, change), one);
    EXPECT_EQ(run_on("torus", "4x4x2", "dimension-order", 3, change), one);
  }
}

TEST(HostProcesses, EveryCountIsTheSameWithSpreadPortsAndBackPressure) {
  const auto near = [](NetworkConfig& config) {
    config.nic.ports = 4;
    config.nic.rails = NicRails::Spread;
    config.nic.port_choice = PortChoice::Near;
  };
  const auto throttled = [](NetworkConfig& config) {
    config.nic.ports = 2;
    config.nic.rails = NicRails::Spread;
    config.nic.stripe = 3_KiB;
    config.congestion.control = CongestionControl::BackPressure;
    config.congestion.throttle_wait = Picoseconds{600'000};
  };
  for (void (*change)(NetworkConfig&) : {+near, +throttled}) {
    const std::string one = run_on("dragonfly", "4x2x2x9", "ugal", 1, change);
    EXPECT_NE(one, run_on("dragonfly", "4x2x2x9", "ugal", 1));
    EXPECT_EQ(run_on("dragonfly", "4x2x2x9", "ugal", 2, change), one);
    EXPECT_EQ(run_on("dragonfly", "4x2x2x9", "ugal", 3, change), one);
  }
}

TEST(HostProcesses, EveryCountIsTheSameWhereInterfacesHoldPacketsThatOvertook) {
  const auto ordered = [](NetworkConfig& config) { config.nic.placement = PacketPlacement::Ordered; };
  const std::string one = run_on("fat-tree", "4x4x2", "adaptive", 1, ordered);
  EXPECT_NE(one, run_on("fat-tree", "4x4x2", "adaptive", 1));
  EXPECT_EQ(run_on("fat-tree", "4x4x2", "adaptive", 3, ordered), one);
}

/// Traffic that decides for several windows ahead.
class DecidesAhead final : public Load {
 public:
  explicit DecidesAhead(SyntheticTraffic& traffic) : traffic_(traffic) {}
  Votes votes() override { return traffic_.votes(); }
  bool should_continue(std::uint64_t start, const Votes& votes) override {
    return traffic_.should_continue(start, votes);
  }
  bool decides_ahead() const override { return true; }
  bool bypasses_links() const override { return bypasses; }
  void delivered(Message& message) override { traffic_.delivered(message); }
  void departed(Message& message) override { traffic_.departed(message); }
  void timer(std::uint64_t token, std::uint32_t rank) override { traffic_.timer(token, rank); }
  void resume(std::uint32_t rank) override { traffic_.resume(rank); }

  bool bypasses = false;

 private:
  SyntheticTraffic& traffic_;
};

/// A run of a dragonfly whose global cables take `global`, ps, on `processes`.
struct LongRun {
  std::string counts;
  std::uint64_t exchanges;
};
LongRun run_long(std::int64_t global, std::uint32_t processes, bool bypasses = false) {
  BusyNetwork busy("dragonfly", "4x2x2x9", "minimal");
  busy.config.link.classes[static_cast<std::size_t>(CableClass::Global)].delay = Picoseconds{global};
  const Network network = make_topology(busy.config, 0);
  LongRun result;
  on_threads(processes, [&](HostProcesses& all) {
    SyntheticTraffic source = busy.source(network.graph.nodes());
    DecidesAhead load(source);
    load.bypasses = bypasses;
    Simulation simulation(busy.config, network.graph, *network.routing, load, 7, &all);
    source.start(
        simulation, [] { return false; }, &all);
    simulation.run();
    const TrafficPoint point = source.finish();
    if (all.first())
      result = {fmt::format("{} {} {} {}", point.messages, point.mean, point.most, counts(simulation)),
                simulation.sharing().windows};
  });
  return result;
}

TEST(HostProcesses, LongCablesBetweenThemMakeFewerExchangesAndNoOtherCount) {
  // A hop is 100 ns; one by a global cable 95 + 1000 ns: ten windows.
  const LongRun one = run_long(1'000'000, 1);
  EXPECT_GT(one.counts.size(), 1'000u);
  for (std::uint32_t processes = kSanitized ? 3 : 2; processes <= (kSanitized ? 3 : 4); ++processes) {
    const LongRun several = run_long(1'000'000, processes);
    EXPECT_EQ(several.counts, one.counts) << processes;
    const LongRun by_window = run_long(1'000'000, processes, true);
    EXPECT_EQ(by_window.counts, one.counts) << processes;
    const std::uint64_t less = processes < 4 ? 8 : 1;  // cuts between four processes are inside groups
    EXPECT_LE(several.exchanges * less, by_window.exchanges) << processes;
  }
  const LongRun short_one = run_long(5'000, 1), short_two = run_long(5'000, 2);
  EXPECT_EQ(short_two.counts, short_one.counts);
  EXPECT_EQ(short_two.exchanges, short_one.exchanges);
}

}  // namespace
}  // namespace psim::net
