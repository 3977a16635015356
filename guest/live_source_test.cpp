// SPDX-License-Identifier: Apache-2.0
#include "guest/live_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "guest/testing/tiny_program.h"

namespace psim::isa {
namespace {

using testing::TinyProgram;

constexpr std::uint32_t kTrapSystemCall = 0x91d0206d;  // ta 0x6d
constexpr std::uint32_t kMovG1 = 0x82102000;           // mov N, %g1
constexpr std::uint32_t kMovO0 = 0x90102000;           // mov N, %o0
constexpr std::uint32_t kReadTick = 0x91410000;        // rd %tick, %o0
constexpr std::uint32_t kNothing = 0x01000000;
constexpr std::uint32_t kCountDown = 0x82a06001;  // subcc %g1, 1, %g1
constexpr std::uint32_t kBranchNotZero = 0x12800000;
constexpr std::uint32_t kBranchNotZeroAnnul = 0x32800000;
constexpr std::uint32_t kBranchZeroAnnul = 0x22800000;
constexpr std::uint32_t kBackward = 0x3ffffe;      // branch displacement of two words backwards
constexpr std::uint32_t kLoadFromO0 = 0xd05a2000;  // ldx [%o0], %o0
constexpr std::uint32_t kLoadFromSp = 0xd05ba7ff;  // ldx [%sp + 2047], %o0

std::uint32_t straight(LiveSource& source, std::array<InstructionRecord, 8>& records) {
  return source.next_straight(0, InstructionSource::kAnyPc, 32, 8,
                              {records.data(), sizeof(InstructionRecord)});
}

bool operator==(const InstructionRecord& a, const InstructionRecord& b) {
  return a.pc == b.pc && a.address == b.address && a.target == b.target &&
         a.instruction->word == b.instruction->word && a.kind == b.kind && a.window == b.window &&
         a.taken == b.taken && a.annulled_slot == b.annulled_slot && a.region_marker == b.region_marker &&
         a.signal == b.signal && a.simd == b.simd && a.sbm == b.sbm && a.pes == b.pes;
}

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

TEST(LiveSource, AStraightPullStopsBeforeAnAccessToADevice) {
  std::array<InstructionRecord, 8> records;
  for (const bool device : {false, true}) {
    TinyProgram program({kNothing, kLoadFromSp, kMovG1 | 188, kTrapSystemCall});
    Executor& executor = program.process().executor;
    const std::uint64_t stack = executor.state().r[14] + 2047;
    executor.set_device(device ? stack : stack - 8, 8);
    LiveSource source(program.process());
    EXPECT_EQ(straight(source, records), device ? 1u : 2u);
    EXPECT_EQ(straight(source, records), device ? 0u : 1u);
    if (!device) continue;
    ASSERT_EQ(source.next(0, false, records[0]), Pull::Record);
    EXPECT_EQ(records[0].address, stack);
    EXPECT_EQ(straight(source, records), 1u);
  }
}

// A loop of three rounds, annulled and executed slots, a marker and a system call.
TEST(LiveSource, StraightPullsDeliverTheRecordsOfSinglePulls) {
  const std::vector<std::uint32_t> words{kMovG1 | 3,
                                         kNothing,
                                         kCountDown,
                                         kNothing,
                                         kBranchNotZero | kBackward,
                                         kNothing,
                                         kBranchZeroAnnul | 3,  // taken: its slot is executed
                                         kNothing,
                                         kNothing,
                                         kBranchNotZeroAnnul | 2,  // not taken: its slot is annulled
                                         kNothing,
                                         kNothing,
                                         region_marker::kEnd,
                                         kMovG1 | 188,
                                         kTrapSystemCall};
  std::vector<InstructionRecord> single, in_blocks;
  TinyProgram program(words), other(words);
  LiveSource one_by_one(program.process()), source(other.process());
  InstructionRecord record;
  while (one_by_one.next(0, true, record) == Pull::Record) single.push_back(record);
  std::array<InstructionRecord, 8> block;
  std::uint32_t most = 0;
  for (;;) {
    if (const std::uint32_t n = straight(source, block); n != 0) {
      for (std::uint32_t i = 0; i < n; ++i) {
        EXPECT_EQ(block[i].pc, block[0].pc + 4 * i);
        EXPECT_EQ(block[i].pc / 32, block[0].pc / 32);
        EXPECT_TRUE(i + 1 == n || block[i].instruction->branch == BranchKind::None);
      }
      in_blocks.insert(in_blocks.end(), block.begin(), block.begin() + n);
      most = std::max(most, n);
    } else if (source.next(0, true, record) == Pull::Record) {
      in_blocks.push_back(record);
    } else {
      break;
    }
  }
  ASSERT_EQ(single.size(), in_blocks.size());
  for (std::size_t i = 0; i < single.size(); ++i) EXPECT_TRUE(single[i] == in_blocks[i]) << "record " << i;
  EXPECT_EQ(most, 3u);  // the loop up to its branch
  EXPECT_EQ(source.records(), one_by_one.records());
}

// The rounds of a loop of three, of which the last branch is not taken.
TEST(LiveSource, ExpectedRecordsAreFollowedUpToTheFirstOther) {
  TinyProgram program({kMovG1 | 3, kNothing, kCountDown, kLoadFromSp, kBranchNotZero | kBackward, kNothing,
                       kNothing, kReadTick});
  LiveSource source(program.process());
  std::vector<InstructionRecord> expected(8);
  for (int before = 0; before < 2; ++before) ASSERT_EQ(source.next(0, false, expected[0]), Pull::Record);
  for (std::size_t i = 0; i < 4; ++i) ASSERT_EQ(source.next(0, false, expected[i]), Pull::Record);
  ASSERT_TRUE(expected[2].taken);
  std::copy_n(expected.begin(), 4, expected.begin() + 4);
  const std::uint64_t address = std::exchange(expected[1].address, 0);  // addresses may differ
  std::array<InstructionRecord, 8> followed;
  ASSERT_EQ(source.follow(1, expected, {followed.data(), sizeof(InstructionRecord)}), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(same_path(followed[i], expected[i])) << "record " << i;
  EXPECT_EQ(followed[1].address, address);
  EXPECT_EQ(source.records(), 12u);
  ASSERT_EQ(straight(source, followed), 1u);
  EXPECT_EQ(followed[0].pc, expected[2].pc);
  EXPECT_FALSE(followed[0].taken);
}

TEST(LiveSource, AStraightPullEndsBeforeAFaultAndATimedInstruction) {
  std::array<InstructionRecord, 8> block;
  InstructionRecord record;
  TinyProgram fault({kMovO0 | 8, kLoadFromO0, kNothing});
  LiveSource source(fault.process());
  EXPECT_EQ(straight(source, block), 1u);
  EXPECT_EQ(straight(source, block), 0u);
  EXPECT_EQ(source.next(0, false, record), Pull::End);
  EXPECT_TRUE(fault.process().ending()->by_signal);

  TinyProgram timed({kNothing, kNothing, kReadTick, kNothing});
  LiveSource clock(timed.process());
  EXPECT_EQ(straight(clock, block), 2u);
  EXPECT_EQ(straight(clock, block), 0u);
  EXPECT_EQ(clock.next(0, false, record), Pull::WaitUntilOldest);
}

}  // namespace
}  // namespace psim::isa
