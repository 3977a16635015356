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
  EXPECT_EQ(energy.total().energy, Attojoules{3'440'000} * 4 * script.simulation().last());
}

TEST(LinkEnergy, LowPowerSavesTheDynamicPartAndEveryPartAddsUp) {
  Script script(pair(SleepPolicy::Fixed), {{5'000 * kUs, 0, 1, 1'000}});
  script.simulation().gather();
  const net::LinkSleep& sleep = *script.simulation().sleep();
  const LinkEnergy energy(sleep, script.simulation().graph(), {});
  const std::uint64_t end = script.simulation().last();
  // From node 1 and to node 0 nothing goes: active for T_s only.
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
  EXPECT_LT(routers, energy.total().energy);  // the nodes' own outputs are not theirs
  double joules_over_time = 0;
  for (std::size_t bin = 0; bin < energy.watts_over_time().size(); ++bin) {
    const std::uint64_t width = std::min(energy.bin_width(), end - bin * energy.bin_width());
    joules_over_time += energy.watts_over_time()[bin] * static_cast<double>(width) * 1e-12;
  }
  EXPECT_NEAR(joules_over_time, joules(energy.total().energy), 1e-12);
}

}  // namespace
}  // namespace psim::energy
