// SPDX-License-Identifier: Apache-2.0
#include "machines/collective_table.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
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
  EXPECT_NE(collective_table(hardware_rules(HardwareCollectives::Barrier))
                .find("[barrier]  # " + algorithms_of("barrier") + "\n\"else\" = \"hardware\""),
            std::string::npos);
}

}  // namespace
}  // namespace psim
