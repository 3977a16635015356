// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

TEST(CommandLine, AValueMissingAtTheEndIsNamed) {
  EXPECT_EQ(command_line({"net", "--quiet", "-n"}).message, "psim: net: -n: the value N is missing\n");
  EXPECT_EQ(command_line({"run", "--machine"}).message,
            "psim: run: --machine: the value FILE|NAME is missing\n");
  EXPECT_EQ(command_line({"run", "--json", "--", "prog"}).message,
            "psim: run: --json: the value FILE is missing\n");
}

TEST(CommandLine, AnOptionThatMayBeRepeatedLeavesTheProgramsName) {
  for (const char* option : {"--compare", "--set"}) {
    const char* value = option[2] == 'c' ? "always-on" : "link.sleep.policy=never";
    EXPECT_EQ(command_line({"net", "-n", "2", option, value, "/nonexistent/program"}).message,
              "psim: /nonexistent/program: No such file or directory\n")
        << option;
  }
}

TEST(CommandLine, AnOptionForSeveralWordsTakesThem) {
  ::testing::internal::CaptureStdout();
  const Ending end = command_line({"dis", "--words", "9de3bf50", "81c7e008", "--address", "0x1000"});
  const std::string listing = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(end.status, 0) << end.message;
  EXPECT_EQ(std::count(listing.begin(), listing.end(), '\n'), 2) << listing;
}

TEST(CommandLine, WithoutACommandTheHelpIsShownAndTheStatusIsTwo) {
  const Ending psim = command_line({});
  EXPECT_EQ(psim.status, 2);
  EXPECT_THAT(psim.message, ::testing::HasSubstr("\n  reproduce "));
  EXPECT_THAT(psim.message, ::testing::HasSubstr("psim config list"));
  const Ending config = command_line({"config"});
  EXPECT_EQ(config.status, 2);
  EXPECT_THAT(config.message, ::testing::HasSubstr("\n  explain "));
}

TEST(CommandLine, OptionsOfTheProgramAreItsOwn) {
  EXPECT_EQ(command_line({"net", "-n", "2", "/nonexistent/program", "-n", "--quiet"}).message,
            "psim: /nonexistent/program: No such file or directory\n");
}

}  // namespace
}  // namespace psim::commands
