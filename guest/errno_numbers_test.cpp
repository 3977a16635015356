// SPDX-License-Identifier: Apache-2.0
#include "guest/errno_numbers.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>

namespace psim::isa {
namespace {

TEST(ErrnoNumbers, TheFirstThirtyFourAreTheSame) {
  for (int e = 0; e <= 34; ++e) EXPECT_EQ(guest_errno(e), e);
}

TEST(ErrnoNumbers, TheOthersFollowSunOs) {
  EXPECT_EQ(guest_errno(ENOSYS), 90);
  EXPECT_EQ(guest_errno(ELOOP), 62);
  EXPECT_EQ(guest_errno(ENAMETOOLONG), 63);
  EXPECT_EQ(guest_errno(ENOTEMPTY), 66);
  EXPECT_EQ(guest_errno(EOPNOTSUPP), 45);
  EXPECT_EQ(guest_errno(ETIMEDOUT), 60);
  EXPECT_EQ(guest_errno(EOVERFLOW), 92);
  EXPECT_EQ(guest_errno(EILSEQ), 122);
  EXPECT_EQ(guest_errno(EDEADLK), 78);
}

TEST(ErrnoNumbers, NoTwoHostErrorsBecomeOne) {
  std::set<int> seen;
  for (int e = 0; e <= EHWPOISON; ++e) {
    if (e == 41 || e == 58) continue;  // Linux leaves these numbers out
    EXPECT_TRUE(seen.insert(guest_errno(e)).second) << e;
  }
}

TEST(ErrnoNumbers, AnUnknownNumberIsInvalidArgument) {
  EXPECT_EQ(guest_errno(-1), EINVAL);
  EXPECT_EQ(guest_errno(4000), EINVAL);
}

}  // namespace
}  // namespace psim::isa
