// SPDX-License-Identifier: Apache-2.0
#include "report/dump/kanata_writer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "report/dump/read_dump.h"
#include "report/dump/stage_dump.h"
#include "report/dump/testing/collected.h"
#include "report/dump/testing/synthetic_run.h"

namespace psim::pipeline::dump {
namespace {

std::string file_name() {
  return std::string("kanata_") + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".kanata";
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write(const SyntheticRun& run, const std::string& path, WindowSpec window = CycleWindow{}) {
  StageDump dump;
  dump.add_output(std::move(window), std::make_unique<KanataWriter>(path, SyntheticRun::disassemble));
  run.announce_to(dump);
  EXPECT_TRUE(dump.finish().empty());
}

void expect_same(const DumpedInstruction& read, const InstructionTimeline& written, const StageNames& names,
                 std::uint64_t first_sequence) {
  SCOPED_TRACE("sequence " + std::to_string(written.sequence));
  EXPECT_EQ(read.sequence, std::to_string(written.sequence));
  EXPECT_EQ(read.flushed, written.flushed);
  EXPECT_EQ(read.retired, written.flushed ? 0 : written.retired);
  EXPECT_EQ(read.begin, written.stages.front().cycle);
  EXPECT_EQ(read.end, written.end);
  std::vector<StageEvent> stages;
  std::vector<StallSpan> stalls;
  for (const DumpedStage& stage : read.stages) {
    if (stage.lane == 0) {
      const auto* const at = std::find(kStageNames.begin(), kStageNames.end(), names[stage.name]);
      stages.push_back({stage.begin, static_cast<Stage>(at - kStageNames.begin())});
    } else {
      for (std::size_t i = 0; i < kStallCauses; ++i)
        if (name(static_cast<StallCause>(i)) == names[stage.name])
          stalls.push_back({stage.begin, stage.end, static_cast<StallCause>(i)});
    }
  }
  ASSERT_EQ(stages.size(), written.stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    EXPECT_EQ(stages[i].cycle, written.stages[i].cycle);
    EXPECT_EQ(stages[i].stage, written.stages[i].stage);
  }
  ASSERT_EQ(stalls.size(), written.stalls.size());
  for (std::size_t i = 0; i < stalls.size(); ++i) {
    EXPECT_EQ(stalls[i].begin, written.stalls[i].begin);
    EXPECT_EQ(stalls[i].end, written.stalls[i].end);
    EXPECT_EQ(stalls[i].cause, written.stalls[i].cause);
  }
  std::vector<Wakeup> wakeups;
  for (const Wakeup& wakeup : written.wakeups)
    if (wakeup.producer >= first_sequence) wakeups.push_back(wakeup);
  ASSERT_EQ(read.wakeups.size(), wakeups.size());
  for (std::size_t i = 0; i < wakeups.size(); ++i) {
    EXPECT_EQ(read.wakeups[i].producer + first_sequence, wakeups[i].producer);
    EXPECT_EQ(read.wakeups[i].cycle, wakeups[i].cycle);
  }
}

class RoundTrip : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(RoundTrip, ReadsBackEveryStageStallWakeupAndEnd) {
  const SyntheticRun run(5000, GetParam(), 100 * GetParam());
  const TemporaryFile file(::testing::TempDir(), "kanata_round_trip_" + std::to_string(GetParam()));
  write(run, file.path());
  StageNames names;
  Collected read;
  LineReader lines = LineReader::open(file.path());
  ASSERT_EQ(read_dump(file.path(), {.strict = true}, names, read), DumpFormat::Kanata);
  ASSERT_EQ(read.instructions.size(), run.instructions().size());
  for (std::size_t i = 0; i < read.instructions.size(); ++i)
    expect_same(read.instructions[i], run.instructions()[i].timeline, names, 0);
  const CheckSummary summary = check_kanata(lines);
  EXPECT_EQ(summary.instructions, run.instructions().size());
  EXPECT_GT(summary.flushed, 0U);
  EXPECT_EQ(summary.committed + summary.flushed, summary.instructions);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RoundTrip, ::testing::Range(1U, 6U));

TEST(KanataWriter, WritesTheLinesOfTheFormatInOrderOfCycle) {
  const TemporaryFile file(::testing::TempDir(), file_name());
  isa::StaticInstruction load;
  load.load = true;
  KanataWriter writer(file.path(), SyntheticRun::disassemble);
  const std::vector<StageEvent> first{{7, Stage::IA}, {8, Stage::D}, {9, Stage::P}, {12, Stage::W}};
  const std::vector<StallSpan> stalls{{10, 12, StallCause::L1Miss}};
  const std::vector<StageEvent> second{{7, Stage::IA}, {9, Stage::D}};
  const std::vector<Wakeup> wakeups{{40, 9}};
  writer.add({40, 3, 0x10000, 0xf8, &load, first, stalls, {}, 13, false});
  writer.add({41, 0, 0x10004, 0, nullptr, second, {}, wakeups, 10, true});
  writer.finish();
  EXPECT_EQ(text_of(file.path()),
            "Kanata\t0004\nC=\t7\n"
            "I\t0\t40\t0\nL\t0\t0\t0x00010000: ldx [%o0 + 8], %o1\nL\t0\t1\taddress 0xf8, waited l1_miss 2\n"
            "S\t0\t0\tIA\n"
            "I\t1\t41\t0\nL\t1\t0\t0x00010004: no text\nS\t1\t0\tIA\n"
            "C\t1\nS\t0\t0\tD\n"
            "C\t1\nS\t0\t0\tP\nS\t1\t0\tD\nW\t1\t0\t0\n"
            "C\t1\nS\t0\t1\tl1_miss\nR\t1\t0\t1\n"
            "C\t2\nS\t0\t0\tW\nE\t0\t1\tl1_miss\n"
            "C\t1\nR\t0\t3\t0\n");
}

TEST(KanataWriter, WritesARemarkBetweenAddressAndWaits) {
  const TemporaryFile file(::testing::TempDir(), file_name());
  isa::StaticInstruction load;
  KanataWriter writer(file.path(), SyntheticRun::disassemble,
                      [](const InstructionTimeline& t) { return "energy " + std::to_string(t.end) + " nJ"; });
  const std::vector<StageEvent> stages{{0, Stage::IA}};
  const std::vector<StallSpan> stalls{{1, 3, StallCause::L1Miss}};
  writer.add({0, 0, 0x10000, 0xf8, &load, stages, stalls, {}, 5, false});
  writer.add({1, 1, 0x10004, 0, &load, stages, {}, {}, 6, false});
  writer.finish();
  const std::string text = text_of(file.path());
  EXPECT_NE(text.find("\nL\t0\t1\taddress 0xf8, energy 5 nJ, waited l1_miss 2\n"), text.npos) << text;
  EXPECT_NE(text.find("\nL\t1\t1\tenergy 6 nJ\n"), text.npos) << text;
}

TEST(KanataWriter, KeepsAnInstructionThatStaysABillionCycles) {
  const TemporaryFile file(::testing::TempDir(), file_name());
  isa::StaticInstruction add;
  KanataWriter writer(file.path(), SyntheticRun::disassemble);
  const std::vector<StageEvent> first{{0, Stage::IA}, {1'000'000'000, Stage::W}};
  const std::vector<StageEvent> second{{1, Stage::IA}, {1'000'000'000, Stage::W}};
  writer.add({0, 0, 0x10000, 0, &add, first, {}, {}, 1'000'000'001, false});
  writer.add({1, 1, 0x10004, 0, &add, second, {}, {}, 1'000'000'001, false});
  writer.finish();
  LineReader lines = LineReader::open(file.path());
  const CheckSummary summary = check_kanata(lines);
  EXPECT_EQ(summary.committed, 2U);
  EXPECT_EQ(summary.end, 1'000'000'001U);
}

TEST(KanataWriter, WritesAReadableFileOfNoInstruction) {
  const TemporaryFile file(::testing::TempDir(), file_name());
  KanataWriter(file.path(), SyntheticRun::disassemble).finish();
  EXPECT_EQ(text_of(file.path()), "Kanata\t0004\nC=\t0\n");
}

TEST(KanataWriter, LeavesNoFileWhenItIsNotFinished) {
  const TemporaryFile file(::testing::TempDir(), file_name());
  { const KanataWriter writer(file.path(), SyntheticRun::disassemble); }
  EXPECT_FALSE(std::ifstream(file.path()).good());
}

TEST(KanataWriter, RefusesAnInstructionThatBeginsBeforeAnEarlierOne) {
  const TemporaryFile file(::testing::TempDir(), file_name());
  KanataWriter writer(file.path(), SyntheticRun::disassemble);
  const std::vector<StageEvent> first{{7, Stage::IA}}, second{{6, Stage::IA}};
  writer.add({0, 0, 0x10000, 0, nullptr, first, {}, {}, 8, false});
  EXPECT_THROW(writer.add({1, 1, 0x10004, 0, nullptr, second, {}, {}, 8, false}), std::logic_error);
}

TEST(KanataWriter, AWindowOfCyclesHoldsOnlyCompleteInstructions) {
  const SyntheticRun run(3000, 3);
  const TemporaryFile file(::testing::TempDir(), file_name());
  const std::uint64_t begin = run.instructions()[1000].timeline.end,
                      end = run.instructions()[2000].stages[0].cycle;
  write(run, file.path(), CycleWindow{begin, end});
  StageNames names;
  Collected read;
  read_dump(file.path(), {.strict = true}, names, read);
  ASSERT_FALSE(read.instructions.empty());
  const std::uint64_t first = std::stoull(read.instructions.front().sequence);
  for (std::uint64_t sequence = 0; sequence < first; ++sequence)
    EXPECT_LE(run.instructions()[sequence].timeline.end, begin);
  for (std::size_t i = 0; i < read.instructions.size(); ++i)
    expect_same(read.instructions[i], run.instructions()[first + i].timeline, names, first);
  const std::uint64_t next = first + read.instructions.size();
  EXPECT_LT(run.instructions()[next - 1].stages[0].cycle, end);
  EXPECT_GE(run.instructions()[next].stages[0].cycle, end);
}

}  // namespace
}  // namespace psim::pipeline::dump
