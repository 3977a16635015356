// SPDX-License-Identifier: Apache-2.0
#include "cosim/paces.h"

#include <gtest/gtest.h>

#include "pipeline/functional_core.h"

namespace psim::cosim {
namespace {

using pipeline::FunctionalCore;
constexpr std::uint64_t kCycle = FunctionalCore::kCycle;

isa::RegionMarker mark(const std::string& name, bool begin, bool call = false) {
  isa::RegionMarker marker;
  marker.name = name, marker.begin = begin, marker.call = call, marker.first_thread = true;
  return marker;
}

pipeline::Totals totals(std::uint64_t cycles, std::uint64_t instructions) {
  pipeline::Totals totals;
  totals.cycles = cycles, totals.instructions = instructions;
  return totals;
}

TEST(PaceHistory, ForgetsOnlySumsThatAreNotNeededAgain) {
  PaceHistory history;
  EXPECT_EQ(history.until(1000).instructions, 0u);
  for (std::uint64_t time = 100; time <= 1000; time += 100)
    history.add(time, {10, 5}, time < 400 ? 0 : time - 400);
  EXPECT_EQ(history.until(1000).instructions, 50u);
  EXPECT_EQ(history.until(999).instructions, 45u);
  EXPECT_EQ(history.until(600).cycles, 60u);
}

TEST(Paces, FollowTheCyclesOfTheSameRegionANoticeBefore) {
  Paces paces(0, 100);
  EXPECT_TRUE(paces.measured());
  EXPECT_EQ(paces.first(), kCycle);
  std::uint64_t asleep = 0;
  PaceMeter meter(paces, [&] { return asleep; });
  meter.on_mark(mark("work", true), totals(1000, 2000));  // outside: half a cycle per instruction
  EXPECT_EQ(paces.at({"", false}, 1050), kCycle) << "nothing is measured yet";
  meter.on_mark(mark("work", false), totals(7000, 4000));  // 3 cycles per instruction
  EXPECT_EQ(paces.at({"work", false}, 7099), kCycle / 2) << "only the whole program until then";
  EXPECT_EQ(paces.at({"work", false}, 7100), 3 * kCycle);
  asleep = 2000;
  meter.on_mark(mark("MPI_Wait", true, true), totals(11000, 6000));  // outside: 2000 awake, 2000 instructions
  EXPECT_EQ(paces.at({"", false}, 11100), 3 * kCycle / 4);
  EXPECT_EQ(paces.at({"work", true}, 11100), 3 * kCycle / 2) << "as in the whole program";

  std::uint64_t pace = paces.first();
  PaceFollower follower(paces, pace);
  follower.on_mark(mark("work", true), totals(12000, 1));
  EXPECT_EQ(pace, 3 * kCycle);
}

TEST(Paces, AFixedPaceIsThatOfTheUser) {
  EXPECT_FALSE(Paces(2.5, 100).measured());
  EXPECT_EQ(Paces(2.5, 100).first(), 5 * kCycle / 2);
}

}  // namespace
}  // namespace psim::cosim
