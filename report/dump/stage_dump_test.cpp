// SPDX-License-Identifier: Apache-2.0
#include "report/dump/stage_dump.h"

#include <gtest/gtest.h>

#include "report/dump/testing/synthetic_run.h"

namespace psim::pipeline::dump {
namespace {

struct Sequences : TimelineSink {
  explicit Sequences(std::vector<std::uint64_t>& got, bool& finished) : got(got), finished(finished) {}
  void add(const InstructionTimeline& timeline) override { got.push_back(timeline.sequence); }
  void finish() override { finished = true; }
  std::vector<std::uint64_t>& got;
  bool& finished;
};

struct DumpOf {
  explicit DumpOf(const char* window) {
    dump.add_output(parse_window(window), std::make_unique<Sequences>(got, finished));
  }
  std::vector<std::uint64_t> got;
  bool finished = false;
  StageDump dump;
};

TEST(StageDump, HandsOnEveryInstructionInOrderOfSequence) {
  DumpOf test("cycles=0:");
  const SyntheticRun run(5000);
  run.announce_to(test.dump);
  EXPECT_TRUE(test.dump.finish().empty());
  EXPECT_TRUE(test.finished);
  ASSERT_EQ(test.got.size(), run.instructions().size());
  for (std::uint64_t i = 0; i < test.got.size(); ++i) EXPECT_EQ(test.got[i], i);
}

TEST(StageDump, SkipsInstructionsThatNeverLeftAtTheEnd) {
  DumpOf test("cycles=0:");
  const StageEvent stage{5, Stage::IA};
  for (const std::uint64_t sequence : {0, 3, 2})
    test.dump.on_leave({sequence, 0, 0, 0, nullptr, {&stage, 1}, {}, {}, 9, true});
  EXPECT_EQ(test.got, (std::vector<std::uint64_t>{0}));
  test.dump.finish();
  EXPECT_EQ(test.got, (std::vector<std::uint64_t>{0, 2, 3}));
}

TEST(StageDump, RefusesASequenceThatLeavesTwice) {
  DumpOf test("cycles=0:");
  const StageEvent stage{5, Stage::IA};
  const InstructionTimeline timeline{0, 0, 0, 0, nullptr, {&stage, 1}, {}, {}, 9, true};
  test.dump.on_leave(timeline);
  test.dump.on_leave(timeline);
  EXPECT_THROW(test.dump.finish(), std::logic_error)
      << "not before: nothing passes through the simulation kernel";
}

TEST(StageDump, ReportsAnEmptyWindowAndTheRegionsOfTheRun) {
  DumpOf test("region=dgem");
  test.dump.on_region({0, 0, "dgemm", true});
  EXPECT_EQ(test.dump.finish(),
            (std::vector<std::string>{"--window region=dgem:1: nothing in this run is in the window: "
                                      "no such region ran; did you mean dgemm?"}));
  DumpOf none("region=x");
  EXPECT_EQ(none.dump.finish().at(0),
            "--window region=x:1: nothing in this run is in the window: the program marks no region");
}

}  // namespace
}  // namespace psim::pipeline::dump
