// SPDX-License-Identifier: Apache-2.0
#include "ranks/timeline/critical_path.h"

#include <gtest/gtest.h>

#include <string>

namespace psim::net {
namespace {

using StepKind = CriticalPath::Kind;

/// Returns "0:1@0-10 1:7@10-15": ranks, kinds and times of the steps.
std::string path_text(const CriticalPath& path, std::uint32_t rank) {
  std::string text;
  for (const CriticalPath::Step& step : path.path(rank))
    text += (text.empty() ? "" : " ") + std::to_string(step.rank) + ":" +
            std::to_string(static_cast<int>(step.kind)) + "@" + std::to_string(step.begin) + "-" +
            std::to_string(step.end);
  return text;
}

/// Sends a message of `from` at `sent` that wakes `to` at `arrives`.
void wakes(CriticalPath& path, std::uint32_t from, std::uint32_t to, std::uint64_t sent,
           std::uint64_t arrives) {
  const CriticalPath::Chain cause = path.here(from, sent);
  path.enter(path.follow(
      cause, {.begin = sent, .end = arrives, .rank = from, .other = to, .kind = StepKind::Message}));
  path.release(cause);
  path.woken(to, to, arrives);
  path.leave();
}

TEST(CriticalPath, LeadsFromAWaitOverTheMessageToItsSender) {
  CriticalPath path(2);
  path.begin(0, 0), path.begin(1, 0);
  path.spent(0, 10, StepKind::Compute, 1);
  path.spent(1, 3, StepKind::Compute, 2);
  wakes(path, 0, 1, 10, 15);
  path.resumed(1, 15);
  path.spent(1, 20, StepKind::Compute, 2);
  EXPECT_EQ(path_text(path, 1), "0:0@0-0 0:1@0-10 0:7@10-15 1:1@15-20");
  EXPECT_EQ(path_text(path, 0), "0:0@0-0 0:1@0-10");
}

TEST(CriticalPath, FreesChainsThatNobodyNeeds) {
  CriticalPath path(2);
  path.begin(0, 0), path.begin(1, 0);
  std::uint64_t now = 0;
  for (int i = 0; i < 1000; ++i) {
    path.spent(1, now + 1, StepKind::Compute);  // the work of rank 1 before its wait is not critical
    path.spent(0, now + 10, StepKind::Compute);
    wakes(path, 0, 1, now + 10, now + 12);
    path.resumed(1, now + 12);
    wakes(path, 1, 0, now + 12, now + 14);
    path.resumed(0, now + 14);
    now += 14;
  }
  EXPECT_LE(path.kept(), 3 * 1000u + 4);  // of each round: computing and two messages
  const auto steps = path.path(0);
  for (std::size_t i = 1; i < steps.size(); ++i) ASSERT_EQ(steps[i].begin, steps[i - 1].end);
  EXPECT_EQ(steps.back().end, now);
}

TEST(CriticalPath, JoinsStepsOfOneKindUnlessAMessageLeftBetweenThem) {
  CriticalPath path(2);
  path.begin(0, 0), path.begin(1, 0);
  path.spent(0, 5, StepKind::Compute, 1);
  path.spent(0, 9, StepKind::Compute, 1);
  const CriticalPath::Chain sent = path.here(0, 9);
  path.spent(0, 12, StepKind::Compute, 1);
  path.spent(0, 13, StepKind::Compute, 2);
  EXPECT_EQ(path_text(path, 0), "0:0@0-0 0:1@0-9 0:1@9-12 0:1@12-13");
  path.release(sent);
}

TEST(CriticalPath, APollThatNewsReachesWaitsForTheNews) {
  CriticalPath path(2);
  path.begin(0, 0), path.begin(1, 0);
  path.polled(1, 4);
  path.spent(0, 6, StepKind::Compute);
  const CriticalPath::Chain cause = path.here(0, 6);
  path.enter(path.follow(cause, {.begin = 6, .end = 7, .rank = 0, .other = 1, .kind = StepKind::Message}));
  path.release(cause);
  path.news(1, 1, 7);
  path.leave();
  path.polled(1, 8);
  path.polled(1, 12);  // no news: its own time
  EXPECT_EQ(path_text(path, 1), "0:0@0-0 0:1@0-6 0:7@6-7 1:5@7-12");
}

TEST(CriticalPath, ATimerContinuesThatWhichSetIt) {
  CriticalPath path(1);
  path.begin(0, 2);
  path.spent(0, 5, StepKind::Compute);
  path.keep(0, 77, path.here(0, 5));
  EXPECT_EQ(path.fire(0, 78, 6), 0u);
  path.enter(path.fire(0, 77, 9));
  path.woken(0, 0, 9);
  path.leave();
  path.resumed(0, 11);  // the operating system had the processor
  EXPECT_EQ(path_text(path, 0), "0:0@0-2 0:1@2-5 0:11@5-9 0:6@9-11");
}

}  // namespace
}  // namespace psim::net
