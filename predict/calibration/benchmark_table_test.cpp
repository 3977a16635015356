// SPDX-License-Identifier: Apache-2.0
#include "predict/calibration/benchmark_table.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace psim::predict {
namespace {

TEST(BenchmarkTable, ReadsTheOutputOfOsu) {
  const BenchmarkFile file = read_benchmarks(
      "Warning: node7 is busy\n"
      "# OSU MPI Latency Test v5.6.2\n"
      "# Size          Latency (us)\n"
      "0                       1.02\n"
      "8                       1.04\r\n"
      "# OSU MPI Bandwidth Test v7.3\n"
      "# Datatype: MPI_CHAR.\n"
      "# Size      Bandwidth (MB/s)\n"
      "1                       6.50\n"
      "# OSU MPI Multiple Bandwidth / Message Rate Test v5.8\n"
      "# [ pairs: 1 ] [ window size: 32 ]\n"
      "# Size                  MB/s        Messages/s\n"
      "1                       6.41        6412345.67\n",
      "all.txt");
  ASSERT_EQ(file.tables.size(), 3u);
  EXPECT_EQ(file.tables[0].kind, BenchmarkKind::Latency);
  ASSERT_EQ(file.tables[0].rows.size(), 2u);
  EXPECT_EQ(file.tables[0].rows[1].bytes, 8u);
  EXPECT_DOUBLE_EQ(file.tables[0].rows[1].value, 1.04e-6);
  EXPECT_DOUBLE_EQ(file.tables[0].rows[1].resolution, 0.005e-6);
  EXPECT_EQ(file.tables[0].rows[1].line, 5u);
  EXPECT_EQ(file.tables[1].name, "osu_bw");
  EXPECT_EQ(file.tables[1].window, 64u);
  EXPECT_DOUBLE_EQ(file.tables[1].rows[0].value, 6.5e6);
  EXPECT_EQ(file.tables[2].window, 32u);
  EXPECT_DOUBLE_EQ(file.tables[2].rows[0].messages, 6412345.67);
}

constexpr const char* kImb =
    "#----\n# Benchmarking PingPong\n# #processes = 2\n#----\n"
    "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
    "            0         1000         1.10         0.00\n"
    "         1000         1000         2.00       {}\n"
    "# Benchmarking Exchange\n"
    "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
    "            4         1000         9.00         9.00         9.00         9.00\n"
    "# Benchmarking Uniband\n"
    "       #bytes #repetitions   Mbytes/sec      Msg/sec\n"
    "            0         1000         0.00      5000000\n"
    "            1         1000         5.00      5000000\n";

std::string imb(const std::string& rate) {
  std::string text = kImb;
  return text.replace(text.find("{}"), 2, rate);
}

TEST(BenchmarkTable, ReadsTheOutputOfImbAndItsMegabytes) {
  const BenchmarkFile file = read_benchmarks(imb("500.00"), "imb.txt");
  ASSERT_EQ(file.tables.size(), 2u);
  EXPECT_EQ(file.tables[0].rows.size(), 2u);
  EXPECT_DOUBLE_EQ(file.tables[0].rows[1].value, 2e-6);
  ASSERT_EQ(file.tables[1].rows.size(), 1u);  // no rate of empty messages
  EXPECT_DOUBLE_EQ(file.tables[1].rows[0].value, 5e6);
  EXPECT_DOUBLE_EQ(file.tables[1].rows[0].messages, 5e6);
  ASSERT_EQ(file.skipped.size(), 1u);
  EXPECT_EQ(file.skipped[0], "Benchmarking Exchange");
  EXPECT_DOUBLE_EQ(read_benchmarks(imb("476.84"), "imb.txt").tables[1].rows[0].value, 5 * 1048576.);
}

TEST(BenchmarkTable, SkipsWhatIsNotOnePairInOneDirection) {
  for (const char* heading :
       {"# OSU MPI Bi-Directional Bandwidth Test v5.6", "# OSU MPI Allreduce Latency Test v5.6",
        "# OSU MPI_Put Latency Test v5.6", "# OSU MPI Multi Latency Test v5.6"})
    EXPECT_THROW(read_benchmarks(std::string(heading) + "\n4 1.0\n", "x"), UserError) << heading;
  EXPECT_THROW(read_benchmarks("# OSU MPI Multiple Bandwidth / Message Rate Test v5.8\n"
                               "# [ pairs: 4 ] [ window size: 64 ]\n1 6.4 6400000\n",
                               "x"),
               UserError);
}

std::string refusal(const std::string& text) {
  try {
    read_benchmarks(text, "f.txt");
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BenchmarkTable, RefusesRowsThatAreNone) {
  EXPECT_NE(refusal("").find("f.txt: has no table of osu_latency"), std::string::npos);
  const std::string heading = "# OSU MPI Latency Test v5.6.2\n";
  EXPECT_NE(refusal(heading + "8\n").find("f.txt:2: the row has 1 columns"), std::string::npos);
  EXPECT_NE(refusal(heading + "8 fast\n").find("f.txt:2: \"fast\""), std::string::npos);
  EXPECT_NE(refusal(heading + "8 -1\n").find("f.txt:2: \"-1\""), std::string::npos);
  EXPECT_NE(refusal(heading + "1.5 1\n").find("f.txt:2: the size of the message"), std::string::npos);
  EXPECT_NE(refusal("# Benchmarking PingPong\n #bytes #repetitions time\n")
                .find("f.txt:2: the table of IMB PingPong"),
            std::string::npos);
}

}  // namespace
}  // namespace psim::predict
