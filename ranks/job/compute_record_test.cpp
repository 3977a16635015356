// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/compute_record.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace psim::net {
namespace {

std::string problem(const std::string& text) {
  try {
    ComputeRecord::parse("times", text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(ComputeRecord, ReadsWhatItWrites) {
  const ComputeRecord record{.path = "times", .times = {{1200, 0, 35}, {}, {7}}};
  EXPECT_EQ(record.text(), "psim compute 1\nranks 3\n0: 1200 0 35\n1:\n2: 7\n");
  EXPECT_EQ(ComputeRecord::parse("times", record.text()).times, record.times);
}

TEST(ComputeRecord, NamesTheLineThatIsWrong) {
  EXPECT_THAT(problem(""), ::testing::HasSubstr("no record"));
  EXPECT_THAT(problem("{}\n"), ::testing::StartsWith("times:1: {}: no record"));
  EXPECT_THAT(problem("psim compute 1\nrank 3\n"),
              ::testing::StartsWith("times:2: rank 3: expected 'ranks N'"));
  EXPECT_THAT(problem("psim compute 1\nranks 2\n0: 1\n"), ::testing::HasSubstr("expected times of 2 ranks"));
  EXPECT_THAT(problem("psim compute 1\nranks 1\n1: 1\n"),
              ::testing::HasSubstr("times:3: 1: 1: expected '0:'"));
  EXPECT_THAT(problem("psim compute 1\nranks 1\n0: -1\n"),
              ::testing::HasSubstr("expected nanoseconds from 0"));
  EXPECT_THAT(problem("psim compute 1\nranks 1\n0: 1\nmore\n"),
              ::testing::HasSubstr("times:4: more: expected the end"));
  EXPECT_THAT(problem(""), ::testing::StartsWith("times: is empty"));
  EXPECT_THAT(problem("psim compute 1\nranks 1\n0: 1200 3"),
              ::testing::HasSubstr("times:3: 0: 1200 3: the line has no end"));
}

}  // namespace
}  // namespace psim::net
