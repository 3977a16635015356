// SPDX-License-Identifier: Apache-2.0
#include "base/executable_path.h"

#include <gtest/gtest.h>

namespace psim {
namespace {

namespace fs = std::filesystem;

TEST(ExecutablePath, IsThatOfTheRunningProgram) {
  EXPECT_TRUE(executable_path().is_absolute());
  EXPECT_TRUE(fs::equivalent(executable_path(), "/proc/self/exe"));
}

TEST(ExecutablePath, IsFoundWithoutProcByTheNameThatWasRun) {
  const std::string name = fs::relative(executable_path()).string();
  EXPECT_EQ(find_executable("/nonexistent/exe", name.c_str()), executable_path());
}

TEST(ExecutablePath, IsEmptyWhereNothingNamesIt) {
  EXPECT_TRUE(find_executable("/nonexistent/exe", nullptr).empty());
  EXPECT_TRUE(find_executable("/nonexistent/exe", "/nonexistent/psim").empty());
}

}  // namespace
}  // namespace psim
