// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/compute_meter.h"

#include <gtest/gtest.h>

namespace psim::net {
namespace {

std::uint64_t now = 0;
std::uint64_t look_takes_30_ns() { return now += 30; }

TEST(ComputeMeter, LeavesOutTheReadingOfTheClock) {
  ComputeMeter meter(true, &look_takes_30_ns);
  meter.start();
  now += 1'000;
  EXPECT_EQ(meter.read(), 1'000u);
  meter.start();
  EXPECT_EQ(meter.read(), 0u);
}

TEST(ComputeMeter, ReadsNoClockWhileItIsOff) {
  const std::uint64_t before = now;
  ComputeMeter(false, &look_takes_30_ns).start();
  EXPECT_EQ(now, before);
}

TEST(ComputeMeter, SeesTheProcessorTimeOfItsThread) {
  ComputeMeter meter(true);
  const std::uint64_t begin = ComputeMeter::processor_time();
  meter.start();
  while (ComputeMeter::processor_time() < begin + 2'000'000) {
  }
  EXPECT_GE(meter.read(), 1'000'000u);  // 1 of 2 ms: the first reading of the clock may have been slow
}

}  // namespace
}  // namespace psim::net
