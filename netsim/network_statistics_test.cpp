// SPDX-License-Identifier: Apache-2.0
// Statistics of a network on traffic whose numbers are known by hand: 1 ns per byte, 100 ns per hop.
#include "netsim/network_statistics.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/statistics/print.h"
#include "netsim/testing/script.h"

namespace psim::net {
namespace {

using testing::easy_network;
using testing::Script;

nlohmann::ordered_json statistics_of(Script& script) {
  const NetworkStatistics counted(script.simulation());
  statistics::Registry registry;
  counted.add_to(registry);
  return to_json(registry.read(registry.snapshot()));
}

// Both packets, of 1000 bytes, are for node 2. That of node 1 requests the link from router 1 to router 2 at
// 10 + 5 ns and has it until 1015 ns; that of node 0 requests it at 10 + 100 + 5 ns and waits for 900 ns.
TEST(NetworkStatistics, APacketWaitsForALinkThatIsTaken) {
  Script script(easy_network(), {{0, 0, 2, 1000}, {0, 1, 2, 1000}});
  const auto seen = statistics_of(script);
  EXPECT_EQ(seen["interfaces"]["messages"], 2);
  EXPECT_EQ(seen["interfaces"]["packets"], 2);
  EXPECT_EQ(seen["interfaces"]["bytes"], 2000);
  EXPECT_DOUBLE_EQ(seen["interfaces"]["hops"].get<double>(), 1.5);
  // The first takes 10 + 200 + 80 + 10 + 1000 ns and its wait, the second 10 + 100 + 80 + 10 + 1000 ns.
  EXPECT_DOUBLE_EQ(seen["interfaces"]["latency"].get<double>(), (1300 + 900 + 1200) * 0.5e-9);
  EXPECT_EQ(seen["routers"]["packet_hops"], 3);
  EXPECT_EQ(seen["routers"]["grants"], 3 + 2);  // two of them to node 2
  EXPECT_EQ(seen["routers"]["waits"], 1);
  EXPECT_DOUBLE_EQ(seen["routers"]["wait"].get<double>(), 900e-9 / 5);
  EXPECT_EQ(seen["routers"]["credit_stalls"], 0);
  EXPECT_EQ(seen["links"]["count"], 64 * 4);
  EXPECT_EQ(seen["links"]["packets"], 3);
  EXPECT_EQ(seen["links"]["bytes"], 3000);
  EXPECT_DOUBLE_EQ(seen["links"]["busy"].get<double>(), 3000e-9);
  EXPECT_DOUBLE_EQ(seen["links"]["utilization"].get<double>(), 3000.0 / (256 * 2200.0));
}

// Two packets of node 1 for node 2, with room for one in each buffer. The first leaves router 1 from 15 to
// 1015 ns, so the second enters at 1025 ns and requests the link at 1040 ns, when it is free. Router 2 passes
// the first on from 115 to 1115 ns, and the credit reaches router 1 100 ns later.
TEST(NetworkStatistics, APacketStallsForCredit) {
  NetworkConfig config = easy_network();
  config.router.buffer = Bytes{1024};
  Script script(config, {{0, 1, 2, 1000}, {0, 1, 2, 1000}});
  const auto routers = statistics_of(script)["routers"];
  EXPECT_EQ(routers["waits"], 1);
  EXPECT_EQ(routers["credit_stalls"], 1);
  EXPECT_DOUBLE_EQ(routers["credit_stall"].get<double>(), (1115 + 100 - 1040) * 1e-9);
}

}  // namespace
}  // namespace psim::net
