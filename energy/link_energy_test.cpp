// SPDX-License-Identifier: Apache-2.0
#include "energy/link_energy.h"

#include <gtest/gtest.h>

#include "netsim/testing/script.h"

namespace psim::energy {
namespace {

using net::SleepPolicy;
using net::testing::Script;

constexpr std::uint64_t kUs = 1'000'000;

net::NetworkConfig pair(SleepPolicy policy) {
  net::NetworkConfig config;
  config.topology.kind = "crossbar";
  config.topology.shape = "2";
  config.link.sleep.policy = policy;  // 600 us and 17 us, paper 002 table 2
  return config;
}

TEST(LinkEnergy, LinksThatNeverSleepDrawBaseAndDynamicPower) {
  Script script(pair(SleepPolicy::Never), {{1'000 * kUs, 0, 1, 1'000}});
  script.simulation().gather();
  const LinkEnergy energy(*script.simulation().sleep(), script.simulation().graph(), {});
  // Two nodes, each with a link of two directions.
  EXPECT_EQ(energy.total().directions, 4u);
  EXPECT_DOUBLE_EQ(energy.watts(), 4 * 3.44);
  EXPECT_DOUBLE_EQ(energy.always_on_watts(), 4 * 3.44);
  const std::uint64_t end = script.simulation().last();
  EXPECT_EQ(energy.total().energy, Attojoules{3'440'000} * 4 * end);
  // Bins reach to the end of the run, though no low power filled them.
  ASSERT_GE(energy.bin_width() * energy.watts_over_time().size(), end);
  EXPECT_LE(energy.watts_over_time().size(), net::TimeBins::kMost);
  EXPECT_DOUBLE_EQ(energy.watts_over_time().back(), 4 * 3.44);
  Attojoules dynamic = 0;
  for (const Attojoules bin : energy.dynamic_over_time()) dynamic += bin;
  EXPECT_EQ(dynamic, energy.total().energy - energy.base_energy());
}

TEST(LinkEnergy, LowPowerSavesTheDynamicPartAndEveryPartAddsUp) {
  Script script(pair(SleepPolicy::Fixed), {{5'000 * kUs, 0, 1, 1'000}});
  script.simulation().gather();
  const net::LinkSleep& sleep = *script.simulation().sleep();
  const LinkEnergy energy(sleep, script.simulation().graph(), {});
  const std::uint64_t end = script.simulation().last();
  // No packet leaves node 1 or enters node 0: active for T_s only.
  EXPECT_EQ(energy.of(sleep.directions()[sleep.of_node(1, 0)]),
            Attojoules{2'080'000} * end + Attojoules{1'360'000} * 600 * kUs);
  // From node 0: T_s, then low power up to the message at 5 ms.
  EXPECT_EQ(energy.of(sleep.directions()[sleep.of_node(0, 0)]),
            Attojoules{2'080'000} * end + Attojoules{1'360'000} * (end - 4'400 * kUs));
  Attojoules kinds = 0, routers = 0;
  for (const LinkGroup& kind : energy.kinds()) kinds += kind.energy;
  for (const LinkGroup& router : energy.routers()) routers += router.energy;
  EXPECT_EQ(kinds, energy.total().energy);
  EXPECT_EQ(energy.kinds().size(), 2u);       // no links between routers
  EXPECT_LT(routers, energy.total().energy);  // the nodes' own outputs do not count as the routers'
  double joules_over_time = 0;
  for (std::size_t bin = 0; bin < energy.watts_over_time().size(); ++bin) {
    const std::uint64_t width = std::min(energy.bin_width(), end - bin * energy.bin_width());
    joules_over_time += energy.watts_over_time()[bin] * static_cast<double>(width) * 1e-12;
  }
  EXPECT_NEAR(joules_over_time, joules(energy.total().energy), 1e-12);
}

TEST(LinkEnergy, EnergiesOfOwnersAndTheUnownedRestAddUpToTheTotal) {
  // T_s is 600 us. Owner 1 at 0, owner 2 at 100 us, both from node 0 to node 1; nothing else.
  net::NetworkConfig config = pair(SleepPolicy::Fixed);
  config.link.bandwidth = config.nic.bandwidth = 1_GBps;
  Script script(config, {{.time = 0, .from = 0, .to = 1, .bytes = 1'000, .owner = 1},
                         {.time = 100 * kUs, .from = 0, .to = 1, .bytes = 1'000, .owner = 2},
                         {.time = 5'000 * kUs, .from = 1, .to = 0, .bytes = 1'000, .owner = 1}});
  script.simulation().gather();
  const net::LinkSleep& sleep = *script.simulation().sleep();
  const LinkEnergy energy(sleep, script.simulation().graph(), {});
  ASSERT_EQ(energy.shares().size(), 3u);
  // Directions from node 0 and to node 1: owner 1 for 100 us each; owner 2 for its 1 us of packet and T_s,
  // each. From node 1: owner 1 from 5 ms on. To node 0: owner 1 from T_w and a packet's delay after its head
  // requests it.
  const std::uint64_t end = script.simulation().last();
  const std::uint64_t route_time =
      static_cast<std::uint64_t>((config.nic.delay + config.router.routing).count());
  EXPECT_EQ(energy.shares()[2].awake, 2 * 601 * kUs);
  EXPECT_EQ(energy.shares()[1].awake, 2 * 100 * kUs + (end - 5'000 * kUs) + (end - 5'017 * kUs - route_time));
  EXPECT_EQ(energy.shares()[2].energy, Attojoules{3'440'000} * 2 * 601 * kUs);
  EXPECT_EQ(energy.shares()[1].wakes, 2u);
  EXPECT_EQ(energy.shares()[2].wakes, 0u);
  // Without owner: to node 1 until the first head requests it; the other two directions for T_s; and all low
  // power.
  EXPECT_EQ(energy.shares()[0].awake, route_time + 2 * 600 * kUs);
  EXPECT_EQ(energy.shares()[0].energy, Attojoules{3'440'000} * (route_time + 2 * 600 * kUs) +
                                           Attojoules{2'080'000} * energy.total().low);
  EXPECT_EQ(energy.shares()[0].energy + energy.shares()[1].energy + energy.shares()[2].energy,
            energy.total().energy);
}

}  // namespace
}  // namespace psim::energy
