// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/goal_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace psim::net::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string complaint(const std::string& text) {
  try {
    parse_goal(text, "a.goal");
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Goal, OperationsMatchTheText) {
  const Trace trace = parse_goal(
      "num_ranks 3\n"
      "rank 1 { // the second\n"
      "  l1: calc 1500 cpu 0\n"
      "  send 64b to 2 tag 7 cpu 0 nic 0 # one without a label\n"
      "  l3: recv 1000 from any tag any\n"
      "}\n",
      "a.goal");
  ASSERT_EQ(trace.ranks.size(), 3u);
  EXPECT_THAT(trace.communicators[0], ElementsAre(0u, 1u, 2u));
  EXPECT_TRUE(trace.ranks[0].operations.empty());
  const auto& operations = trace.ranks[1].operations;
  ASSERT_EQ(operations.size(), 3u);
  EXPECT_EQ(operations[0].kind, Kind::Compute);
  EXPECT_EQ(operations[0].amount, 1'500'000u) << "ps";
  EXPECT_EQ(operations[1].kind, Kind::Send);
  EXPECT_EQ(operations[1].amount, 64u);
  EXPECT_EQ(operations[1].peer, 2u);
  EXPECT_EQ(operations[1].tag, 7);
  EXPECT_EQ(operations[2].kind, Kind::Receive);
  EXPECT_EQ(operations[2].peer, kAny);
  EXPECT_EQ(operations[2].tag, -1);
}

TEST(Goal, SuccessorsFollowDependencesOnLaterLabels) {
  const Trace trace = parse_goal(
      "num_ranks 1 rank 0 { c irequires b  c requires a  a: calc 1  b: calc 2  c: calc 3 b requires a }",
      "a.goal");
  const RankTrace& rank = trace.ranks[0];
  EXPECT_THAT(rank.required, ElementsAre(0u, 1u, 2u));
  EXPECT_THAT(rank.first, ElementsAre(0u, 2u, 3u, 3u));
  EXPECT_THAT(rank.successors, ElementsAre(2u << 1, 1u << 1, 2u << 1 | 1u));
}

TEST(Goal, ReportsMistakesWithTheirLine) {
  EXPECT_EQ(complaint("num_ranks 0"), "a.goal:1: num_ranks 0: expected at least 1");
  EXPECT_EQ(complaint("num_ranks 2\nrank 2 {}"), "a.goal:2: 2: expected a rank, at most 1");
  EXPECT_EQ(complaint("num_ranks 2\nrank 1 {}\nrank 1 {}"), "a.goal:3: rank 1 is described already");
  EXPECT_EQ(complaint("num_ranks 2\nrank 0 {\n sent 4b to 1\n}"),
            "a.goal:3: expected \":\", requires or irequires after sent, found 4b");
  EXPECT_EQ(complaint("num_ranks 2\nrank 0 {\n a: send 4b to 1 cpu 1\n}"),
            "a.goal:3: 1: expected 0 (a rank has one processor here), at most 0");
  EXPECT_EQ(complaint("num_ranks 2\nrank 0 {\n a: calc 1\n a: calc 1\n}"), "a.goal:4: duplicate label a");
  EXPECT_EQ(complaint("num_ranks 2\nrank 0 {\n a: calc 1\n a requires b\n}"),
            "a.goal:4: no operation of this rank is labelled b");
  EXPECT_EQ(complaint("num_ranks 2\nrank 0 {\n a: send 3000000000b to 1\n}"),
            "a.goal:3: 3000000000b: expected a number of bytes, like 64b, at most 2147483647");
  EXPECT_EQ(complaint("num_ranks 2\nrank 0 { a: calc 1"),
            "a.goal:2: expected send, recv, calc, a label or }, found the end of the file");
  EXPECT_EQ(complaint("num_ranks 2 /* \nrank 0"), "a.goal:1: unterminated comment");
}

TEST(Goal, OperationsThatWaitForThemselvesAreRefused) {
  EXPECT_THAT(complaint("num_ranks 1 rank 0 { a: calc 1 b: calc 1 a requires b b requires a }"),
              HasSubstr("a requires itself, directly or through other operations"));
}

TEST(Goal, ScalesTimesAndLengths) {
  Trace trace = parse_goal("num_ranks 2 rank 0 { calc 10 send 3b to 1 }", "a.goal");
  trace.scale(0.5, 3);
  EXPECT_EQ(trace.ranks[0].operations[0].amount, 5'000u);
  EXPECT_EQ(trace.ranks[0].operations[1].amount, 9u);
  EXPECT_THROW(trace.scale(1, 1e9), UserError);
}

}  // namespace
}  // namespace psim::net::replay
