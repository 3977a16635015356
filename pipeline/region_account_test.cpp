// SPDX-License-Identifier: Apache-2.0
#include "pipeline/region_account.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace psim::pipeline {
namespace {

/// Marks regions; a core at `cycle` commits them.
struct Marks {
  RegionAccount account;
  isa::RegionMarker marker;
  Totals totals;

  explicit Marks(std::size_t most_rows, std::size_t most_open = 100)
      : account([this] { return marker; }, most_rows, most_open) {}
  void mark(bool begin, const std::string& name, std::vector<std::int64_t> arguments, std::uint64_t cycle) {
    marker = {};
    marker.name = name;
    marker.begin = begin;
    marker.arguments = std::move(arguments);
    totals.cycles = cycle;
    account.on_region_marker(totals);
  }
  void run(const std::string& name, std::int64_t argument, std::uint64_t from, std::uint64_t to) {
    mark(true, name, {argument}, from);
    mark(false, name, {}, to);
  }
};

TEST(RegionAccount, ARowForEachNameAndArguments) {
  Marks marks(100);
  marks.run("a", 1, 0, 10);
  marks.run("a", 2, 10, 30);
  marks.run("a", 1, 30, 70);
  marks.run("b", 1, 70, 80);
  const auto& rows = marks.account.regions();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].executions, 2u);
  EXPECT_EQ(rows[0].totals.cycles, 50u);
  EXPECT_EQ(rows[1].totals.cycles, 20u);
  EXPECT_EQ(rows[2].name, "b");
  EXPECT_TRUE(marks.account.notes().empty());
}

// A region has the counts between its begin and its end, summed over its executions.
TEST(RegionAccount, StatisticsCoverTheRegionOnly) {
  struct Stats : statistics::Group {
    Counter counter{*this, "things", "things", "things that happened"};
  } stats;
  statistics::Registry registry;
  registry.add("core", "The core", stats);
  Marks marks(100);
  marks.account.measure_statistics([&registry] { return registry.snapshot(); });
  for (int i = 0; i < 2; ++i) {
    stats.counter += 100;
    marks.mark(true, "a", {}, 10 * i);
    stats.counter += 5;
    marks.mark(false, "a", {}, 10 * i + 5);
  }
  EXPECT_EQ(marks.account.regions().at(0).statistics.totals, std::vector<std::uint64_t>{10});
}

// Three rows; the executions of the other seven are in one more. A region that has a row keeps it.
TEST(RegionAccount, RegionsBeyondTheLimitAreSummedAndNoted) {
  Marks marks(3);
  for (int i = 0; i < 10; ++i) marks.run("x", i, 10 * i, 10 * i + 1 + i);
  marks.run("x", 2, 200, 300);
  const auto& rows = marks.account.regions();
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[2].totals.cycles, 3u + 100);
  EXPECT_EQ(rows[3].name, RegionAccount::kFurther);
  EXPECT_EQ(rows[3].executions, 7u);
  EXPECT_EQ(rows[3].totals.cycles, 4u + 5 + 6 + 7 + 8 + 9 + 10);
  EXPECT_THAT(marks.account.notes(),
              ::testing::ElementsAre("regions: the first 3 pairs of name and arguments have a row each; 7 "
                                     "executions of others are summed in the row (further regions)"));
}

TEST(RegionAccount, RegionsThatNeverEndAreNotedOnceANameAndBounded) {
  Marks marks(100, 5);
  for (int i = 0; i < 8; ++i) marks.mark(true, "open", {i}, 10);
  EXPECT_THAT(
      marks.account.notes(),
      ::testing::ElementsAre("region open began but never ended: that execution is not measured",
                             "3 executions of regions are not measured: they began while 5 others had "
                             "begun and not ended"));
}

// With activity, a row takes some hundred bytes in addition to its name.
TEST(RegionAccount, ARowCostsHundredsOfBytes) {
  Marks marks(100'000);
  Activity now;
  marks.account.measure_activity([&now] { return now; });
  for (int i = 0; i < 50; ++i) {
    marks.mark(true, "x", {i}, 100 * i);
    now.cycles += 100;
    now.fetch_blocks += 12;
    for (std::size_t c = 0; c < 4; ++c) {
      now.committed[c].left += 7;
      for (std::uint64_t& moves : now.committed[c].moves) moves += 300;
    }
    marks.mark(false, "x", {}, 100 * i + 100);
  }
  for (const MeasuredRegion& row : marks.account.regions()) {
    EXPECT_EQ(row.activity.unpack().cycles, 100u);
    EXPECT_EQ(row.activity.unpack().fetch_blocks, 12u);
    EXPECT_LT(sizeof row + row.activity.bytes(), 700u);
  }
}

}  // namespace
}  // namespace psim::pipeline
