// SPDX-License-Identifier: Apache-2.0
#include "report/view/terminal_view.h"

#include <gtest/gtest.h>

#include "report/dump/kanata_reader.h"

namespace psim::view {
namespace {

using pipeline::dump::LineReader;
using pipeline::dump::StageNames;

std::string shown(std::string_view kanata, const ViewOptions& options) {
  StageNames names;
  ViewSelection selection(options);
  LineReader lines(kanata, "t");
  pipeline::dump::read_kanata(lines, {}, names, selection);
  std::string text;
  print_view(selection.instructions(), names, options, [&](std::string_view part) {
    text += part;
    return true;
  });
  return text;
}

constexpr std::string_view kRun =
    "Kanata\t0004\nC=\t8\n"
    "I\t0\t40\t0\nL\t0\t0\t0x00010000: add\nS\t0\t0\tIA\nI\t1\t41\t0\nL\t1\t0\t0x00010004: bne\nS\t1\t0\tIA\n"
    "C\t1\nS\t0\t0\tD\nS\t1\t0\tD\nC\t1\nS\t0\t0\tP\nC\t1\nS\t0\t1\tl1_miss\nC\t2\nE\t0\t1\tl1_"
    "miss\nS\t0\t0\tW\n"
    "R\t1\t0\t1\nC\t1\nR\t0\t0\t0\n";

TEST(TerminalView, ShowsAnInstructionALineAndACycleAColumn) {
  EXPECT_EQ(shown(kRun, {.width = 60}),
            "stages:  a IA  D D  P P  W W\n"
            "waits:   ~ l1_miss\n"
            "        .  in the stage  x  flushed  :  cycles left out, in which nothing changes  >  goes on\n"
            "\n"
            "cycle                |8|10\n"
            " 40 0x00010000: add  aDP~~W\n"
            " 41x0x00010004: bne  aD...x\n");
}

TEST(TerminalView, ColoursAWaitByItsCause) {
  const std::string text = shown(kRun, {.count = 1, .width = 60, .colour = true});
  EXPECT_NE(text.find("\x1b[1;32mP\x1b[0m\x1b[30;43m~~\x1b[0m\x1b[1;35mW"), std::string::npos) << text;
}

TEST(TerminalView, LeavesOutCyclesInWhichNothingChanges) {
  const std::string_view miss =
      "Kanata\t0004\nC=\t0\nI\t0\t0\t0\nL\t0\t0\tldx\nS\t0\t0\tBs\nC\t300\nS\t0\t0\tW\nC\t1\nR\t0\t0\t0\n";
  const std::string text = shown(miss, {.width = 60});
  EXPECT_NE(text.find("ldx         4:.W\n"), std::string::npos) << text;
  EXPECT_NE(text.find("|0|299\n"), std::string::npos) << text;
  const std::string whole = shown(miss, {.width = 60, .squeeze = false});
  EXPECT_NE(whole.find("ldx         4......"), std::string::npos) << whole;
  EXPECT_NE(whole.find(".>\n"), std::string::npos) << "what passes the right edge is marked";
}

TEST(TerminalView, ChoosesByCycleAndByPc) {
  EXPECT_EQ(shown(kRun, {.from = 14, .width = 60}), "");
  EXPECT_EQ(shown(kRun, {.to = 8, .width = 60}), "");
  EXPECT_EQ(shown(kRun, {.from = 13, .width = 60}).find("bne"), std::string::npos) << "left before cycle 13";
  EXPECT_EQ(shown(kRun, {.pc = 0x10004, .width = 60}).find("add"), std::string::npos);
  EXPECT_NE(shown(kRun, {.pc = 0x10004, .width = 60}).find("bne"), std::string::npos);
}

TEST(TerminalView, NeverLetsADumpSpeakToTheTerminal) {
  const std::string text =
      shown("Kanata\t0004\nI\t0\t0\t0\nL\t0\t0\t\x1b]0;title\x07\xff\nS\t0\t0\tF\nC\t1\nR\t0\t0\t0\n",
            {.width = 60});
  EXPECT_NE(text.find("?]0;title??"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(TerminalView, GivesEveryForeignStageALetterOfItsOwn) {
  const std::string text = shown(
      "Kanata\t0004\nI\t0\t0\t0\nS\t0\t0\tFetch\nC\t1\nS\t0\t0\tFill\nC\t1\nS\t0\t0\tF\nC\t1\nR\t0\t0\t0\n",
      {.width = 60});
  EXPECT_NE(text.find("F Fetch  i Fill  A F"), std::string::npos) << text;
  EXPECT_NE(text.find("FiA\n"), std::string::npos) << text;
}

TEST(PcOf, ReadsTheFormsOfCommonTools) {
  EXPECT_EQ(pc_of("0x00010000: add"), 0x10000U);
  EXPECT_EQ(pc_of("12000d918 iBC(r17)"), 0x12000d918U);
  EXPECT_EQ(pc_of("add %g1"), std::nullopt);
  EXPECT_EQ(pc_of(""), std::nullopt);
}

}  // namespace
}  // namespace psim::view
