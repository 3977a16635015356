// SPDX-License-Identifier: Apache-2.0
#include "papers/kernel_files.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace psim::reproduce {
namespace {

TEST(Variants, ALineIsNameKernelModesAndFlags) {
  const std::vector<Variant> all = parse_variants(
      "# comment\n\n"
      "dgemm-2x2   dgemm both  -DROWS=2 -DCOLUMNS=2\n"
      "dgemm-depth dgemm simd  -DDEPTH=16\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "dgemm-2x2");
  EXPECT_EQ(all[0].kernel, "dgemm");
  EXPECT_EQ(all[0].flags, "-DROWS=2 -DCOLUMNS=2");
  EXPECT_TRUE(all[0].scalar && all[0].simd);
  EXPECT_TRUE(!all[1].scalar && all[1].simd);
}

TEST(Variants, ALineWithoutModeOrFlagsIsRefused) {
  EXPECT_THROW(parse_variants("dgemm-2x2 dgemm all -DROWS=2\n"), std::runtime_error);
  EXPECT_THROW(parse_variants("dgemm-2x2 dgemm simd\n"), std::runtime_error);
  EXPECT_THROW(parse_variants("dgemm-2x2\n"), std::runtime_error);
}

}  // namespace
}  // namespace psim::reproduce
