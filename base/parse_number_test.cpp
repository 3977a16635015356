// SPDX-License-Identifier: Apache-2.0
#include "base/parse_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace psim {
namespace {

TEST(ParseNumber, TakesTheWholeTextOnly) {
  EXPECT_EQ(parse_number<int>("-12"), -12);
  EXPECT_EQ(parse_number<double>("1.5e3"), 1500.0);
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "x", "0x10", "1.5"})
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
  EXPECT_EQ(parse_number<double>("1.5e"), std::nullopt);
}

TEST(ParseNumber, HasTheLimitsOfItsType) {
  EXPECT_EQ(parse_number<std::uint64_t>("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(parse_number<std::uint64_t>("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_number<std::uint32_t>("-1"), std::nullopt);
  EXPECT_EQ(parse_number<double>("1e999"), std::nullopt);
  EXPECT_TRUE(std::isinf(parse_number<double>("inf").value_or(0)));
}

TEST(ParseNumber, TakesDigitsOfABase) {
  EXPECT_EQ(parse_number<std::uint64_t>("fF", 16), 255u);
  EXPECT_EQ(parse_number<std::uint64_t>("fg", 16), std::nullopt);
}

}  // namespace
}  // namespace psim
