// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/memory_need.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace psim::net {
namespace {

TEST(MemoryNeed, RefusesRunsThatDoNotFitBeforeTheStart) {
  const MemoryNeed need{.ranks = 1'000'000, .globals = 4'096, .nodes = 1'000'000};
  EXPECT_EQ(need.bytes_per_rank(), 15u * 1'024);
  EXPECT_NO_THROW(check_memory("net", need, need.bytes()));
  try {
    check_memory("net", need, need.bytes() - 1);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("1000000 ranks need at least 16.2 GiB (15.0 KiB each"));
  }
}

TEST(MemoryNeed, ReadsTheHostsMemory) {
  EXPECT_GT(available_memory(), 1u << 20);
  EXPECT_LT(available_memory(), std::uint64_t{1} << 50);
}

}  // namespace
}  // namespace psim::net
