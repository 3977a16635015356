// SPDX-License-Identifier: Apache-2.0
#include "papers/expert_kernels.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace psim::reproduce {
namespace {

TEST(ExpertKernels, ALineIsNameTestSizeSizeAndTraffic) {
  const std::vector<ExpertKernel> kernels = parse_expert_kernels(
      "# comment\n"
      "dgemm    64   256  0 0\n"
      "stencil  32   100  16 3\n");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "dgemm");
  EXPECT_EQ(kernels[0].order, 256u);
  EXPECT_EQ(kernels[0].bytes, 0);
  EXPECT_EQ(kernels[1].bytes, 16e6);
}

TEST(ExpertKernels, ALineWithoutItsTrafficIsRefused) {
  EXPECT_THROW(parse_expert_kernels("dgemm 64 256\n"), std::runtime_error);
}

}  // namespace
}  // namespace psim::reproduce
