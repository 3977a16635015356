// SPDX-License-Identifier: Apache-2.0
#include "report/dump/window.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

namespace psim::pipeline::dump {
namespace {

std::string message(std::string_view text) {
  try {
    parse_window(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(WindowSpec, ReadsEveryForm) {
  for (const char* text : {"cycles=10:20", "cycles=10:", "pc=0x100a4:7", "region=dgemm:3", "message=0.17:9"})
    EXPECT_EQ(to_string(parse_window(text)), text);
  EXPECT_EQ(to_string(parse_window("cycles=:20")), "cycles=0:20");
  EXPECT_EQ(to_string(parse_window("pc=0x100A4")), "pc=0x100a4:1000");
  EXPECT_EQ(to_string(parse_window("region=dgemm")), "region=dgemm:1");
  EXPECT_EQ(to_string(parse_window("region=a:b")), "region=a:b:1");
}

TEST(WindowSpec, RefusesOtherTextWithTheExpectedForm) {
  EXPECT_EQ(message("cycle=1:2"),
            "--window cycle=1:2: expected cycles=A:B, pc=0xADDR[:N] or region=NAME[:K]");
  for (const char* text : {"",
                           "cycles",
                           "cycles=",
                           "cycles=5",
                           "cycles=5:5",
                           "cycles=6:5",
                           "cycles=x:5",
                           "cycles=1:-5",
                           "cycles=1:99999999999999999999",
                           "pc=",
                           "pc=0x",
                           "pc=0x1001",
                           "pc=0x1000:0",
                           "pc=main",
                           "region=",
                           "region=:2",
                           "region=a:0",
                           "message=3",
                           "message=1.x",
                           "message=.2",
                           "message=0.1:0"})
    EXPECT_NE(message(text).find(": expected "), std::string::npos) << text;
}

struct WindowProbe {
  explicit WindowProbe(const char* spec) : window(parse_window(spec)) {}
  bool shows(std::uint64_t begin, std::uint64_t end, bool flushed = false, std::uint64_t pc = 0x1000) {
    const StageEvent stage{begin, Stage::IA};
    return window.shows({sequence++, 0, pc, 0, nullptr, {&stage, 1}, {}, {}, end, flushed});
  }
  Window window;
  std::uint64_t sequence = 0;
};

TEST(Window, OfCyclesOpensWithTheFirstStillInFlightAndClosesWithTheFirstFetchedAtItsEnd) {
  WindowProbe run("cycles=10:20");
  EXPECT_FALSE(run.shows(1, 10));
  EXPECT_TRUE(run.shows(1, 11));
  EXPECT_TRUE(run.shows(2, 9, true)) << "between shown instructions: the window is contiguous";
  EXPECT_TRUE(run.shows(19, 40));
  EXPECT_FALSE(run.window.closed());
  EXPECT_FALSE(run.shows(20, 40));
  EXPECT_TRUE(run.window.closed());
}

TEST(Window, OfPcOpensAtItsFirstCommitAndCountsCommittedInstructions) {
  WindowProbe run("pc=0x2000:2");
  EXPECT_FALSE(run.shows(1, 9));
  EXPECT_FALSE(run.shows(1, 9, true, 0x2000)) << "wrong path";
  EXPECT_TRUE(run.shows(2, 9, false, 0x2000));
  EXPECT_TRUE(run.shows(2, 9, true));
  EXPECT_TRUE(run.shows(2, 9));
  EXPECT_TRUE(run.window.closed());
  EXPECT_FALSE(run.shows(2, 9, false, 0x2000));
}

TEST(Window, OfARegionIsItsKthExecutionMarkersIncluded) {
  WindowProbe run("region=solve:2");
  std::vector<bool> shown;
  // Sequences 1–2: first execution; 4–8: the second, with one nested in it at 5–6.
  for (std::uint64_t sequence = 0; sequence < 10; ++sequence) {
    if (sequence == 1 || sequence == 4 || sequence == 5) run.window.on_region({sequence, 0, "solve", true});
    if (sequence == 2 || sequence == 6 || sequence == 8) run.window.on_region({sequence, 0, "solve", false});
    if (sequence == 7) run.window.on_region({sequence, 0, "other", false});
    shown.push_back(run.shows(sequence, sequence + 9));
  }
  EXPECT_EQ(shown, (std::vector<bool>{false, false, false, false, true, true, true, true, true, false}));
  EXPECT_TRUE(run.window.closed());
}

TEST(Window, OfAMessageBeginsWithTheInstructionsInFlightWhenItOpens) {
  WindowProbe run("message=0.17:2");
  EXPECT_FALSE(run.shows(0, 9));
  run.window.open_message(10);
  EXPECT_FALSE(run.shows(1, 10));
  EXPECT_TRUE(run.shows(2, 11));
  EXPECT_TRUE(run.shows(3, 12, true));
  run.window.open_message(90);
  EXPECT_TRUE(run.shows(4, 13));
  EXPECT_TRUE(run.window.closed());
  EXPECT_FALSE(run.shows(5, 14));
}

}  // namespace
}  // namespace psim::pipeline::dump
