// SPDX-License-Identifier: Apache-2.0
#include "base/run_progress.h"

#include <gtest/gtest.h>

namespace psim {
namespace {

TEST(RunProgress, SaysHowManyEndedAndHowFarTheOthersAre) {
  const std::vector<TaskView> views{{true, true, 9'000'000}, {true, false, 1'540'000}, {false, false, 0}};
  EXPECT_EQ(progress_line(12.3, {"a", "dgemm simd 256", "c"}, views),
            "12 s, 25 s left: 1 of 3 simulations  dgemm simd 256: 1.5 M cycles");
}

TEST(RunProgress, KnowsNothingBeforeTheFirstEnds) {
  EXPECT_EQ(progress_line(12.3, {"a", "b"}, {{true, false, 0}, {false, false, 0}}),
            "12 s, time left unknown: 0 of 2 simulations  a");
}

}  // namespace
}  // namespace psim
