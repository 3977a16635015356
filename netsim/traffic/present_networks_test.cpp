// SPDX-License-Identifier: Apache-2.0
// Patterns and networks of present papers: destinations, bursts, and the accepted load beyond saturation next
// to the closed form of the most loaded channel.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "base/random.h"
#include "base/sanitized.h"
#include "netsim/topology/topology.h"
#include "netsim/traffic/synthetic.h"

namespace psim::net {
namespace {

TEST(PresentPatterns, AdversarialIsAnyNodeOfTheGroupBehind) {
  const Destinations next(Pattern::Adversarial, 24, {24}, {.group = 4});
  const Destinations last(Pattern::Adversarial, 24, {24}, {.group = 4, .shift = 5});
  std::set<std::uint32_t> reached;
  for (std::uint64_t i = 0; i < 200; ++i) {
    reached.insert(next.of(21, random_bits(1, 2, i)));
    EXPECT_EQ(last.of(5, random_bits(1, 2, i)) / 4, 0u);
  }
  EXPECT_EQ(reached, (std::set<std::uint32_t>{0, 1, 2, 3}));
}

TEST(PresentPatterns, APermutationReachesAllNodesOnceAndNeverItself) {
  std::set<std::vector<std::uint32_t>> all;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Destinations destinations(Pattern::Permutation, 7, {7}, {.seed = seed});
    std::vector<std::uint32_t> to;
    for (std::uint32_t node = 0; node < 7; ++node) {
      to.push_back(destinations.of(node, seed));
      EXPECT_NE(to.back(), node);
    }
    EXPECT_EQ(std::set<std::uint32_t>(to.begin(), to.end()).size(), 7u);
    all.insert(to);
  }
  EXPECT_GT(all.size(), 45u) << "seeds differ";
}

TEST(PresentPatterns, AllToAllTakesAllOthersInTurn) {
  const Destinations destinations(Pattern::AllToAll, 5, {5});
  std::vector<std::uint32_t> to;
  for (std::uint32_t number = 0; number < 5; ++number) to.push_back(destinations.of(3, 0, number));
  EXPECT_EQ(to, (std::vector<std::uint32_t>{4, 0, 1, 2, 4}));
}

TEST(PresentPatterns, StencilsHaveTheNeighboursOfAPeriodicGrid) {
  const auto neighbours = [](const Destinations& destinations, std::uint32_t node, std::uint32_t count) {
    std::multiset<std::uint32_t> to;
    for (std::uint32_t number = 0; number < count; ++number) to.insert(destinations.of(node, 0, number));
    return to;
  };
  const Destinations plane(Pattern::Stencil2d, 12, {12});  // 4 x 3
  EXPECT_EQ(neighbours(plane, 0, 4), (std::multiset<std::uint32_t>{1, 3, 4, 8}));
  const Destinations wide(Pattern::Stencil2d, 12, {12}, {.grid = {6, 2}});
  EXPECT_EQ(neighbours(wide, 0, 3), (std::multiset<std::uint32_t>{1, 5, 6}));
  const Destinations box(Pattern::Stencil3d, 27, {27});
  EXPECT_EQ(neighbours(box, 13, 6), (std::multiset<std::uint32_t>{4, 10, 12, 14, 16, 22}));
}

TEST(PresentPatterns, AMatrixGivesDestinationsAndLoadsByWeight) {
  const Destinations destinations(
      Pattern::Matrix, 4, {4},
      {.matrix = "# from to weight\n0 1 3\n0,2,1\n\n2 0 2  # half\n0 3 0\n", .matrix_name = "traffic.txt"});
  std::map<std::uint32_t, int> reached;
  for (std::uint64_t i = 0; i < 4'000; ++i) ++reached[destinations.of(0, random_bits(1, 0, i))];
  EXPECT_NEAR(reached[1], 3'000, 82);  // three deviations
  EXPECT_NEAR(reached[2], 1'000, 82);
  EXPECT_EQ(reached.size(), 2u);
  EXPECT_EQ(destinations.of(2, ~0ull), 0u);
  EXPECT_EQ(destinations.share(0), 1);
  EXPECT_EQ(destinations.share(2), 0.5);
  EXPECT_TRUE(destinations.silent(1));
  EXPECT_FALSE(destinations.silent(2));
}

TEST(PresentPatterns, ThatDoNotFitAreRefusedInOneLine) {
  const auto problem = [](Pattern pattern, const PatternOptions& options) -> std::string {
    try {
      Destinations(pattern, 12, {12}, options);
      return "";
    } catch (const UserError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(
      problem(Pattern::Adversarial, {.group = 5}),
      "--traffic adversarial: 12 nodes in groups of 5; expected 2 groups or more, of equal sizes (--group)");
  EXPECT_EQ(problem(Pattern::Adversarial, {.group = 4, .shift = 3}),
            "--shift 3: leads to the same group of 3; expected 1 … 2");
  EXPECT_EQ(problem(Pattern::Stencil2d, {.grid = {5, 2}}),
            "--grid 5x2: expected 2 sizes with the product 12");
  EXPECT_EQ(problem(Pattern::Stencil3d, {.grid = {6, 2}}),
            "--grid 6x2: expected 3 sizes with the product 12");
  const auto matrix = [&](const char* text) {
    return problem(Pattern::Matrix, {.matrix = text, .matrix_name = "m.txt"});
  };
  EXPECT_EQ(matrix("0 1 1\n0 12 1\n"), "m.txt:2: '12' is not a node; expected 0 … 11");
  EXPECT_EQ(matrix("0 1\n"), "m.txt:1: 2 words; expected source, destination and weight");
  EXPECT_EQ(matrix("\n0 1 -1\n"), "m.txt:2: '-1' is not a weight; expected a number of at least 0");
  EXPECT_EQ(matrix("0 1 nan\n"), "m.txt:1: 'nan' is not a weight; expected a number of at least 0");
  EXPECT_EQ(matrix("3 3 1\n"), "m.txt:1: node 3 is its own destination");
  EXPECT_EQ(matrix("# none\n"), "m.txt: no weight above 0; expected lines of source, destination, weight");
  EXPECT_EQ(problem(Pattern::Matrix, {}), "--traffic matrix: the matrix is missing; add --matrix FILE");
}

TEST(Bursts, AreOnForTheirShareOfTheTime) {
  Bursts bursts({.on = Picoseconds{5'000}, .off = Picoseconds{15'000}}, 1, 2);
  std::uint64_t time = 0, gaps = 0;
  for (int i = 0; i < 40'000; ++i) {
    const std::uint64_t step = bursts.stretch(1, 500);
    gaps += step > 500;
    time += step;
  }
  EXPECT_NEAR(static_cast<double>(time) / (40'000 * 500), 4, 0.25);  // 4,000 bursts
  EXPECT_NEAR(static_cast<double>(gaps) / 40'000, 0.095, 0.01);      // 1 - exp(-0.1)
  EXPECT_EQ(Bursts({}, 1, 2).stretch(1, 500), 500u);
}

struct Setting {
  const char *kind, *shape, *routing;
  Pattern pattern = Pattern::Uniform;
  double load = 1;
  std::uint32_t channels = 4;
  std::uint64_t bias = 0;
  BurstConfig bursts = {};
  std::uint32_t shift = 1;
};

/// Packets of 512 bytes and buffers of 16 of them; cables and nodes of 5 GB/s.
TrafficPoint measured(const Setting& run) {
  NetworkConfig config;
  config.topology = {run.kind, run.shape, run.routing};
  config.router.virtual_channels = run.channels;
  config.router.buffer = Bytes{8'192};
  config.nic.payload = Bytes{512};
  config.adaptive.bias = Bytes{run.bias};
  const Network network = make_topology(config, 0);
  const std::uint32_t nodes = network.graph.nodes();
  TrafficConfig traffic;
  traffic.pattern = run.pattern;
  traffic.load = run.load;
  traffic.message = Bytes{512};
  traffic.bursts = run.bursts;
  traffic.warm_up = Picoseconds{20'000'000};
  traffic.measured = Picoseconds{30'000'000};
  traffic.longest_drain = Picoseconds{1'000'000};
  SyntheticTraffic source(
      traffic, config,
      Destinations(run.pattern, nodes, {nodes}, {.group = network.group, .shift = run.shift}), nodes);
  Simulation simulation(config, network.graph, *network.routing, source);
  return source.run(simulation, [] { return false; });
}

double accepted(const Setting& run) { return measured(run).accepted; }

constexpr Pattern kAdversarial = Pattern::Adversarial;

/// Expects that a network that is offered more than it carries accepts at most the bound of its most loaded
/// channel, and three quarters of it at least: packets wait behind others at inputs.
void expect_bound(double bound, const Setting& setting) {
  const double share = accepted(setting) / bound;
  EXPECT_LT(share, 1.02) << setting.kind << " " << setting.shape << " " << setting.routing;
  EXPECT_GT(share, 0.75) << setting.kind << " " << setting.shape << " " << setting.routing;
}

TEST(Saturation, OfAHyperXIsThatOfItsChannels) {
  if (kSanitized) GTEST_SKIP() << "only compares means, which the release build does";
  // T nodes at a router, S routers in a dimension: uniform S / T (at most 1), by Valiant's half of it;
  // to the next router 1 / T by the only minimal channel, and S / (2 T) by Valiant.
  expect_bound(4.0 / 8, {"hyperx", "4x4:8", "dimension-order"});
  EXPECT_NEAR(accepted({"hyperx", "4x4:4", "dimension-order", kAdversarial}), 1.0 / 4, 0.01);
  expect_bound(1.0 / 2, {"hyperx", "4x4:4", "valiant", kAdversarial});
  expect_bound(1.0 / 2, {"hyperx", "4x4:4", "valiant"});
  EXPECT_GT(accepted({"hyperx", "4x4:4", "ugal", kAdversarial}), 0.38);
  EXPECT_GT(accepted({"hyperx", "4x4:4", "dal", kAdversarial}), 0.45);
  expect_bound(1, {"hyperx", "4x4:4", "dal"});
  expect_bound(2.0 / 4, {"hyperx", "4x4:4:2x1", "dimension-order", kAdversarial});
}

TEST(Saturation, OfAHypercubeIsThatOfItsChannels) {
  if (kSanitized) GTEST_SKIP() << "only compares means, which the release build does";
  // Every dimension is crossed with probability 1/2: 2 / T.
  expect_bound(2.0 / 4, {"hypercube", "4:4", "e-cube"});
  EXPECT_NEAR(accepted({"hypercube", "4:4", "e-cube", Pattern::BitComplement}), 1.0 / 4, 0.02);
}

TEST(Saturation, OfASlimFlyIsNearOneWhenBalanced) {
  if (kSanitized) GTEST_SKIP() << "only compares means, which the release build does";
  // p nodes load k' channels by p times the mean distance: 7 / (4 * (2 - 7/49)) = 0.94 for q = 5.
  expect_bound(7.0 / (4 * (2 - 7.0 / 49)), {"slim-fly", "5:4", "minimal"});
  expect_bound(7.0 / (8 * (2 - 7.0 / 49)), {"slim-fly", "5:8", "minimal"});
  // The next router is one hop away, or two: at most p flows on a channel.
  EXPECT_LT(accepted({"slim-fly", "5:4", "minimal", kAdversarial}), 0.4);
  // Around, each half of a Valiant route is as uniform traffic.
  for (const char* routing : {"valiant", "ugal", "ugal-g"})
    expect_bound(7.0 / (8 * (2 - 7.0 / 49)), {"slim-fly", "5:4", routing, kAdversarial});
}

TEST(Saturation, OfADragonflyToTheNextGroupIsOneCableUnlessPacketsGoAround) {
  if (kSanitized) GTEST_SKIP() << "only compares means, which the release build does";
  // a p nodes share the cable to the next group: 1 / (a p). Around, every one of the a h global cables
  // carries two steps of a p nodes: h / (2 p).
  EXPECT_NEAR(accepted({"dragonfly", "4x2x2x9", "minimal", kAdversarial}), 1.0 / 8, 0.005);
  for (const char* routing : {"valiant", "ugal", "ugal-g", "par"})
    EXPECT_NEAR(accepted({"dragonfly", "4x2x2x9", routing, kAdversarial}), 0.45, 0.1) << routing;
  EXPECT_GT(accepted({"dragonfly", "4x2x2x9", "par"}), 0.65);
}

TEST(Saturation, OfADragonflyPlusToTheNextGroupIsOneCableUnlessPacketsGoAround) {
  if (kSanitized) GTEST_SKIP() << "only compares means, which the release build does";
  EXPECT_NEAR(accepted({"dragonfly+", "4x4x2x2x9", "minimal", kAdversarial}), 1.0 / 8, 0.005);
  for (const char* routing : {"valiant", "ugal", "par"})
    EXPECT_NEAR(accepted({"dragonfly+", "4x4x2x2x9", routing, kAdversarial}), 0.45, 0.1) << routing;
}

TEST(Saturation, OfATaperedTreeOfTwoLevelsIsItsTaper) {
  if (kSanitized) GTEST_SKIP() << "only compares means, which the release build does";
  // 8 nodes and 4 parents at each of 4 leaves; to the next leaf all of it goes up.
  for (const char* routing : {"random", "adaptive"})
    EXPECT_NEAR(accepted({"fat-tree", "8x4:1x4", routing, kAdversarial}), 4.0 / 8, 0.06) << routing;
  expect_bound(4.0 / 8 / (24.0 / 31), {"fat-tree", "8x4:1x4", "adaptive"});
  expect_bound(1, {"fat-tree", "8x4:1x8", "adaptive", kAdversarial});
}

TEST(Saturation, OfAnExpressMeshIsThatOfItsBisection) {
  if (kSanitized) GTEST_SKIP() << "only compares means, which the release build does";
  // In the middle of a row of 16 a plain and an express channel; the plain one carries what begins or ends
  // between two express routers, the express one the rest.
  const double plain = accepted({"mesh", "16", "dimension-order"});
  const double express = accepted({"express-mesh", "16:4", "dimension-order"});
  // 8 nodes send 8/15 of their traffic over the middle of a mesh.
  EXPECT_NEAR(plain / (1 / (8 * 8.0 / 15)), 0.87, 0.12);
  EXPECT_GT(express, 1.2 * plain);
}

TEST(Bias, KeepsPacketsOnMinimalRoutes) {
  if (kSanitized) GTEST_SKIP() << "only compares means, which the release build does";
  // At a low load ugal sends some packets around for nothing; with a bias none, and with a high one always.
  const Setting usual{"dragonfly", "4x2x2x9", "ugal", Pattern::Uniform, 0.3};
  const Setting minimal{"dragonfly", "4x2x2x9", "minimal", Pattern::Uniform, 0.3};
  Setting biased = usual;
  biased.bias = 1 << 20;
  EXPECT_GT(measured(usual).mean, 1.03 * measured(minimal).mean);
  EXPECT_NEAR(measured(biased).mean / measured(minimal).mean, 1, 0.02);
  biased.pattern = kAdversarial;
  EXPECT_NEAR(accepted(biased), 1.0 / 8, 0.005);
}

TEST(UgalGlobal, RunsInOneHostProcessOnly) {
  NetworkConfig config;
  config.topology = {"hyperx", "4x4:1", "ugal-g"};
  const Network network = make_topology(config, 0);
  EXPECT_EQ(Simulation::partition(config, network.graph, 1).processes(), 1u);
  try {
    Simulation::partition(config, network.graph, 2);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "topology.routing = \"ugal-g\": 2 host processes; its routers read each other, expected one "
                 "process");
  }
}

TEST(Bursts, OfTheSameMeanLoadMakeLatencyLonger) {
  if (kSanitized) GTEST_SKIP() << "only compares means, which the release build does";
  Setting run{"hyperx", "4x4:2", "dimension-order", Pattern::Uniform, 0.3};
  const TrafficPoint even = measured(run);
  run.bursts = {.on = Picoseconds{1'000'000}, .off = Picoseconds{1'000'000}};
  const TrafficPoint bursts = measured(run);
  EXPECT_NEAR(bursts.offered / even.offered, 1, 0.1);
  EXPECT_GT(bursts.mean, 1.1 * even.mean);
}

}  // namespace
}  // namespace psim::net
