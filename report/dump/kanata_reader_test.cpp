// SPDX-License-Identifier: Apache-2.0
#include "report/dump/kanata_reader.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/error.h"
#include "report/dump/read_dump.h"
#include "report/dump/testing/collected.h"

namespace psim::pipeline::dump {
namespace {

std::string error_of(std::string_view text, const ReadOptions& options = {}) {
  return error_of_reader(read_kanata, text, options);
}

std::string check_error(std::string_view text) {
  try {
    LineReader lines(text, "t");
    check_kanata(lines);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(KanataReader, ReadsTheSampleOfKonatasFormatPage) {
  const char* text =
      "Kanata\t0004\nC=\t216\nI\t0\t0\t0\nL\t0\t0\t12000d918 iBC(r17)\nS\t0\t0\tF\nC\t1\nS\t0\t0\tX\n"
      "I\t1\t1\t0\nL\t1\t0\t12000d91c r4 = iALU(r3, "
      "r2)\nS\t1\t0\tF\nC\t1\nR\t0\t0\t0\nS\t1\t0\tX\nC\t1\nR\t1\t1\t1\n";
  StageNames names;
  Collected read;
  LineReader lines(text, "sample");
  read_kanata(lines, {}, names, read);
  ASSERT_EQ(read.instructions.size(), 2U);
  const DumpedInstruction& first = read.instructions[0];
  EXPECT_EQ(first.text, "12000d918 iBC(r17)");
  EXPECT_EQ(first.begin, 216U);
  EXPECT_EQ(first.end, 218U);
  ASSERT_EQ(first.stages.size(), 2U);
  EXPECT_EQ(names[first.stages[1].name], "X");
  EXPECT_EQ(first.stages[0].end, 217U);
  EXPECT_EQ(first.stages[1].end, 218U);
  EXPECT_FALSE(first.flushed);
  EXPECT_TRUE(read.instructions[1].flushed);
}

TEST(KanataReader, NamesTheLineOfAMistake) {
  const std::string head = "Kanata\t0004\nC=\t5\nI\t0\t9\t0\n";
  EXPECT_EQ(error_of(""), "t:0: expected the header \"Kanata<TAB>0004\" of a Kanata log");
  EXPECT_EQ(error_of("Kanata\t0003\n"), "t:1: expected the header \"Kanata<TAB>0004\" of a Kanata log");
  EXPECT_EQ(error_of(head + "Q\t0\n"),
            "t:4: \"Q\" is not a command of Kanata 0004: expected C=, C, I, L, S, E, R or W");
  EXPECT_EQ(error_of(head + "C\t-1\n"), "t:4: cycles \"-1\" is not a whole number");
  EXPECT_EQ(error_of(head + "C\t18446744073709551615\n"), "t:4: the cycle passes 2^64");
  EXPECT_EQ(error_of(head + "S\t0\t0\n"), "t:4: expected 3 fields after S, found 2");
  EXPECT_EQ(error_of(head + "S\t0\t0\t\n"), "t:4: the stage has no name");
  EXPECT_EQ(error_of(head + "S\t1\t0\tF\n"), "t:4: instruction 1 has no I line yet");
  EXPECT_EQ(error_of(head + "I\t0\t9\t0\n"), "t:4: instruction id 0 comes again, or out of order");
  EXPECT_EQ(error_of(head + "L\t0\t3\ttext\n"),
            "t:4: label type 3: expected 0 (text), 1 (hover) or 2 (stage)");
  EXPECT_EQ(error_of(head + "W\t0\t7\t0\n"), "t:4: producer 7 has no I line yet");
  EXPECT_EQ(error_of(head + "R\t0\t0\t2\n"), "t:4: R type 2: expected 0 (retire) or 1 (flush)");
  EXPECT_EQ(error_of(head + "R\t0\t0\t0\nR\t0\t0\t0\n"), "t:5: instruction 0 has left already");
  EXPECT_EQ(error_of(head + "C=\t5\n"), "t:4: C= may only precede all other commands");
  EXPECT_EQ(error_of(head + "R\t0\t0\t0"), "t:4: the last line has no end: is the file truncated?");
  EXPECT_EQ(error_of(head),
            "t:3: the file ends, but instruction 0 of line 3 has no R line: is the file truncated?");
}

TEST(KanataReader, AcceptsATruncatedDumpOnRequest) {
  EXPECT_EQ(error_of("Kanata\t0004\nI\t0\t9\t0\nS\t0\t0\tF\nC\t4\n", {.partial = true}), "accepted");
  EXPECT_EQ(error_of("Kanata\t0004\nI\t0\t9\t0\nS\t0\t0\tF\nC\t4\nQ", {.partial = true}), "accepted");
  EXPECT_EQ(error_of("Kanata\t0004\nI\t0\t9\t0\nS\t0\t0\tF\nQ\n", {.partial = true}),
            "t:4: \"Q\" is not a command of Kanata 0004: expected C=, C, I, L, S, E, R or W");
}

TEST(KanataReader, TakesTheHabitsOfOtherToolsButNotStrictly) {
  const std::string text =
      "Kanata\t0004\r\nI\t3\t9\t0\nS\t3\t0\tF\nS\t3\t2\tQ\nC\t0\nC\t2\nE\t3\t1\tnone\nR\t3\t-"
      "1\t1\nL\t3\t1\tlate\n";
  EXPECT_EQ(error_of(text), "accepted");
  EXPECT_EQ(error_of(text, {.strict = true}), "t:2: expected C= with the first cycle before any I");
}

constexpr std::string_view kGood =
    "Kanata\t0004\nC="
    "\t5\nI\t0\t9\t0\nS\t0\t0\tIA\nC\t1\nS\t0\t0\tP\nS\t0\t1\toperand\nC\t1\nE\t0\t1\toperand\n"
    "S\t0\t0\tW\nC\t1\nR\t0\t0\t0\n";

std::string replaced(std::string_view from, std::string_view to) {
  std::string text(kGood);
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(CheckKanata, AcceptsDumpsOfTheCore) { EXPECT_EQ(check_error(kGood), "accepted"); }

TEST(CheckKanata, AcceptsTheStagesToThePesAndBack) {
  const auto through = [](std::string_view stages) {
    std::string text = "Kanata\t0004\nC=\t5\nI\t0\t9\t0\n", stage;
    for (std::istringstream in{std::string(stages)}; in >> stage;) text += "S\t0\t0\t" + stage + "\nC\t1\n";
    return check_error(text + "R\t0\t0\t0\n");
  };
  EXPECT_EQ(through("IA D P B C X U W1 W"), "accepted");                 // an operation of the PEs
  EXPECT_EQ(through("IA D P B X C Bs W1 U W"), "accepted");              // the scalar part loads from SBM
  EXPECT_EQ(through("IA D P B X Ps Ts Ms Bs Rs C U W1 W"), "accepted");  // the PEs load through L1
  EXPECT_EQ(through("IA D P B C X U C W"), "t:3: instruction 0 goes from stage U back to C");
  EXPECT_EQ(through("IA D P B X W1 X U W"), "t:3: instruction 0 goes from stage W1 back to X");
}

TEST(CheckKanata, FindsEachBreach) {
  EXPECT_EQ(check_error(replaced("\tIA", "\tF")),
            "t:3: instruction 0 is in stage \"F\", which is none of the core's");
  EXPECT_EQ(check_error(replaced("\tP\n", "\tIA\n")), "t:3: instruction 0 goes from stage IA back to IA");
  EXPECT_EQ(check_error(replaced("S\t0\t0\tW\n", "")), "t:3: instruction 0 retires without a stage W");
  EXPECT_EQ(check_error(replaced("R\t0\t0\t0", "R\t0\t0\t1")), "t:3: instruction 0 is flushed after stage W");
  EXPECT_EQ(check_error(replaced("S\t0\t0\tIA\n", "")),
            "t:3: instruction 0 is in no stage from cycle 5 to 6");
  EXPECT_EQ(check_error(replaced("S\t0\t1\toperand\n", "S\t0\t1\tsleep\n")),
            "t:9: stage operand ends, which is not open in lane 1");
  EXPECT_EQ(check_error(replaced("E\t0\t1\toperand\n", "S\t0\t1\tsleep\n")),
            "t:3: instruction 0 \"sleep\" is not a stall cause");
  EXPECT_EQ(check_error(replaced("S\t0\t0\tIA\n", "S\t0\t0\tIA\nW\t0\t0\t0\n")),
            "t:3: instruction 0 is woken by a later instruction");
  EXPECT_EQ(check_error(replaced("I\t0\t9\t0", "I\t1\t9\t0")),
            "t:3: instruction ids count from 0: expected 0, found 1");
}

}  // namespace
}  // namespace psim::pipeline::dump
