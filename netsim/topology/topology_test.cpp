// SPDX-License-Identifier: Apache-2.0
// Properties of every topology and every routing of the table.
#include "netsim/topology/topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/error.h"
#include "base/sanitized.h"
#include "netsim/testing/routing.h"

namespace psim::net {
namespace {

using testing::ChosenLoad;
using testing::config;

/// Small shapes of every kind, in addition to the table's examples.
const std::vector<std::pair<std::string, std::string>> kShapes{{"torus", "1"},
                                                               {"torus", "5x4"},
                                                               {"torus", "4x4x3"},
                                                               {"torus", "2x3x1x5"},
                                                               {"torus", "2x2x2x2x2x2"},
                                                               {"mesh", "6"},
                                                               {"mesh", "3x4x2"},
                                                               {"tofu", "1x1x1"},
                                                               {"tofu", "2x1x3"},
                                                               {"tofu", "4x1x1"},
                                                               {"crossbar", "1"},
                                                               {"crossbar", "9"},
                                                               {"star", "3"},
                                                               {"fat-tree", "5"},
                                                               {"fat-tree", "3x3x3"},
                                                               {"fat-tree", "1x2x3"},
                                                               {"fat-tree", "4x3x2x2:1x2x3x1"},
                                                               {"fat-tree", "2x5:1x3"},
                                                               {"fat-tree", "3x4:1x1"},
                                                               {"dragonfly", "2x1x1"},
                                                               {"dragonfly", "4x2x2:consecutive"},
                                                               {"dragonfly", "4x1x2x5"},
                                                               {"dragonfly", "3x2x3x3:consecutive"},
                                                               {"dragonfly", "4x2x1x1"},
                                                               {"dragonfly", "1x1x4"},
                                                               {"dragonfly", "2x3x3x2"},
                                                               {"full", "6"},
                                                               {"full", "8x4"},
                                                               {"full", "3x4:1"},
                                                               {"full", "2x2:3"},
                                                               {"full", "3x4"},
                                                               {"dragonfly+", "2x2x2x1"},
                                                               {"dragonfly+", "3x2x1x2x3"},
                                                               {"dragonfly+", "2x3x2x2x1"},
                                                               {"dragonfly+", "2x4x1x1x2"},
                                                               {"dragonfly+", "1x1x2x3"},
                                                               {"hyperx", "5"},
                                                               {"hyperx", "1x4:2"},
                                                               {"hyperx", "3x4:2"},
                                                               {"hyperx", "2x3x1x4:1:2x1x1x3"},
                                                               {"hypercube", "1:3"},
                                                               {"hypercube", "4"},
                                                               {"slim-fly", "3:1"},
                                                               {"slim-fly", "4:2"},
                                                               {"slim-fly", "5"},
                                                               {"express-mesh", "9:4"},
                                                               {"express-mesh", "7x1x5:2"},
                                                               {"express-mesh", "6x2:3"}};

/// Calls `test` for every small shape with every routing of its kind, with exactly the virtual channels that
/// it needs, and with more.
void for_each(const std::function<void(const Network&, const std::string& what)>& test) {
  for (const TopologyKind& kind : topology_kinds()) {
    for (const auto& [name, shape] : kShapes) {
      if (name != kind.name) continue;
      std::istringstream routings(kind.routings);
      for (std::string routing; routings >> routing;)
        for (std::uint32_t vcs = 1; vcs <= 5; vcs += kSanitized ? 2 : 1) {
          const std::string what = name + " " + shape + " " + routing + " " + std::to_string(vcs);
          try {
            test(make_topology(config(name, shape, routing, vcs), 0), what);
          } catch (const UserError& error) {
            EXPECT_THAT(error.what(),
                        ::testing::StartsWith("router.virtual_channels = " + std::to_string(vcs)));
            EXPECT_LT(vcs, 4u) << what << ": " << error.what();
            continue;
          }
        }
    }
  }
}

TEST(EveryTopology, LeadsBackByEveryChannelAndGivesEveryNodeItsPort) {
  for_each([](const Network& network, const std::string& what) {
    EXPECT_EQ(testing::check_graph(network.graph), "") << what;
  });
}

TEST(EveryRouting, ReachesEveryNodeByChannelsThatTheDeadlockCheckHasSeen) {
  for_each([](const Network& network, const std::string& what) {
    const bool minimal =
        what.find("dragonfly") == std::string::npos && what.find("full") == std::string::npos &&
        what.find("express") == std::string::npos && what.find("valiant") == std::string::npos;
    EXPECT_EQ(testing::walk_all(network, minimal, 2), "") << what;
  });
}

TEST(EveryRouting, ReachesEveryNodeWhateverTheLoadIs) {
  for_each([](const Network& network, const std::string& what) {
    if (network.graph.nodes() > 64) return;
    ChosenLoad load;
    for (std::uint16_t port = 0; port < 16; ++port) {
      load.queue[port] = port * 7919u % 11;
      for (std::uint8_t vc = 0; vc < 5; ++vc)
        if ((port * 31 + vc * 17) % 5 < 3) load.full.insert({port, vc});
    }
    for (std::uint32_t from = 0; from < network.graph.nodes(); ++from)
      for (std::uint32_t to = 0; to < network.graph.nodes(); ++to)
        EXPECT_EQ(testing::walk(network, from, to, 5, load).problem, "") << what;
  });
}

TEST(EveryRouting, ReportsTheVirtualChannelsItNeedsAndRunsOnThem) {
  for_each([](const Network& network, const std::string& what) {
    const std::uint32_t vcs = static_cast<std::uint32_t>(what.back() - '0');
    EXPECT_LE(network.routing->virtual_channels(), vcs) << what;
  });
}

TEST(EveryTopology, OfTheTableHasAValidExample) {
  for (const TopologyKind& kind : topology_kinds()) {
    if (kind.name == "file") continue;
    const Network network = make_topology(config(kind.name, kind.example), 0);
    EXPECT_EQ(testing::check_graph(network.graph), "");
    EXPECT_EQ(network.routing_name, kind.routings.substr(0, kind.routings.find(' ')));
  }
}

TEST(EveryTopology, IsBuiltAgainFromTheShapeItReports) {
  for (const auto& [kind, shape] : kShapes) {
    const Network once = make_topology(config(kind, shape, "", 4), 0);
    const Network again = make_topology(config(kind, once.shape, "", 4), once.graph.nodes());
    EXPECT_EQ(again.shape, once.shape);
    EXPECT_EQ(again.graph.channels.size(), once.graph.channels.size());
  }
}

}  // namespace
}  // namespace psim::net
