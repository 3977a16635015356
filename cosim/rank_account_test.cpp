// SPDX-License-Identifier: Apache-2.0
#include "cosim/rank_account.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace psim::cosim {
namespace {

/// A rank whose core executes or sleeps for a number of cycles.
class TestRank {
 public:
  RankAccount account{[this] { return counts_; }};

  void execute(std::uint64_t cycles) {
    counts_.cycles += cycles;
    counts_.instructions += 2 * cycles;
    counts_.flops += 3 * cycles;
    counts_.cpi[0] += cycles;
  }
  void sleep(std::uint64_t cycles) {
    counts_.cycles += cycles;
    counts_.asleep += cycles;
    counts_.cpi[1] += cycles;
  }
  void begin(const std::string& name, std::vector<std::int64_t> arguments = {}) {
    mark({.name = name, .arguments = std::move(arguments)});
  }
  void end(const std::string& name) { mark({.name = name, .arguments = {}, .begin = false}); }
  void call(const std::string& name, bool begin) {
    mark({.name = name, .arguments = {}, .begin = begin, .call = true});
  }
  void mark(const isa::RegionMarker& mark) { account.on_mark(mark, {}); }

 private:
  RankCounts counts_;
};

TEST(RankAccount, KnowsWhetherARankIsBetweenInitAndFinalize) {
  TestRank rank;
  EXPECT_FALSE(rank.account.between_calls());
  rank.call("MPI_Init_thread", true);
  EXPECT_FALSE(rank.account.between_calls());  // within the call, which may abort
  rank.call("MPI_Init_thread", false);
  EXPECT_TRUE(rank.account.between_calls());
  rank.call("MPI_Barrier", true);
  EXPECT_FALSE(rank.account.between_calls());
  rank.call("MPI_Barrier", false);
  EXPECT_TRUE(rank.account.between_calls());
  rank.call("MPI_Finalize", true);
  rank.call("MPI_Finalize", false);
  EXPECT_FALSE(rank.account.between_calls());
}

TEST(RankAccount, DividesARegionIntoComputingOverheadAndWaiting) {
  TestRank rank;
  rank.execute(5);
  rank.begin("exchange", {7});
  rank.execute(10);
  rank.call("MPI_Recv", true);
  rank.execute(20);
  rank.call("MPI_Wait", true);  // belongs to the outer call
  rank.sleep(100);
  rank.call("MPI_Wait", false);
  rank.execute(3);
  rank.call("MPI_Recv", false);
  rank.sleep(40);  // outside of calls: computing, as of a thread that waits for others
  rank.end("exchange");
  const RankTime time = rank.account.finish();
  ASSERT_EQ(time.regions.size(), 1u);
  const RankRegion& region = time.regions[0];
  EXPECT_EQ(region.count, 1u);
  EXPECT_EQ(region.own.compute(), 50u);
  EXPECT_EQ(region.own.overhead, 23u);
  EXPECT_EQ(region.own.wait, 100u);
  EXPECT_EQ(region.own.counts.instructions, 66u);
  EXPECT_EQ(region.own.counts.flops, 99u);
  EXPECT_EQ(region.inclusive.cycles, 173u);
  EXPECT_EQ(region.inclusive_wait, 100u);
  EXPECT_EQ(time.outside.compute(), 5u);
  EXPECT_EQ(time.total().counts.cycles, 178u);
  EXPECT_EQ(time.total().counts.cpi[1], 140u);
}

TEST(RankAccount, InnerRegionsCountOnceAndTheOuterOneContainsThem) {
  TestRank rank;
  for (const std::int64_t n : {4, 9, 6}) {
    rank.begin("outer", {n, 1});
    rank.execute(1);
    rank.begin("inner");
    rank.execute(10);
    rank.begin("outer", {n});  // a recursion
    rank.execute(100);
    rank.end("outer");
    rank.end("inner");
    rank.end("outer");
  }
  const RankTime time = rank.account.finish();
  ASSERT_EQ(time.regions.size(), 2u);
  EXPECT_EQ(time.regions[0].count, 6u);
  EXPECT_EQ(time.regions[0].own.counts.cycles, 303u);
  EXPECT_EQ(time.regions[0].inclusive.cycles, 333u);
  EXPECT_EQ(time.regions[0].arguments, 2u);
  EXPECT_EQ(time.regions[0].least[0], 4);
  EXPECT_EQ(time.regions[0].most[0], 9);
  EXPECT_EQ(time.regions[1].own.counts.cycles, 30u);
  EXPECT_EQ(time.regions[1].inclusive.cycles, 330u);
  EXPECT_EQ(time.total().counts.cycles, 333u);
  EXPECT_THAT(time.notes, ::testing::IsEmpty());
}

TEST(RankAccount, AnOuterRegionHasTheWaitsOfInnerOnes) {
  TestRank rank;
  const auto receive = [&rank](std::uint64_t cycles) {
    rank.call("MPI_Recv", true);
    rank.execute(2);
    rank.sleep(cycles);
    rank.call("MPI_Recv", false);
  };
  receive(1000);
  rank.begin("outer");
  receive(30);
  rank.begin("inner");
  receive(400);
  rank.end("inner");
  rank.execute(5);
  rank.end("outer");
  const RankTime time = rank.account.finish();
  ASSERT_EQ(time.regions.size(), 2u);
  EXPECT_EQ(time.regions[0].own.wait, 30u);
  EXPECT_EQ(time.regions[0].inclusive_wait, 430u);
  EXPECT_EQ(time.regions[0].inclusive.cycles, 439u);
  EXPECT_EQ(time.regions[1].inclusive_wait, 400u);
}

TEST(RankAccount, KnowsTheStepsOfEachExecution) {
  TestRank rank;
  const auto reduce = [&rank] {
    rank.call("MPI_Allreduce", true);
    rank.call("MPI_Wait", true);  // belongs to the outer call
    rank.execute(2);
    rank.sleep(1000);
    rank.call("MPI_Wait", false);
    rank.call("MPI_Allreduce", false);
  };
  rank.execute(7);
  reduce();
  for (int i = 0; i < 2; ++i) {
    rank.begin("outer");
    rank.execute(10);
    reduce();
    rank.begin("inner");
    rank.execute(100);
    for (int j = 0; j < i + 1; ++j) reduce();
    rank.end("inner");
    reduce();
    rank.end("outer");
  }
  rank.execute(3);
  reduce();
  const RankTime time = rank.account.finish();
  const auto cycles = [](const Steps& steps) {
    std::vector<std::uint64_t> all;
    for (const Steps::Place& place : steps.places) {
      EXPECT_EQ(place.instructions, 2 * place.cycles);
      all.push_back(place.cycles);
    }
    return all;
  };
  EXPECT_THAT(cycles(time.outside_steps), ::testing::ElementsAre(7, 9, 9, 12));
  EXPECT_THAT(cycles(time.regions[0].steps), ::testing::ElementsAre(20, 24, 12 + 102 + 12 + 104))
      << "with inner regions, without waits, of both executions";
  EXPECT_FALSE(time.regions[1].steps.alike);
  EXPECT_THAT(time.regions[1].steps.places, ::testing::IsEmpty());
  net::Parcel parcel;
  time.write(parcel);
  const RankTime again = RankTime::read(parcel);
  EXPECT_EQ(cycles(again.regions[0].steps), cycles(time.regions[0].steps));
  EXPECT_FALSE(again.regions[1].steps.alike);
  EXPECT_EQ(cycles(again.outside_steps), cycles(time.outside_steps));
}

TEST(RankAccount, ReportsMarksThatDoNotFit) {
  TestRank rank;
  rank.end("never begun");
  rank.begin("never ended");
  rank.mark({.name = "of another thread", .arguments = {}, .first_thread = false});
  rank.execute(8);
  const RankTime time = rank.account.finish();
  EXPECT_THAT(time.notes, ::testing::ElementsAre(
                              "region never begun ended without having begun",
                              "region never ended began but never ended: its time counts, but no execution",
                              "1 marks of regions by threads other than a rank's first were left out"));
  ASSERT_EQ(time.regions.size(), 1u);
  EXPECT_EQ(time.regions[0].count, 0u);
  EXPECT_EQ(time.regions[0].own.counts.cycles, 8u);
}

TEST(RankAccount, SumsRegionsBeyondTheLimitInOneRow) {
  TestRank rank;
  for (std::size_t i = 0; i < RankAccount::kMostRegions + 3; ++i) {
    rank.begin(std::to_string(i));
    rank.execute(1);
    rank.end(std::to_string(i));
  }
  const RankTime time = rank.account.finish();
  EXPECT_EQ(time.regions.size(), RankAccount::kMostRegions + 1);
  EXPECT_EQ(time.regions.back().name, "(further regions)");
  EXPECT_EQ(time.regions.back().count, 3u);
  EXPECT_EQ(time.notes.size(), 1u);
}

TEST(RankTime, PassesThroughAParcel) {
  TestRank rank;
  rank.begin("region", {3});
  rank.execute(8);
  rank.end("region");
  rank.end("stray");
  const RankTime time = rank.account.finish();
  net::Parcel parcel;
  time.write(parcel);
  const RankTime read = RankTime::read(parcel);
  EXPECT_TRUE(parcel.empty());
  ASSERT_EQ(read.regions.size(), 1u);
  EXPECT_EQ(read.regions[0].name, "region");
  EXPECT_EQ(read.regions[0].own.counts.cycles, 8u);
  EXPECT_EQ(read.regions[0].inclusive.cycles, 8u);
  EXPECT_EQ(read.notes, time.notes);
}

}  // namespace
}  // namespace psim::cosim
