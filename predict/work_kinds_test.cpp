// SPDX-License-Identifier: Apache-2.0
#include "predict/work_kinds.h"

#include <gtest/gtest.h>

namespace psim::predict {
namespace {

using Counts = WorkKinds::Counts;

constexpr Counts kInterpreter{0.2, 0.1, 0.15, 0.1, 0.005};

TEST(WorkKinds, PutsPartsThatAreAlikeIntoOneKind) {
  WorkKinds kinds;
  EXPECT_EQ(kinds.kind_of(kInterpreter), 0u);
  Counts alike = kInterpreter;
  alike[0] += 0.2, alike[4] += 0.01;
  EXPECT_EQ(kinds.kind_of(alike), 0u);
}

TEST(WorkKinds, TellsEachCountApart) {
  for (std::size_t count = 0; count < WorkKinds::kCounts; ++count) {
    WorkKinds kinds;
    EXPECT_EQ(kinds.kind_of(kInterpreter), 0u);
    Counts other = kInterpreter;
    other[count] += 0.99 * WorkKinds::kFar / WorkKinds::kCycles[count];
    EXPECT_EQ(kinds.kind_of(other), 0u) << count;
    other[count] += 0.02 * WorkKinds::kFar / WorkKinds::kCycles[count];
    EXPECT_EQ(kinds.kind_of(other), 1u) << count;
    EXPECT_EQ(kinds.kind_of(kInterpreter), 0u) << count;
    other[count] += 0.5 * WorkKinds::kFar / WorkKinds::kCycles[count];
    EXPECT_EQ(kinds.kind_of(other), 1u) << count;
  }
}

TEST(WorkKinds, HasAtMostSomeKinds) {
  WorkKinds kinds;
  const auto part = [](std::size_t n) { return Counts{0, 0, 0, 0, 0, 0, 0, static_cast<double>(n)}; };
  for (std::size_t n = 0; n < WorkKinds::kMost; ++n) EXPECT_EQ(kinds.kind_of(part(n)), n);
  EXPECT_EQ(kinds.kind_of(part(WorkKinds::kMost + 10)), WorkKinds::kMost - 1);
}

}  // namespace
}  // namespace psim::predict
