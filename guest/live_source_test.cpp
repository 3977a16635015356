// SPDX-License-Identifier: Apache-2.0
#include "guest/live_source.h"

#include <gtest/gtest.h>

#include "guest/testing/tiny_program.h"

namespace psim::isa {
namespace {

using testing::TinyProgram;

constexpr std::uint32_t kTrapSystemCall = 0x91d0206d;  // ta 0x6d
constexpr std::uint32_t kMovG1 = 0x82102000;           // mov N, %g1
constexpr std::uint32_t kMovO0 = 0x90102000;           // mov N, %o0
constexpr std::uint32_t kReadTick = 0x91410000;        // rd %tick, %o0

TEST(LiveSource, ATimedInstructionWaitsUntilItIsTheOldest) {
  TinyProgram program({kMovG1 | 188, kMovO0 | 7, kTrapSystemCall});
  LiveSource source(program.process());
  InstructionRecord record;
  EXPECT_EQ(source.next(0, false, record), Pull::Record);
  EXPECT_EQ(source.next(0, false, record), Pull::Record);
  EXPECT_EQ(source.next(1, false, record), Pull::WaitUntilOldest);
  EXPECT_EQ(source.next(5, false, record), Pull::WaitUntilOldest);
  source.next(6, true, record);
  EXPECT_EQ(source.next(7, true, record), Pull::End);
  EXPECT_EQ(program.process().ending()->code, 7);
}

TEST(LiveSource, TheTickIsTheCycleOfThePull) {
  TinyProgram program({kReadTick, kMovG1 | 188, kTrapSystemCall});
  LiveSource source(program.process());
  InstructionRecord record;
  ASSERT_EQ(source.next(77, true, record), Pull::Record);
  EXPECT_EQ(program.process().executor.state().r[8], 77u);
}

TEST(LiveSource, AMarkerIsReportedWithItsArguments) {
  TinyProgram program(
      {kMovO0 | 0, 0x92102005 /* mov 5, %o1 */, region_marker::kBegin + 1, region_marker::kEnd});
  LiveSource source(program.process());
  InstructionRecord record;
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(source.next(0, true, record), Pull::Record);
    EXPECT_FALSE(record.region_marker);
  }
  source.next(0, true, record);
  EXPECT_TRUE(record.region_marker);
  source.next(0, true, record);
  EXPECT_TRUE(record.region_marker);
  const RegionMarker begin = source.take_region(), end = source.take_region();
  EXPECT_TRUE(begin.begin);
  EXPECT_EQ(begin.name, "?");  // %o0 is no address
  EXPECT_EQ(begin.arguments, std::vector<std::int64_t>{5});
  EXPECT_FALSE(end.begin);
}

}  // namespace
}  // namespace psim::isa
