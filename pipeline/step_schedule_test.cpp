// SPDX-License-Identifier: Apache-2.0
#include "pipeline/step_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "pipeline/memory/memory_level.h"
#include "pipeline/testing/systemc_test.h"

namespace psim::pipeline {
namespace {

constexpr std::uint64_t kPartPeriod = 10, kAhead = 200;

/// Steps `cycles` cycles, and observes how far it is ahead of another part.
class CountingPart : public SelfTimed {
 public:
  CountingPart(const char* name, std::uint64_t cycles) : SelfTimed(name, kPartPeriod), cycles_(cycles) {}
  std::uint64_t step_cycles() override {
    ++turns;
    const std::uint64_t last = last_free_cycle();
    for (; now <= last; ++now) {
      if (now == cycles_) return kNever;
      if (other) most_ahead = std::max(most_ahead, now - std::min(now, other->now));
    }
    return now;
  }
  const CountingPart* other = nullptr;
  std::uint64_t now = 0, turns = 0, most_ahead = 0;

 private:
  const std::uint64_t cycles_;
};

/// Observes the cycles that parts have stepped at given times.
class PartWitness : public sc_core::sc_module {
 public:
  PartWitness(const char* name, const CountingPart& part, std::uint64_t every, int times)
      : sc_module(name), part_(part), every_(every), left_(times) {
    SC_HAS_PROCESS(PartWitness);
    SC_METHOD(look);
  }
  std::vector<std::uint64_t> seen;

 private:
  void look() {
    seen.push_back(part_.now);
    if (left_-- > 0) next_trigger(sc_core::sc_time::from_value(every_));
  }
  const CountingPart& part_;
  const std::uint64_t every_;
  int left_;
};

using StepScheduleTest = testing::SystemCTest;

TEST_F(StepScheduleTest, PartsTakeTurnsAndNoneIsFurtherAheadThanAllowed) {
  StepSchedule schedule("schedule", kAhead, [] { return false; });
  CountingPart a("a", 1000), b("b", 1000);
  a.other = &b, b.other = &a;
  schedule.add(a);
  schedule.add(b);
  sc_core::sc_start();
  EXPECT_EQ(a.now, 1000u);
  EXPECT_EQ(b.now, 1000u);
  EXPECT_EQ(std::max(a.most_ahead, b.most_ahead), kAhead / kPartPeriod);
  EXPECT_LE(a.turns, 1000 / (kAhead / kPartPeriod) + 2);
}

TEST_F(StepScheduleTest, APartThatHasEndedRunsNoMore) {
  StepSchedule schedule("schedule", kAhead, [] { return false; });
  CountingPart a("a", 30), b("b", 1000);
  schedule.add(a);
  schedule.add(b);
  sc_core::sc_start();
  EXPECT_EQ(a.now, 30u);
  EXPECT_LE(a.turns, 4u);
  EXPECT_EQ(b.now, 1000u);
}

TEST_F(StepScheduleTest, NoPartPassesAnEventOfAnotherModule) {
  StepSchedule schedule("schedule", kAhead, [] { return false; });
  CountingPart a("a", 1000), b("b", 1000);
  schedule.add(a);
  schedule.add(b);
  PartWitness witness("witness", b, 55, 3);
  sc_core::sc_start();
  // The cycles up to the time of the event are free: those of 0, 10, … 50 at time 55.
  EXPECT_THAT(witness.seen, ::testing::ElementsAre(::testing::Le(1), 6, 12, 17));
  EXPECT_EQ(b.now, 1000u);
}

TEST_F(StepScheduleTest, NoPartRunsAfterTheEnd) {
  StepSchedule schedule("schedule", kAhead, [] { return true; });
  CountingPart a("a", 1000);
  schedule.add(a);
  sc_core::sc_start(sc_core::sc_time::from_value(100'000));
  EXPECT_EQ(a.now, 0u);
}

}  // namespace
}  // namespace psim::pipeline
