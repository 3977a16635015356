// SPDX-License-Identifier: Apache-2.0
// Owners of awake directions: docs/decisions/0029.
#include <gtest/gtest.h>

#include <vector>

#include "netsim/sleep/link_sleep.h"
#include "netsim/testing/script.h"

namespace psim::net {
namespace {

using testing::Script;
using testing::Sent;

constexpr std::uint64_t kUs = 1'000'000;

/// Two nodes at one switch; 1 GB/s is 1 ns per byte; T_s is 50 us, T_w 7 us.
NetworkConfig pair(SleepPolicy policy) {
  NetworkConfig config;
  config.topology.kind = "crossbar";
  config.topology.shape = "2";
  config.link.bandwidth = config.nic.bandwidth = 1_GBps;
  config.link.sleep = {policy, Picoseconds{50 * kUs}, Picoseconds{7 * kUs}, {}};
  return config;
}

/// Owner 1 at 0, owner 2 at 20 us, owner 1 at 200 us, a microsecond of bytes each.
const std::vector<Sent> kInTurn{{.time = 0, .from = 0, .to = 1, .bytes = 1'000, .owner = 1},
                                {.time = 20 * kUs, .from = 0, .to = 1, .bytes = 1'000, .owner = 2},
                                {.time = 200 * kUs, .from = 0, .to = 1, .bytes = 1'000, .owner = 1}};

/// Time from a packet's injection to its request in the router.
std::uint64_t route_time(const NetworkConfig& config) {
  return static_cast<std::uint64_t>((config.nic.delay + config.router.routing).count());
}

struct Awake {
  std::uint64_t unowned, one, two, low, end;
};
Awake awake(const NetworkConfig& config, const std::vector<Sent>& sent) {
  Script script(config, sent);
  script.simulation().gather();
  const LinkSleep& sleep = *script.simulation().sleep();
  std::uint64_t low = 0, all = 0;
  for (const LinkSleep::Direction& direction : sleep.directions()) low += direction.low;
  for (const LinkSleep::Share& share : sleep.shares()) all += share.awake;
  EXPECT_EQ(all, 4 * script.simulation().last()) << "four directions, all the time";
  return {sleep.shares()[0].awake - low, sleep.shares()[1].awake, sleep.shares()[2].awake, low,
          script.simulation().last()};
}

TEST(LinkOwners, ADirectionBelongsToItsLastPacketUntilItSleepsThenToThePacketThatWakesIt) {
  // From node 0: owner 1 until 20 us, owner 2 until 21 us + T_s, low power, owner 1 from 200 us. To node 1
  // the same a way later, but for the last, which comes T_w later still.
  const NetworkConfig config = pair(SleepPolicy::Fixed);
  const Awake found = awake(config, kInTurn);
  EXPECT_EQ(found.two, 2 * 51 * kUs);
  EXPECT_EQ(found.one, 2 * 20 * kUs + (found.end - 200 * kUs) + (found.end - 207 * kUs - route_time(config)));
  EXPECT_EQ(found.unowned, route_time(config) + 2 * 50 * kUs);
  EXPECT_EQ(found.low, (200 - 71) * kUs + (207 - 71) * kUs + 2 * (found.end - 50 * kUs));
}

TEST(LinkOwners, LinksThatNeverSleepBelongToTheirLastPacket) {
  const NetworkConfig config = pair(SleepPolicy::Never);
  const Awake found = awake(config, kInTurn);
  EXPECT_EQ(found.low, 0u);
  EXPECT_EQ(found.two, 2 * 180 * kUs);
  EXPECT_EQ(found.one, 2 * 20 * kUs + (found.end - 200 * kUs) + (found.end - 200 * kUs - route_time(config)));
  EXPECT_EQ(found.unowned, route_time(config) + 2 * found.end);
}

TEST(LinkOwners, APacketKnownInTimePaysForItsWaking) {
  // From node 0 low power ends T_w before 200 us, and so does the time without an owner.
  const NetworkConfig config = pair(SleepPolicy::Known);
  const Awake found = awake(config, kInTurn);
  EXPECT_EQ(found.one, 2 * 20 * kUs + (found.end - 193 * kUs) + (found.end - 193 * kUs - route_time(config)));
  EXPECT_EQ(found.two, 2 * 51 * kUs);
}

TEST(LinkOwners, AnArrivalTakesThePortIfBothDirectionsSleepTogether) {
  // Both directions of each cable are whose packet passes one of them.
  const NetworkConfig config = pair(SleepPolicy::Port);
  const Awake found = awake(config, kInTurn);
  // The other direction, from the arrival of a packet at node 1: over two cables and a router of 95 ns, and
  // its 1,000 bytes.
  EXPECT_EQ(found.two, (3 * 51 + 50) * kUs);
  EXPECT_EQ(found.unowned, route_time(config) + route_time(config) + (5 + 95 + 5 + 1'000) * 1'000);
}

TEST(LinkOwners, WithoutOwnersNothingIsCounted) {
  Script script(pair(SleepPolicy::Fixed), {{0, 0, 1, 1'000}});
  script.simulation().gather();
  EXPECT_TRUE(script.simulation().sleep()->shares().empty());
}

}  // namespace
}  // namespace psim::net
