// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <gtest/gtest.h>

namespace psim {
namespace {

TEST(Progress, WritesDurationsAsPeopleDo) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(250), "4 min 10 s");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
}

TEST(Progress, EstimatesFromTheShareThatIsDone) {
  EXPECT_EQ(time_left(10, 0.25), "30 s left");
  EXPECT_EQ(time_left(10, 1), "0 s left");
  EXPECT_EQ(time_left(10, 0), "time left unknown");
}

TEST(Progress, NamesTheEndOnlyWhereItIsKnown) {
  EXPECT_EQ(instructions_line(10, 20'000'000, 0, {}), "10 s: 20.0 M instructions, 2.00 M instructions/s");
  EXPECT_EQ(instructions_line(10, 20'000'000, 30'000'000, {80'000'000}),
            "10 s, 30 s left, 25 % done: 20.0 M instructions, 30.0 M cycles, 2.00 M instructions/s");
  EXPECT_EQ(instructions_line(10, 20'000'000, 0, {80'000'000, true}),
            "10 s, at most 30 s left, 25 % done: 20.0 M instructions, 2.00 M instructions/s");
}

}  // namespace
}  // namespace psim
