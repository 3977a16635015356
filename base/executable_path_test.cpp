// SPDX-License-Identifier: Apache-2.0
#include "base/executable_path.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/read_file.h"

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

TEST(CommandLine, IsThatOfTheProcess) {
  std::string words;
  for (const std::string& word : command_line()) words += word + '\0';
  EXPECT_FALSE(words.empty());
  EXPECT_EQ(words, read_file("/proc/self/cmdline").bytes);
}

TEST(CommandLine, RunsAgainWithOtherWords) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(1);
    execute_again({command_line().front(), "--gtest_list_tests"});
    ::_exit(99);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace psim
