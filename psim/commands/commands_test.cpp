// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/commands.h"

#include <gtest/gtest.h>

#include <new>
#include <vector>

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

Ending command_line(std::vector<const char*> words) {
  words.insert(words.begin(), "psim");
  words.push_back(nullptr);
  return ending([&] { return run(static_cast<int>(words.size()) - 1, const_cast<char**>(words.data())); });
}

TEST(CommandLine, AValueThatWasForgottenIsNamed) {
  const Ending end = command_line({"net", "-n", "--quiet", "./ring"});
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.message, "psim: net: -n --quiet: the value N is missing; --quiet is an option\n");
  EXPECT_EQ(command_line({"trace", "record", "--json", "--quiet", "prog"}).message,
            "psim: trace record: --json --quiet: the value FILE is missing; --quiet is an option\n");
}

TEST(CommandLine, OptionsOfTheProgramAreItsOwn) {
  EXPECT_EQ(command_line({"net", "-n", "2", "/nonexistent/program", "-n", "--quiet"}).message,
            "psim: /nonexistent/program: No such file or directory\n");
}

}  // namespace
}  // namespace psim::commands
