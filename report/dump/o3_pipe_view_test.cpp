// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/error.h"
#include "report/dump/o3_pipe_view_reader.h"
#include "report/dump/o3_pipe_view_writer.h"
#include "report/dump/testing/collected.h"
#include "report/dump/testing/synthetic_run.h"

namespace psim::pipeline::dump {
namespace {

std::string o3_error_of(std::string_view text, const ReadOptions& options = {}) {
  return error_of_reader(read_o3_pipe_view, text, options);
}

constexpr std::string_view kStore =
    "O3PipeView:fetch:7000:0x00010000:0:40:stx %o1, [%o0] ! a b\nO3PipeView:decode:9000\n"
    "O3PipeView:rename:10000\nO3PipeView:dispatch:11000\nO3PipeView:issue:15000\nO3PipeView:complete:18000\n"
    "O3PipeView:retire:19000:store:19000\n";
constexpr std::string_view kFlushed =
    "O3PipeView:fetch:8000:0x00010004:0:41:no text\nO3PipeView:decode:0\nO3PipeView:rename:0\n"
    "O3PipeView:dispatch:0\nO3PipeView:issue:0\nO3PipeView:complete:0\nO3PipeView:retire:0:store:0\n";

TEST(O3PipeView, WritesTheSevenLinesWithTheTicksOfTheMapping) {
  const TemporaryFile file(::testing::TempDir(), "psim_o3_seven_lines");
  isa::StaticInstruction stx;
  stx.store = true;
  O3PipeViewWriter writer(file.path(), [](const auto&, auto) { return "stx %o1, [%o0] ! a:b"; });
  // Cancelled once: issue is the last P; complete is the end of the last X.
  const std::vector<StageEvent> stages{{7, Stage::IA}, {9, Stage::E},  {10, Stage::D}, {12, Stage::P},
                                       {13, Stage::B}, {15, Stage::P}, {16, Stage::B}, {17, Stage::X},
                                       {18, Stage::U}, {19, Stage::W}};
  const std::vector<StageEvent> fetched{{8, Stage::IA}};
  writer.add({40, 3, 0x10000, 0xf8, &stx, stages, {}, {}, 20, false});
  writer.add({41, 0, 0x10004, 0, nullptr, fetched, {}, {}, 9, true});
  writer.finish();
  std::ostringstream text;
  text << std::ifstream(file.path()).rdbuf();
  EXPECT_EQ(text.str(), std::string(kStore) + std::string(kFlushed));
}

TEST(O3PipeView, ReadsBackTheStagesThatWereReached) {
  const std::string text = std::string(kStore) + std::string(kFlushed);
  StageNames names;
  Collected read;
  LineReader lines(text, "t");
  read_o3_pipe_view(lines, {}, names, read);
  ASSERT_EQ(read.instructions.size(), 2U);
  const DumpedInstruction& store = read.instructions[0];
  EXPECT_EQ(store.sequence, "40");
  EXPECT_EQ(store.text, "0x00010000: stx %o1, [%o0] ! a b");
  ASSERT_EQ(store.stages.size(), 7U);
  EXPECT_EQ(names[store.stages[4].name], "issue");
  EXPECT_EQ(store.stages[4].begin, 15U);
  EXPECT_EQ(store.stages[4].end, 18U);
  EXPECT_EQ(store.end, 20U);
  EXPECT_TRUE(read.instructions[1].flushed);
  EXPECT_EQ(read.instructions[1].stages.size(), 1U);
}

TEST(O3PipeView, NamesTheLineOfAMistake) {
  EXPECT_EQ(o3_error_of("O3PipeView:decode:1\n"), "t:1: expected the fetch line of an instruction");
  EXPECT_EQ(o3_error_of("system.cpu: hello\n"), "t:1: expected a line that begins with O3PipeView:");
  EXPECT_EQ(o3_error_of("O3PipeView:fetch:x:0x1000:0:1:nop\n"), "t:1: the fetch tick is not a whole number");
  EXPECT_EQ(o3_error_of("O3PipeView:fetch:1:1000:0:1:nop\n"), "t:1: the PC is not 0x and hexadecimal digits");
  const std::string cut(kStore.substr(0, kStore.find("O3PipeView:issue")));
  EXPECT_EQ(o3_error_of(cut),
            "t:4: the file ends before the issue line of its last instruction: is the file truncated?");
  EXPECT_EQ(o3_error_of(cut, {.partial = true}), "accepted");
  std::string backwards(kStore);
  backwards.replace(backwards.find("15000"), 5, "10500");
  EXPECT_EQ(o3_error_of(backwards), "t:7: the issue tick is before an earlier stage's");
}

}  // namespace
}  // namespace psim::pipeline::dump
