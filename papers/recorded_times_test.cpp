// SPDX-License-Identifier: Apache-2.0
#include "papers/recorded_times.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace psim::reproduce {
namespace {

const std::string kOne = "psim compute 1\nranks 2\n0: 100 20 3000\n1: 50 60\n";

TEST(RecordedTimes, TheLeastOfEachTimeRemains) {
  EXPECT_EQ(least_times({kOne, "psim compute 1\nranks 2\n0: 90 25 9000\n1: 70 55\n"}),
            "psim compute 1\nranks 2\n0: 90 20 3000\n1: 50 55\n");
  EXPECT_EQ(least_times({kOne}), kOne);
}

TEST(RecordedTimes, RecordingsOfOtherProgramsAreRefused) {
  EXPECT_THROW(least_times({}), std::runtime_error);
  EXPECT_THROW(least_times({kOne, "psim compute 1\nranks 2\n0: 100 20\n1: 50 60\n"}), std::runtime_error);
  EXPECT_THROW(least_times({kOne, "psim compute 1\nranks 3\n0: 1 2 3\n1: 4 5\n"}), std::runtime_error);
  EXPECT_THROW(least_times({kOne, "psim compute 1\nranks 2\n0: 1 2 3\n"}), std::runtime_error);
}

}  // namespace
}  // namespace psim::reproduce
