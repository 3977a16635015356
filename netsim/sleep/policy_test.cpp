// SPDX-License-Identifier: Apache-2.0
#include "netsim/sleep/policy.h"

#include <gtest/gtest.h>

#include <vector>

#include "netsim/testing/script.h"

namespace psim::net {

bool operator==(const Rest& a, const Rest& b) {
  return a.low == b.low && a.delay == b.delay && a.again == b.again;
}

namespace {

Rest predicted(std::uint64_t idle, std::uint64_t expected) {
  return rest(SleepPolicy::Predict, idle, 50, 7, expected);
}

TEST(PredictedRest, EndsTWakeBeforeThePacketIsExpected) {
  EXPECT_EQ(predicted(49, 100), (Rest{0, 0}));
  EXPECT_EQ(predicted(50, 100), (Rest{0, 7})) << "low power has been reached, as with fixed";
  EXPECT_EQ(predicted(93, 100), (Rest{43, 7})) << "it had not begun to wake";
  EXPECT_EQ(predicted(94, 100), (Rest{43, 6})) << "it had for one";
  EXPECT_EQ(predicted(99, 100), (Rest{43, 1}));
  EXPECT_EQ(predicted(100, 100), (Rest{43, 0})) << "on time";
  EXPECT_EQ(predicted(149, 100), (Rest{43, 0})) << "awake in vain so far";
  EXPECT_EQ(predicted(150, 100), (Rest{43, 7, 0})) << "and asleep again";
  EXPECT_EQ(predicted(190, 100), (Rest{43, 7, 40}));
}

TEST(PredictedRest, IsAFixedOneWhereNoRestIsExpected) {
  for (const std::uint64_t expected : {0u, 5u, 57u})
    for (const std::uint64_t idle : {49u, 50u, 80u, 1'000u})
      EXPECT_EQ(predicted(idle, expected), rest(SleepPolicy::Fixed, idle, 50, 7)) << idle << " " << expected;
  EXPECT_EQ(predicted(1'000, 58), (Rest{1, 7, 892})) << "low from 50 until 51, again from 108";
}

TEST(Habit, LearnsRegularTimes) {
  Habit habit;
  EXPECT_EQ(habit.expected(), 0u);
  habit.learn(1'000'000);
  EXPECT_EQ(habit.expected(), 0u) << "once is no habit";
  for (int i = 0; i < 60; ++i) habit.learn(1'000'000);
  EXPECT_EQ(habit.mean, 1'000'000u);
  EXPECT_EQ(habit.expected(), 999'994u);
}

TEST(Habit, ExpectsLittleOfVaryingTimes) {
  Habit habit;
  for (int i = 0; i < 100; ++i) habit.learn(i % 2 == 0 ? 100'000 : 300'000);
  EXPECT_EQ(habit.mean, 206'664u);
  EXPECT_EQ(habit.expected(), 0u) << "mean less two deviations";
}

TEST(Predict, RegularMessagesWaitNoLongerOnceItHasLearned) {
  // A message every 200 us over two links, T_s 50 us, T_w 7 us.
  NetworkConfig config;
  config.topology.kind = "crossbar";
  config.topology.shape = "2";
  const auto run = [&](SleepPolicy policy) {
    config.link.sleep = {policy, Picoseconds{50'000'000}, Picoseconds{7'000'000}, {}};
    std::vector<testing::Sent> sent;
    for (std::uint64_t i = 0; i < 60; ++i) sent.push_back({i * 200'000'000, 0, 1, 1'000});
    testing::Script script(config, sent);
    script.simulation().gather();
    std::uint64_t late = 0;
    for (std::size_t i = 40; i < sent.size(); ++i) late += script.took(i) - script.took(0);
    std::uint64_t low = 0;
    for (const LinkSleep::Direction& direction : script.simulation().sleep()->directions())
      low += direction.low;
    return std::pair(late, low);
  };
  const auto [fixed_late, fixed_low] = run(SleepPolicy::Fixed);
  const auto [known_late, known_low] = run(SleepPolicy::Known);
  const auto [late, low] = run(SleepPolicy::Predict);
  EXPECT_EQ(fixed_late, 20u * 2 * 7'000'000);
  EXPECT_EQ(known_late, 0u);
  EXPECT_EQ(late, 0u);
  EXPECT_NEAR(static_cast<double>(low) / static_cast<double>(known_low), 0.9749, 1e-4);
  EXPECT_NEAR(static_cast<double>(low) / static_cast<double>(fixed_low), 0.9737, 1e-4);
}

}  // namespace
}  // namespace psim::net
