// SPDX-License-Identifier: Apache-2.0
#include "machines/collective_table.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "mpi/collective/collective_times.h"
#include "mpi/collective/selection.h"

namespace psim {
namespace {

std::string refusal(const std::string& text) {
  try {
    collective_rules(text, "t.toml");
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

/// Returns the names of a collective's algorithms, as lists print them: "binomial, linear".
std::string algorithms_of(std::string_view collective) {
  std::string all;
  for (const net::mpi::CollectiveNames& names : net::mpi::collective_names())
    if (names.collective == collective)
      for (const std::string_view name : names.algorithms)
        all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

TEST(CollectiveTable, RowsBecomeRulesInTheOrderOfTheFile) {
  EXPECT_EQ(collective_rules("[bcast]\n\"ranks<=64,bytes<=65536\" = \"chain\"\nelse = \"binomial\"\n"
                             "[alltoall]\n\"bytes<=256\" = \"bruck\"\n",
                             "t.toml"),
            "bcast:ranks<=64,bytes<=65536=chain; bcast=binomial; alltoall:bytes<=256=bruck");
  EXPECT_EQ(collective_rules("# nothing\n", "t.toml"), "");
}

TEST(CollectiveTable, EveryBadRowIsNamedWithItsLine) {
  EXPECT_EQ(refusal("[bcats]\nelse = \"binomial\"\n[bcast]\n\"bites<=3\" = \"linear\"\nelse = \"fast\"\n"
                    "\"bytes<=1 KiB\" = \"linear\"\n"),
            "t.toml:2: bcats.else = binomial: 'bcats' is none of barrier, bcast, reduce, allreduce, gather, "
            "scatter, "
            "allgather, alltoall, reduce-scatter, scan\n"
            "t.toml:4: bcast.bites<=3 = linear: 'bites<=3' is neither ranks<=N nor bytes<=N\n"
            "t.toml:5: bcast.else = fast: 'fast' is none of " +
                algorithms_of("bcast") +
                "\n"
                "t.toml:6: bcast.bytes<=1 KiB = linear: '1 KiB' is not a whole number");
  EXPECT_EQ(refusal("bcast = \"linear\"\n"),
            "t.toml:1: bcast = linear: expected a row [collective] \"limits\" = \"algorithm\"");
  EXPECT_EQ(refusal("[bcast]\nelse = \"linear; scan=linear\"\n"),
            "t.toml:2: bcast.else = linear; scan=linear: ';' is not allowed here");
  EXPECT_NE(refusal("[bcast\n").find("t.toml:1: not TOML"), std::string::npos);
}

TEST(CollectiveTable, APrintedTableReadsBackAsTheSameTable) {
  const std::string table = collective_table("bcast:ranks<=64,bytes<=65536=chain; scan=linear");
  EXPECT_NE(table.find("[bcast]  # " + algorithms_of("bcast") + "\n\"ranks<=64,bytes<=65536\" = \"chain\"\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("[scan]  # " + algorithms_of("scan") + "\n\"else\" = \"linear\"\n"), std::string::npos)
      << table;
  EXPECT_EQ(collective_table(collective_rules(table, "t.toml")), table);
}

TEST(CollectiveTable, HardwareIsChosenOnlyWhereThereIsSome) {
  using net::HardwareCollectives;
  EXPECT_NO_THROW(check_hardware_rules("", HardwareCollectives::None));
  EXPECT_NO_THROW(check_hardware_rules("barrier=hardware", HardwareCollectives::Barrier));
  EXPECT_NO_THROW(check_hardware_rules("bcast:bytes<=64=hardware", HardwareCollectives::Tree));
  EXPECT_THROW(check_hardware_rules("barrier=hardware", HardwareCollectives::None), UserError);
  EXPECT_THROW(check_hardware_rules("bcast=hardware", HardwareCollectives::Barrier), UserError);
  EXPECT_NO_THROW(check_hardware_rules("allreduce=hardware", HardwareCollectives::Switches));
  EXPECT_NE(collective_table(hardware_rules({.kind = HardwareCollectives::Switches}))
                .find("\"bytes<=256\" = \"hardware\"\n\"bytes<=2048\" = \"recursive-doubling\""),
            std::string::npos);
  EXPECT_NE(collective_table(hardware_rules({.kind = HardwareCollectives::Barrier}))
                .find("[barrier]  # " + algorithms_of("barrier") + "\n\"else\" = \"hardware\""),
            std::string::npos);
}

constexpr const char* kTimes =
    "# measured\n\"collective\", ranks, bytes, seconds\n"
    "bcast,4,1,1e-6\nbcast,4,100,1e-4\nbcast,16,1,4e-6\nbcast,16,10000,1e-2\nbarrier,4,0,2e-6\n";

std::string refused_times(const std::string& text) {
  try {
    table_rules(text, "t.csv");
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(CollectiveTimes, AreInterpolatedInLogarithms) {
  using net::mpi::CollectiveKind;
  const net::mpi::CollectiveTimes times(kTimes);
  EXPECT_EQ(times.time(CollectiveKind::Bcast, 4, 1), 1'000'000u);
  EXPECT_EQ(times.time(CollectiveKind::Bcast, 4, 0), 1'000'000u);  // 0 bytes are as 1
  EXPECT_EQ(times.time(CollectiveKind::Bcast, 4, 10), 10'000'000u);
  EXPECT_EQ(times.time(CollectiveKind::Bcast, 8, 1), 2'000'000u);
  EXPECT_EQ(times.time(CollectiveKind::Barrier, 4, 0), 2'000'000u);
  EXPECT_EQ(times.least(), 1'000'000u);
}

TEST(CollectiveTimes, NoTimeIsGivenForSizesThatRowsDoNotEnclose) {
  using net::mpi::CollectiveKind;
  const net::mpi::CollectiveTimes times(kTimes);
  EXPECT_FALSE(times.time(CollectiveKind::Bcast, 4, 101));
  EXPECT_FALSE(times.time(CollectiveKind::Bcast, 17, 1));
  EXPECT_FALSE(times.time(CollectiveKind::Bcast, 3, 1));
  EXPECT_FALSE(times.time(CollectiveKind::Bcast, 8, 1000));  // rows of 16 ranks only
  EXPECT_TRUE(times.time(CollectiveKind::Bcast, 16, 1000));
  EXPECT_FALSE(times.has(CollectiveKind::Scan));
  EXPECT_EQ(times.covered(CollectiveKind::Bcast, 8),
            "4 to 16 ranks; 1 to 100 bytes with 4 ranks; 1 to 10000 bytes with 16 ranks");
}

TEST(CollectiveTimes, RowsOfOneSizeCountWithTheirMean) {
  const net::mpi::CollectiveTimes times(
      "ranks,note,collective,microseconds,bytes\n2,a,scan,3,8\n2,b,scan,5,8\n");
  EXPECT_EQ(times.time(net::mpi::CollectiveKind::Scan, 2, 8), 4'000'000u);
}

TEST(CollectiveTimes, BadRowsAreNamedWithTheirLine) {
  const std::string head = "collective,ranks,bytes,seconds\n";
  EXPECT_EQ(table_rules(kTimes, "t.csv"), "; barrier=table; bcast=table");
  EXPECT_EQ(refused_times("bcast,4,1,1e-6\n"),
            "t.csv:1: expected a line with the names of the columns: collective,ranks,bytes,seconds");
  EXPECT_EQ(refused_times(head),
            "t.csv: no rows; expected collective,ranks,bytes,seconds and a row for each time");
  EXPECT_NE(
      refused_times(head + "bcats,4,1,1e-6\n").find("t.csv:2: collective = bcats: expected one of barrier"),
      std::string::npos);
  EXPECT_EQ(refused_times(head + "\nbcast,0,1,1e-6\n"),
            "t.csv:3: ranks = 0: expected a number from 1 to 16777216");
  EXPECT_NE(refused_times(head + "bcast,2,x,1e-6\n").find("t.csv:2: bytes = x: expected"), std::string::npos);
  EXPECT_NE(refused_times(head + "bcast,2,1,-1e-6\n").find("t.csv:2: seconds = -1e-6: expected"),
            std::string::npos);
  EXPECT_NE(refused_times(head + "bcast,2,1,nan\n").find("t.csv:2: seconds = nan: expected"),
            std::string::npos);
  EXPECT_EQ(refused_times(head + "bcast,2\n"), "t.csv:2: 2 columns; expected those of the first line");
}

TEST(CollectiveTimes, RulesNameOnlyCollectivesThatTheTableHas) {
  EXPECT_NO_THROW(check_table_rules("bcast=table; scan=linear", kTimes));
  EXPECT_THROW(check_table_rules("scan=table", kTimes), UserError);
  EXPECT_THROW(check_table_rules("scan=table", ""), UserError);
  EXPECT_NO_THROW(check_table_times(kTimes, "t.csv", 500'000));
  EXPECT_THROW(check_table_times(kTimes, "t.csv", 500'001), UserError);
}

}  // namespace
}  // namespace psim
