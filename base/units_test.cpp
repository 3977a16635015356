// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <gtest/gtest.h>

namespace psim {
namespace {

TEST(Units, AQuantityIsReadExactlyInItsBaseUnit) {
  EXPECT_EQ(parse_quantity("2 GHz", Dimension::Frequency).value, 2'000'000'000u);
  EXPECT_EQ(parse_quantity("2.5GHz", Dimension::Frequency).value, 2'500'000'000u);
  EXPECT_EQ(parse_quantity("128 KB", Dimension::Size).value, 131072u);
  EXPECT_EQ(parse_quantity("1.5 KiB", Dimension::Size).value, 1536u);
  EXPECT_EQ(parse_quantity("120 cycles", Dimension::Cycles).value, 120u);
  EXPECT_EQ(parse_quantity("17 us", Dimension::Time).value, 17'000'000u);
  EXPECT_EQ(parse_quantity("4 GB/s", Dimension::Bandwidth).value, 4'000'000'000u);
  EXPECT_EQ(parse_quantity("100 Gbit/s", Dimension::Bandwidth).value, 12'500'000'000u);
  EXPECT_EQ(parse_quantity("2.5 Gbps", Dimension::Bandwidth).value, 312'500'000u);
  EXPECT_EQ(parse_quantity("8 bit/s", Dimension::Bandwidth).value, 1u);
  EXPECT_EQ(parse_quantity("8 kbit/s", Dimension::Bandwidth).value, 1000u);
  EXPECT_EQ(parse_quantity("8 Mbps", Dimension::Bandwidth).value, 1'000'000u);
  EXPECT_EQ(parse_quantity("1.6 Tbit/s", Dimension::Bandwidth).value, 200'000'000'000u);
  EXPECT_EQ(parse_quantity("1676.8 GFlop/s", Dimension::FlopRate).value, 1'676'800'000'000u);
  EXPECT_EQ(parse_quantity("64", Dimension::Count).value, 64u);
  EXPECT_EQ(parse_quantity("16_384", Dimension::Count).value, 16384u);
}

TEST(Units, TextThatIsNotExactlyAQuantityIsRefusedWithTheReason) {
  EXPECT_EQ(parse_quantity("120", Dimension::Cycles).problem, "has no unit");
  EXPECT_EQ(parse_quantity("-1 cycles", Dimension::Cycles).problem, "is negative");
  EXPECT_EQ(parse_quantity("0.3 B", Dimension::Size).problem, "is not a whole number of B");
  EXPECT_EQ(parse_quantity("12 bit/s", Dimension::Bandwidth).problem, "is not a whole number of B/s");
  EXPECT_EQ(parse_quantity("1.5", Dimension::Count).problem, "is not a whole number of ones");
  EXPECT_EQ(parse_quantity("", Dimension::Size).problem, "is not a number");
  EXPECT_EQ(parse_quantity("1..5 KB", Dimension::Size).problem, "is not a number");
  EXPECT_EQ(parse_quantity("99999999999999999999", Dimension::Count).problem, "is too large");
  EXPECT_EQ(parse_quantity("9000000 TB", Dimension::Size).problem, "is too large");
  EXPECT_EQ(parse_quantity("4 cores", Dimension::Count).problem,
            "has 'cores' after the number, which takes no unit");
  EXPECT_EQ(parse_quantity("2 GHz", Dimension::Cycles).problem,
            "has 'GHz' where a unit (cycle, cycles) belongs");
}

TEST(Units, APrintedQuantityReadsBackAsItself) {
  for (const Dimension dimension : {Dimension::Count, Dimension::Cycles, Dimension::Size,
                                    Dimension::Frequency, Dimension::Bandwidth, Dimension::Time})
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{1024}, std::uint64_t{1536},
          std::uint64_t{2'000'000'000}, std::uint64_t{1} << 40})
      EXPECT_EQ(parse_quantity(format_quantity(value, dimension), dimension).value, value)
          << format_quantity(value, dimension);
  EXPECT_EQ(format_quantity(131072, Dimension::Size), "128 KiB");
  EXPECT_EQ(format_quantity(2'000'000'000, Dimension::Frequency), "2 GHz");
  EXPECT_EQ(format_quantity(120, Dimension::Cycles), "120 cycles");
}

}  // namespace
}  // namespace psim
