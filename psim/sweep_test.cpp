// SPDX-License-Identifier: Apache-2.0
#include "psim/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace psim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Sweep, AnAxisIsAKeyAndItsValues) {
  const SweepAxis axis = parse_axis("link.sleep.after=0 us,10 us");
  EXPECT_EQ(axis.key, "link.sleep.after");
  EXPECT_THAT(axis.values, ElementsAre("0 us", "10 us"));
  EXPECT_THROW(parse_axis("link.sleep.after"), UserError);
  EXPECT_THROW(parse_axis("=1"), UserError);
  EXPECT_THROW(parse_axis("a=1,,2"), UserError);
}

TEST(Sweep, APointIsTheSameCommandWithItsValues) {
  const std::vector<std::string> words{
      "psim",  "net",       "-n",    "8",     "--sweep", "ranks=4,8", "--sweep=node.ranks=1,2",
      "--csv", "table.csv", "--set", "a.b=1", "--into",  "points",    "--shard",
      "1/2",   "./ring",    "65536", "5"};
  const std::vector<SweepAxis> axes{{"ranks", {"4", "8"}}, {"node.ranks", {"1", "2"}}, {"argument.2", {"7"}}};
  EXPECT_THAT(point_command(words, 3, axes, {"4", "2", "7"}),
              ElementsAre("psim", "net", "--set", "a.b=1", "-n", "4", "--set", "node.ranks=2", "./ring",
                          "65536", "7"));
  EXPECT_THAT(point_command({"psim", "run", "--machine", "simd16", "./a", "1"}, 2,
                            {{"machine", {"sparc64v"}}}, {"sparc64v"}),
              ElementsAre("psim", "run", "--machine", "sparc64v", "./a", "1"));
  EXPECT_THAT(point_command({"psim", "run", "--sweep", "l1d.bytes=64 KiB", "--", "-a", "1"}, 2,
                            {{"l1d.bytes", {"64 KiB"}}}, {"64 KiB"}),
              ElementsAre("psim", "run", "--set", "l1d.bytes=64 KiB", "./-a", "1"));
  EXPECT_THROW(point_command(words, 3, {{"argument.3", {"1"}}}, {"1"}), UserError);
  EXPECT_THROW(point_command(words, 3, {{"argument.0", {"1"}}}, {"1"}), UserError);
  EXPECT_THAT(
      [&] {
        point_command({"psim", "net", "./ring"}, 1, {{"argument.1", {"1"}}}, {"1"});
      },
      ::testing::ThrowsMessage<UserError>(HasSubstr("it is given 0")));
}

TEST(Sweep, AShardIsAPartOfAllPoints) {
  const Shard shard = Shard::parse("2/8");
  EXPECT_EQ(shard.part, 2u);
  EXPECT_EQ(shard.parts, 8u);
  for (const char* text : {"", "1", "0/2", "3/2", "1/0", "1/2/3", "1/2 ", "-1/2", "a/b"})
    EXPECT_THROW(Shard::parse(text), UserError) << text;
}

}  // namespace
}  // namespace psim
