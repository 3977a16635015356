// SPDX-License-Identifier: Apache-2.0
#include "base/run_progress.h"

#include <gtest/gtest.h>

namespace psim {
namespace {

TEST(RunProgress, ShowsTheNumberOfEndedTasksAndTheRunningOnes) {
  const std::vector<TaskView> views{{true, true}, {true, false}, {false, false}};
  EXPECT_EQ(progress_line(12.3, {"a", "dgemm simd 256", "c"}, views),
            "12 s, 25 s left: 1 of 3 simulations  dgemm simd 256");
}

TEST(RunProgress, PredictsNothingBeforeTheFirstEnds) {
  EXPECT_EQ(progress_line(12.3, {"a", "b"}, {{true, false}, {false, false}}),
            "12 s, time left unknown: 0 of 2 simulations  a");
}

}  // namespace
}  // namespace psim
