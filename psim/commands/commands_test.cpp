// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/commands.h"

#include <gtest/gtest.h>

#include <new>

#include "base/error.h"
#include "pipeline/deadlock.h"

namespace psim::commands {
namespace {

struct Ending {
  int status;
  std::string message;
};
Ending ending(const std::function<int()>& action) {
  ::testing::internal::CaptureStderr();
  const int status = guarded(action);
  return {status, ::testing::internal::GetCapturedStderr()};
}

TEST(Guarded, StatusOfTheCommandIsPassedOn) {
  const Ending end = ending([] { return 7; });
  EXPECT_EQ(end.status, 7);
  EXPECT_EQ(end.message, "");
}

TEST(Guarded, MistakeOfTheUserIsTwo) {
  const Ending end = ending([]() -> int { throw UserError("m.toml:3: core.clok: unknown key"); });
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.message, "psim: m.toml:3: core.clok: unknown key\n");
}

TEST(Guarded, CoreThatStandsStillIsSeventy) {
  const Ending end = ending([]() -> int { throw pipeline::Deadlock("no instruction has committed"); });
  EXPECT_EQ(end.status, 70);
  EXPECT_EQ(end.message, "psim: internal error: no instruction has committed\n");
}

TEST(Guarded, AnythingElseIsSeventyAndMissingMemoryTwo) {
  EXPECT_EQ(ending([]() -> int { throw std::logic_error("x"); }).status, 70);
  EXPECT_EQ(ending([]() -> int { throw std::bad_alloc(); }).status, 2);
}

}  // namespace
}  // namespace psim::commands
