// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "guest/live_source.h"
#include "guest/testing/tiny_program.h"
#include "guest/trace/testing/recordings.h"
#include "isa/assembler/assembler.h"
#include "isa/trace/crc32c.h"
#include "isa/trace/layout.h"
#include "isa/trace/trace_source.h"

namespace psim::isa::trace {
namespace {

using isa::testing::kTinyEntry;
using isa::testing::TinyProgram;
using ::testing::HasSubstr;
using testing::kBusyProgram;

std::string complaint_of(const std::string& trace) {
  try {
    testing::replayed(trace);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Trace, TheProgramOfTheseTestsHasWindowTrapsAndEndsWell) {
  const std::vector<std::string> records = testing::stepped(kBusyProgram);
  EXPECT_EQ(std::count_if(records.begin(), records.end(),
                          [](const std::string& r) { return r.find("kind 1") != std::string::npos; }),
            80);
  EXPECT_THAT(records.back(), HasSubstr("0x91d0206d"));
}

TEST(Trace, RecordsOfBlocksEqualThoseOfSingleSteps) {
  EXPECT_EQ(testing::replayed(testing::recorded(kBusyProgram)), testing::stepped(kBusyProgram));
}

TEST(Trace, PointersThatAreFollowedAgainCostNothing) {
  const std::string trace = testing::recorded(testing::kPointerProgram);
  EXPECT_EQ(testing::replayed(trace), testing::stepped(testing::kPointerProgram));
  EXPECT_EQ(testing::replayed(testing::recorded_live(testing::kPointerProgram)),
            testing::stepped(testing::kPointerProgram));
  // The trace holds the first round, and the addresses that the sites of both loops need until they follow.
  MemoryBytes bytes(trace);
  TraceFile file("memory", bytes);
  FrameReader frame = file.read_frame(0);
  unsigned surprises = 0;
  for (std::uint32_t at = 0; at < file.instructions(); ++at)
    for (; frame.surprises(at); ++surprises) frame.surprise(0);
  EXPECT_EQ(surprises, 64u + 70);
}

/// Rewrites the trace as version 2, in which no site follows; for programs in which none does.
std::string as_version_2(std::string trace) {
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, &trace[at], sizeof value);
    return value;
  };
  trace[8] = 2;
  for (std::size_t at = kHeadBytes; at + kTrailerBytes < trace.size(); at += kSectionBytes + number(at + 8)) {
    if (number(at) != section::kFrame) continue;
    trace[at] = static_cast<char>(section::kFrameOfVersion2);
    const std::uint32_t crc = crc32c(&trace[at], 32);
    std::memcpy(&trace[at + 32], &crc, sizeof crc);
  }
  return trace;
}

TEST(Trace, VersionTwoIsStillRead) {
  const std::string trace = testing::recorded(kBusyProgram);
  EXPECT_EQ(testing::replayed(as_version_2(trace)), testing::replayed(trace));
}

TEST(Trace, TheReplayOfALiveRunGivesAndWaitsAsThatDid) {
  TinyProgram program(assembler::words(kBusyProgram, kTinyEntry));
  LiveSource live(program.process());
  const std::string trace = testing::recorded_live(kBusyProgram);
  MemoryBytes bytes(trace);
  TraceFile file("memory", bytes);
  TraceSource replay(file);
  EXPECT_EQ(testing::pulled(replay), testing::pulled(live));
}

TEST(Trace, TheSimdExtensionIsInTheRecords) {
  const std::vector<std::string> records = testing::stepped(testing::kSimdProgram);
  EXPECT_EQ(std::count_if(records.begin(), records.end(),
                          [](const std::string& r) { return r.find(" simd sbm") != std::string::npos; }),
            6);  // three loads, three stores
  EXPECT_EQ(testing::replayed(testing::recorded(testing::kSimdProgram)), records);
}

TEST(Trace, BothStatesMayShareCode) {
  const std::vector<std::string> records = testing::stepped(testing::kBothStatesProgram);
  const auto with = [&](const char* what) {
    return std::count_if(records.begin(), records.end(),
                         [&](const std::string& r) { return r.find(what) != std::string::npos; });
  };
  EXPECT_EQ(with(" simd sbm pes 16"), 11);
  EXPECT_EQ(with(" simd pes 8"), 54);
  EXPECT_EQ(with(" sbm pes 8"), 1 + 3 * 6);  // a store in the window; three accesses by ASI, six times
  EXPECT_EQ(testing::replayed(testing::recorded(testing::kBothStatesProgram)), records);
  EXPECT_EQ(testing::replayed(testing::recorded_live(testing::kBothStatesProgram)), records);
}

TEST(Trace, BlockTransfersKeepTheirDescriptors) {
  for (const std::string& trace :
       {testing::recorded(testing::kSimdProgram), testing::recorded_live(testing::kSimdProgram)}) {
    MemoryBytes bytes(trace);
    TraceFile file("memory", bytes);
    EXPECT_EQ(file.ending().at("pes"), "16");
    TraceSource source(file);
    std::vector<BlockTransfer> transfers;
    for (InstructionRecord record; source.next(0, true, record) == Pull::Record;)
      if (record.instruction->latency == LatencyClass::BlockTransfer)
        transfers.push_back(source.transfer(record));
    ASSERT_EQ(transfers.size(), 2u);
    EXPECT_FALSE(transfers[0].put);
    EXPECT_EQ(transfers[0].pes, 0xffffu);
    EXPECT_EQ(transfers[0].pe_stride, 8);
    EXPECT_EQ(transfers[0].row_bytes, 8u);
    EXPECT_TRUE(transfers[1].put);
    EXPECT_EQ(transfers[1].sbm_offset, 8u);
    EXPECT_EQ(transfers[1].memory, transfers[0].memory);
  }
}

TEST(Trace, AWindowHoldsExactlyItsInstructions) {
  const std::vector<std::string> all = testing::replayed(testing::recorded(kBusyProgram));
  const std::vector<std::string> window =
      testing::replayed(testing::recorded(kBusyProgram, {.skip = 101, .count = 57}));
  EXPECT_EQ(window, std::vector(all.begin() + 101, all.begin() + 158));
}

TEST(Trace, ARegionIsRecordedFromMarkerToMarker) {
  const std::string trace = testing::recorded(kBusyProgram, {.region = "?"});
  MemoryBytes bytes(trace);
  TraceFile file("memory", bytes);
  TraceSource source(file);
  InstructionRecord record;
  ASSERT_EQ(source.next(0, true, record), Pull::Record);
  EXPECT_TRUE(record.region_marker);
  const RegionMarker begin = source.take_region();
  EXPECT_TRUE(begin.begin);
  EXPECT_EQ(begin.arguments, std::vector<std::int64_t>{0});
  InstructionRecord last;
  while (source.next(0, true, record) == Pull::Record) last = record;
  EXPECT_TRUE(last.region_marker);
  EXPECT_FALSE(source.take_region().begin);
}

TEST(Trace, ReplayMayBeginAnywhere) {
  const std::string trace = testing::recorded(kBusyProgram);
  MemoryBytes bytes(trace);
  TraceFile file("memory", bytes);
  std::vector<std::string> all = testing::replayed(trace);
  std::erase_if(all, [](const std::string& r) { return r.find("kind 0") == std::string::npos; });
  for (const std::uint64_t first : {1u, 77u, 250u}) {
    TraceSource source(file, first);
    InstructionRecord record;
    do {
      ASSERT_EQ(source.next(0, true, record), Pull::Record);
    } while (record.kind != RecordKind::Instruction);
    EXPECT_EQ(testing::to_text(record), all[first]) << first;
  }
}

TEST(Trace, EveryPrefixIsRefusedInOneLineThatNamesTheFile) {
  const std::string trace = testing::recorded(kBusyProgram);
  for (std::size_t length = 0; length < trace.size(); ++length) {
    const std::string complaint = complaint_of(trace.substr(0, length));
    ASSERT_TRUE(complaint.starts_with("memory: ")) << length << ": " << complaint;
    ASSERT_EQ(complaint.find('\n'), std::string::npos);
  }
}

TEST(Trace, EveryChangedByteIsNoticed) {
  const std::string trace = testing::recorded(kBusyProgram);
  for (std::size_t at = 0; at < trace.size(); ++at)
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string damaged = trace;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      ASSERT_NE(complaint_of(damaged), "") << "byte " << at;
    }
}

TEST(Trace, DamageInAFrameNamesTheFrame) {
  std::string trace = testing::recorded(kBusyProgram);
  MemoryBytes bytes(trace);
  const TraceFile file("memory", bytes);
  ASSERT_EQ(file.frames(), 1u);
  trace[trace.size() - 24 - 100 - file.frame_bytes(0) / 2] ^= 1;
  EXPECT_THAT(complaint_of(trace), HasSubstr("frame 0 (instructions 0 to "));
}

TEST(Trace, APrefixIsNamedByItsLastGoodFrame) {
  const std::string trace = testing::recorded(kBusyProgram);
  EXPECT_THAT(complaint_of(trace.substr(0, trace.size() - 30)),
              HasSubstr("the index at the end is missing; frames 0 to 0 are good"));
}

TEST(Crc32c, HasTheValueOfItsDefinition) { EXPECT_EQ(crc32c("123456789", 9), 0xE3069283u); }

}  // namespace
}  // namespace psim::isa::trace
