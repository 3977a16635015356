// SPDX-License-Identifier: Apache-2.0
#include "psim/compare/comparison.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "psim/compare/core_difference.h"

namespace psim::compare {
namespace {

using nlohmann::json;

/// A result of two ranks with one region: compute and wait, in seconds over all ranks.
json net_result(double compute, double wait, double outside) {
  const json region{{"name", "product"},
                    {"count", 4},
                    {"extrapolated", 1},
                    {"seconds", compute + wait},
                    {"compute", compute},
                    {"wait", wait},
                    {"per_rank", {{"seconds", {{"min", 1.0}, {"max", 2.0}}}}}};
  return {{"command", "net"},
          {"ranks", 2},
          {"seconds", 5.0},
          {"seconds_interval", {4.0, 6.0}},
          {"per_rank", json::object()},
          {"compute",
           {{"mode", "model:fits.toml"},
            {"regions", {region}},
            {"outside", {{"seconds", outside}, {"transfer", outside}}}}},
          {"assumptions", {"an assumption"}}};
}

json core_result() {
  return {{"command", "run"},
          {"cycles", 4000},
          {"seconds", 2.0},
          {"machine", {{"name", "simd16"}}},
          {"regions",
           {{{"name", "product"}, {"args", {8}}, {"executions", 2}, {"cycles", 1000}},
            {{"name", "product"}, {"args", {16}}, {"executions", 1}, {"cycles", 2000}}}}};
}

TEST(Comparison, ReadsRanksAndCores) {
  const Side ranks = side_of(net_result(3, 1, 6), "a.json");
  EXPECT_EQ(ranks.source, "model:fits.toml");
  nlohmann::json unmarked = net_result(3, 1, 6);
  unmarked["compute"]["mode"] = "measured";
  unmarked["compute"]["regions"] = nlohmann::json::array();
  EXPECT_EQ(side_of(unmarked, "b.json").source, "measured");
  EXPECT_EQ(ranks.ranks, 2);
  ASSERT_TRUE(ranks.interval);
  EXPECT_EQ((*ranks.interval)[1], 6.0);
  EXPECT_EQ(ranks.regions.at("product").most, 2.0);
  EXPECT_EQ(ranks.regions.at(kOutside).least, 3.0);
  const Side core = side_of(core_result(), "b.json");
  EXPECT_EQ(core.source, "cycle-level core simd16");
  EXPECT_DOUBLE_EQ(core.regions.at("product").sum.seconds, 1.5);
  EXPECT_EQ(core.regions.at("product").sum.count, 3);
  EXPECT_DOUBLE_EQ(core.regions.at(kOutside).sum.seconds, 0.5);
  EXPECT_FALSE(core.interval);
  nlohmann::json sampled = core_result();
  sampled["cycles_interval"] = {3900, 4200};
  const Side estimate = side_of(sampled, "c.json");
  ASSERT_TRUE(estimate.interval);
  EXPECT_DOUBLE_EQ((*estimate.interval)[0], 1.95);
  EXPECT_DOUBLE_EQ((*estimate.interval)[1], 2.1);
}

TEST(Comparison, NamesTheLargestDifferenceAndItsPart) {
  const std::vector<Difference> all =
      differences(side_of(net_result(3, 1, 6), "a"), side_of(net_result(4, 5, 7), "b"));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].region, "product");
  EXPECT_DOUBLE_EQ(all[0].seconds(), 2.5);
  EXPECT_EQ(all[0].part, "wait");
  EXPECT_DOUBLE_EQ(all[0].part_seconds, 2);
  EXPECT_DOUBLE_EQ(all[0].share, 2.5 / 3);
  EXPECT_EQ(all[1].part, "transfer");
  // A region that one result lacks counts whole.
  json without = net_result(3, 1, 6);
  without["compute"]["regions"][0]["name"] = "other";
  EXPECT_EQ(differences(side_of(net_result(3, 1, 6), "a"), side_of(without, "b")).size(), 3u);
}

constexpr const char* kHeader = "rank,region,count,compute_s,overhead_s,transfer_s,wait_s,seconds_s\n";

TEST(Comparison, ComparesRanks) {
  Side first, second;
  first.by_rank =
      read_rank_times(std::string(kHeader) + "0,\"a,\"\"b\",1,1,0,0,0,1\n1,(outside),0,0,0,2,0,2\n", "a");
  second.by_rank =
      read_rank_times(std::string(kHeader) + "0,\"a,\"\"b\",1,1.5,0,0,0,1.5\n1,(outside),0,0,0,2,4,6\n", "b");
  EXPECT_TRUE(first.by_rank[0].contains("a,\"b"));
  const std::vector<RankDifference> ranks = rank_differences(first, second);
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[0].rank, 1u);
  EXPECT_EQ(ranks[0].part, "wait");
  EXPECT_DOUBLE_EQ(ranks[1].seconds, 0.5);
  EXPECT_TRUE(rank_differences(first, {}).empty());
}

TEST(Comparison, RefusesOtherFiles) {
  EXPECT_THROW(side_of({{"command", "fit"}}, "a"), UserError);
  EXPECT_THROW(side_of({{"command", "run"}, {"seconds", 1}}, "a"), UserError);
  for (const std::string text : {"", "rank\n0\n", "0,x,1,1,1,1,1\n", "-1,x,1,1,1,1,1,1\n",
                                 "0,x,1,1,1,1,1,nan\n", "0.5,x,1,1,1,1,1,1\n", "1e9,x,1,1,1,1,1,1\n", "\n"})
    EXPECT_THROW(read_rank_times(text.starts_with("rank") ? text : kHeader + text, "a"), UserError) << text;
}

/// A result of two ranks on cycle-level nodes.
json nodes_result(double compute, double wait) {
  const json region{
      {"name", "product"}, {"count", 2}, {"seconds", compute + wait}, {"compute", compute}, {"wait", wait}};
  const json outside{{"seconds", 1.0}, {"compute", 1.0}};
  json result = net_result(2 * compute, 2 * wait, 2);
  result["command"] = "cosim";
  result["compute"]["mode"] = "cycle-level nodes sparc64v";
  result["nodes"] = {{{"regions", {region}}, {"outside", outside}},
                     {{"regions", {region}}, {"outside", outside}}};
  return result;
}

TEST(Comparison, ReadsNodesWithTheTimesOfEachRank) {
  const Side nodes = side_of(nodes_result(3, 1), "a.json");
  EXPECT_EQ(nodes.source, "cycle-level nodes sparc64v");
  ASSERT_EQ(nodes.by_rank.size(), 2u);
  EXPECT_EQ(nodes.by_rank[1].at("product").parts[0], 3.0);
  EXPECT_EQ(nodes.by_rank[1].at(kOutside).seconds, 1.0);
}

TEST(Comparison, CountsTransfersAsWaitingWhereAResultHasNodes) {
  json ranks = net_result(6, 0, 2);
  json& region = ranks["compute"]["regions"][0];
  region["transfer"] = 4.0;
  region["seconds"] = 10.0;
  const Side nodes = side_of(nodes_result(3, 1), "a.json");
  const std::vector<Difference> all = differences(nodes, side_of(ranks, "b.json"));
  ASSERT_EQ(all[0].region, "product");
  EXPECT_EQ(all[0].part, "wait");
  EXPECT_DOUBLE_EQ(all[0].part_seconds, 1.0);
}

TEST(Comparison, LeavesOutStatisticsThatOneOfTwoRunsLacks) {
  json whole{{"command", "run"},
             {"cycles", 100},
             {"seconds", 1e-7},
             {"cpi_stack", {{"base", 60}, {"memory", 40}}},
             {"statistics", {{"l1d", {{"miss_latency", {{"samples", 4}, {"mean", 10.0}}}}}}}};
  json sampled = whole;
  sampled["cycles"] = 90, sampled["seconds"] = 9e-8, sampled["cpi_stack"]["memory"] = 30;
  sampled["statistics"]["l1d"]["miss_latency"]["mean"] = 7.5;
  EXPECT_EQ(core_difference(whole, sampled, {})->statistics.size(), 1u);
  sampled.erase("statistics");
  EXPECT_TRUE(core_difference(whole, sampled, {})->statistics.empty());
  EXPECT_EQ(core_difference(whole, sampled, {})->parts.size(), 1u);
}

TEST(Comparison, NamesMispredictionsByTheirEffectOnTime) {
  const json few{{"command", "run"},
                 {"cycles", 100},
                 {"seconds", 1e-7},
                 {"cpi_stack", {{"base", 80}, {"branch", 20}}},
                 {"statistics", {{"branch", {{"mispredictions", 2}}}}}};
  json many = few;
  many["cycles"] = 180, many["seconds"] = 1.8e-7, many["cpi_stack"]["branch"] = 100;
  many["statistics"]["branch"]["mispredictions"] = 8;
  const std::vector<Change> more = core_difference(few, many, {})->statistics;
  ASSERT_EQ(more.size(), 1u);
  EXPECT_EQ(more[0].name, "branch.mispredictions");
  EXPECT_EQ(more[0].first, 2);
  EXPECT_EQ(more[0].second, 8);
  EXPECT_NEAR(more[0].weight, 6e-8, 1e-15);  // six more, of ten cycles each

  // They do not explain why each of them takes longer.
  many["statistics"]["branch"]["mispredictions"] = 2;
  EXPECT_TRUE(core_difference(few, many, {})->statistics.empty());
}

}  // namespace
}  // namespace psim::compare
