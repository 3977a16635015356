// SPDX-License-Identifier: Apache-2.0
#include "papers/peak.h"

#include <gtest/gtest.h>

namespace psim::reproduce {
namespace {

TEST(Peak, TheCoreOfThePaperDoesFourOperationsACycleAndItsSixteenPesThirtyTwo) {
  Machine machine;
  machine.simd.pes = 0;
  EXPECT_EQ(peak_flops_per_cycle(machine), 4);  // 8 GFlop/s at 2 GHz
  machine.simd.pes = 16;
  EXPECT_EQ(peak_flops_per_cycle(machine), 32);  // 64 GFlop/s
  KernelCost cost;
  cost.cycles = 10, cost.flops = 160;
  EXPECT_DOUBLE_EQ(part_of_peak(cost, machine), 0.5);
}

}  // namespace
}  // namespace psim::reproduce
