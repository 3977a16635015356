// SPDX-License-Identifier: Apache-2.0
#include "pipeline/cpi_account.h"

#include <gtest/gtest.h>

#include <numeric>

namespace psim::pipeline {
namespace {

std::uint64_t of(const CpiAccount::Stack& stack, CpiPart part) {
  return stack[static_cast<std::size_t>(part)];
}

TEST(CpiAccount, LookingDuringAnOpenMissChangesNothing) {
  CpiAccount account;
  account.charge_miss(30);
  EXPECT_EQ(of(account.stack(), CpiPart::Memory), 30u);
  account.charge_miss(5);
  account.settle(CpiPart::L2);
  EXPECT_EQ(of(account.stack(), CpiPart::Memory), 0u);
  EXPECT_EQ(of(account.stack(), CpiPart::L2), 35u);
}

TEST(CpiAccount, IntervalsSumToTheirCyclesWhereAMissSpansThem) {
  CpiAccount account;
  account.charge(CpiPart::Base, 4);
  account.charge_miss(30);
  const CpiAccount::Stack middle = account.stack();
  account.charge_miss(5);
  account.settle(CpiPart::L2);
  account.charge(CpiPart::Base, 2);
  const CpiAccount::Stack second = CpiAccount::between(middle, account.stack());
  EXPECT_EQ(of(second, CpiPart::Base), 2u);
  EXPECT_EQ(of(second, CpiPart::L2), 5u);  // the 30 earlier cycles were shown as memory's
  EXPECT_EQ(std::accumulate(second.begin(), second.end(), std::uint64_t{0}), 7u);
}

}  // namespace
}  // namespace psim::pipeline
