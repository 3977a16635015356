// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "papers/real_machine_set.h"

namespace psim::reproduce {
namespace {

constexpr const char* kHead = "benchmark,algorithm,nodes,ranks,bytes,unit,measured,judged,source\n";

std::string refusal_of(const std::string& row) {
  try {
    parse_measured(kHead + row, "m.csv");
    return "accepted";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(RealMachine, JudgedRowsOfMeasuredCsvAreRead) {
  const std::vector<MeasuredBenchmark> rows =
      parse_measured(std::string(kHead) +
                         "allreduce,ring,4,8,64,us,2.5,yes,a, with a comma\nbcast,,2,2,8,us,1,no,b\n"
                         "hpl,,16,16,,Gflop/s,16090.9,yes,c\n",
                     "m.csv");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].benchmark + rows[0].algorithm, "allreducering");
  EXPECT_EQ(rows[0].nodes, 4u);
  EXPECT_EQ(rows[0].ranks, 8u);
  EXPECT_EQ(rows[0].bytes, 64u);
  EXPECT_STREQ(rows[0].key(), "us");
  EXPECT_STREQ(rows[1].key(), "gflops");
}

TEST(RealMachine, MistakesInMeasuredCsvAreReportedWithTheLine) {
  EXPECT_EQ(refusal_of("allreduce,,4,x,64,us,2.5,yes,a\n"), "m.csv:2: ranks = \"x\": expected a number");
  EXPECT_NE(refusal_of("alreduce,,4,8,64,us,2.5,yes,a\n").find("m.csv:2: benchmark = \"alreduce\": unknown"),
            std::string::npos);
  EXPECT_NE(refusal_of("bcast,,4,6,64,us,2.5,yes,a\n").find("ranks = 6 on nodes = 4"), std::string::npos);
  EXPECT_NE(refusal_of("bcast,,4,8,64,us,0,yes,a\n").find("measured = 0: expected more than 0"),
            std::string::npos);
  EXPECT_NE(refusal_of("bcast,,4,8,64,ms,1,yes,a\n").find("unit = \"ms\": expected us, MB/s"),
            std::string::npos);
  EXPECT_NE(refusal_of("bcast,,4,8,64,us,1,maybe,a\n").find("judged = \"maybe\": expected yes or no"),
            std::string::npos);
  EXPECT_NE(refusal_of("bcast,,4\n").find("m.csv:2: has 3 columns; expected 9"), std::string::npos);
  EXPECT_THROW(parse_measured("benchmark,nodes\n", "m.csv"), UserError);
}

TEST(RealMachine, RunsHaveTheRanksTheAlgorithmAndTheBlocksOfTheirSource) {
  RealMachineSet set;
  set.name = "fugaku-pico";
  MeasuredBenchmark row{"allgather", "ring", 64, 64, 256, 1, "us"};
  NetworkRun run = run_of(set, row, "m.toml", 0);
  EXPECT_EQ(run.ranks, 64u);
  EXPECT_EQ(run.arguments, (std::vector<std::string>{"allgather", "4", "barriers", "1"}));
  EXPECT_EQ(run.settings, (std::vector<std::string>{"mpi.algorithms=allgather=ring"}));
  set.name = "alaska-ib";
  row = {"alltoall", "", 2, 64, 256, 1, "us"};
  run = run_of(set, row, "m.toml", 0);
  EXPECT_EQ(run.arguments, (std::vector<std::string>{"alltoall", "256", "barrier", "2"}));
  EXPECT_EQ(run.settings, (std::vector<std::string>{"node.ranks=32"}));
  row = {"far-latency", "", 2, 2, 8, 1, "us"};
  EXPECT_EQ(run_of(set, row, "m.toml", 640).ranks, 640u);
}

TEST(RealMachine, NumbersAreThoseOfTheSource) {
  RealMachineSet set;
  set.name = "alaska-ib";
  const std::string two = "2.000000 us\n4.000000 us\n";
  EXPECT_DOUBLE_EQ(number_of(set, {"allreduce", "", 2, 2, 8, 1, "us"}, two), 3);  // OSU: the mean
  EXPECT_DOUBLE_EQ(number_of(set, {"pairs-bandwidth", "", 2, 4, 6, 1, "MB/s"}, two), 2 * 64 * 6 / 3.0);
  EXPECT_DOUBLE_EQ(number_of(set, {"two-way-bandwidth", "", 2, 2, 4, 1, "MB/s"}, "2.0 us\n"), 256);
  EXPECT_DOUBLE_EQ(number_of(set, {"pair-bandwidth", "", 2, 2, 6, 1, "MB/s"}, two), 2);
  set.name = "deep-est";
  EXPECT_DOUBLE_EQ(number_of(set, {"dissemination", "", 2, 2, 8, 1, "us"}, two), 4);  // the slowest rank
  EXPECT_THROW(number_of(set, {"bcast", "", 2, 2, 8, 1, "us"}, ""), std::runtime_error);
}

/// Returns the values of a set that come from its judged rows, and checks that each row is one value.
std::size_t rows_with_values(const RealMachineSet& set) {
  std::size_t rows = 0;
  for (const MeasuredBenchmark& row : set.judged) {
    nlohmann::ordered_json run{{"benchmark", row.benchmark}, {"algorithm", row.algorithm}};
    run["nodes"] = row.nodes, run["ranks"] = row.ranks, run["bytes"] = row.bytes;
    run[row.key()] = 1.5;
    nlohmann::ordered_json result;
    result["runs"].push_back(run);
    std::size_t found = 0;
    for (const PublishedValue& value : set.published.values)
      if (value.ours(result)) {
        ++found;
        EXPECT_EQ(value.paper, row.measured) << set.folder << ": " << value.name;
      }
    EXPECT_EQ(found, 1u) << set.folder << ": " << run.dump();
    rows += found;
  }
  return rows;
}

TEST(RealMachine, TheShippedFilesAreCorrectAndEachJudgedRowIsOneValue) {
  std::size_t sets = 0, rows = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(PSIM_SOURCE_DIR) / "papers/real-machines")) {
    const RealMachineSet set = load_real_machine(entry.path().string());
    EXPECT_EQ(set.published.paper, entry.path().filename().string());
    EXPECT_FALSE(set.published.values.empty()) << set.folder;
    for (const PublishedValue& value : set.published.values) {
      EXPECT_TRUE(value.paper.has_value()) << set.folder << ": " << value.name;
      EXPECT_FALSE(value.source.empty()) << set.folder << ": " << value.name;
    }
    rows += rows_with_values(set);
    ++sets;
  }
  EXPECT_GE(sets, 11u);
  EXPECT_GT(rows, 700u);
}

/// Writes a set of this data.toml with two judged rows, and loads it.
RealMachineSet small_set(const std::string& values) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "small-set";
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "machine.toml") << "[topology]\nkind = \"crossbar\"\n";
  std::ofstream(folder / "data.toml")
      << "format = 1\npaper = \"p\"\ntitle = \"T\"\nsource = \"s\"\ncommand = \"reproduce\"\n"
      << values;
  std::ofstream(folder / "measured.csv")
      << kHead
      << "allreduce,ring,4,8,64,us,2.5,yes,a; b\n"
         "allreduce,ring,4,8,512,us,3,yes,a\nhpl,,16,16,,Gflop/s,9,yes,c\n";
  return load_real_machine(folder.string());
}

TEST(RealMachine, JudgedRowsAreTheValuesOfADataFileWithoutValues) {
  const Published published = small_set("").published;
  ASSERT_EQ(published.values.size(), 3u);
  const PublishedValue& value = published.values[0];
  EXPECT_EQ(value.name, "allreduce-ring-4x2-64");
  EXPECT_EQ(value.text, "allreduce, ring, 4 nodes x 2 ranks, 64 bytes");
  EXPECT_EQ(value.source, "a, b");
  EXPECT_EQ(value.tolerance, 0.15);
  EXPECT_EQ(value.figure + ": " + value.series + ": " + value.x, "allreduce: ring, 4 nodes x 2: 64");
  EXPECT_EQ(published.values[2].name + published.values[2].figure, "hpl-16x1");  // one number: no figure
  ASSERT_EQ(published.figures.size(), 1u);
  EXPECT_EQ(published.figures[0].y_name, "us");
  const Published own = small_set("[value.a]\npaper = 2\nfind = \"a\"\n").published;
  ASSERT_EQ(own.values.size(), 1u);
  EXPECT_EQ(own.values[0].name, "a");
}

TEST(RealMachine, AnUnknownSetIsAnErrorWithTheNearestName) {
  try {
    load_real_machine("alaska-ob");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("real-machine: unknown set alaska-ob; did you mean alaska-ib?"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(load_real_machine("./absent"), UserError);
}

}  // namespace
}  // namespace psim::reproduce
