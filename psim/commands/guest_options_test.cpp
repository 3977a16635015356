// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/guest_options.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "psim/commands/command.h"

namespace psim::commands {
namespace {

struct Parsed {
  GuestOptions guest;
  CommonOptions common;
  std::vector<std::string> words;
};

Parsed parse(std::vector<std::string> arguments, ProgramStart start = ProgramStart::Inherited) {
  Parsed result;
  CLI::App app{"test", "exec"};
  take_program(app);
  add_guest_options(app, result.guest, start);
  add_common(app, result.common, kMachine | kJson | kSeed);
  take_one_value_each(app);  // as psim's own application does
  std::reverse(arguments.begin(), arguments.end());
  app.parse(arguments);
  result.words = program_of(app);
  return result;
}

TEST(GuestOptions, ARepeatedOptionTakesOneValueAndLeavesTheProgram) {
  const Parsed p =
      parse({"--bind", "/a:/b", "--env", "X=1", "--bind", "/c:/d:ro", "--set", "k=v", "prog", "arg"});
  EXPECT_EQ(p.guest.binds, (std::vector<std::string>{"/a:/b", "/c:/d:ro"}));
  EXPECT_EQ(p.guest.environment, std::vector<std::string>{"X=1"});
  EXPECT_EQ(p.common.sets, std::vector<std::string>{"k=v"});
  EXPECT_EQ(p.words, (std::vector<std::string>{"prog", "arg"}));
}

TEST(GuestOptions, WordsAfterTheProgramBelongToTheGuest) {
  const Parsed p = parse({"prog", "--bind", "x", "--help", "--", "-h"});
  EXPECT_TRUE(p.guest.binds.empty());
  EXPECT_EQ(p.words, (std::vector<std::string>{"prog", "--bind", "x", "--help", "--", "-h"}));
}

TEST(GuestOptions, EachStartOffersTheOther) {
  EXPECT_FALSE(parse({"prog"}).guest.fixed_start);
  EXPECT_TRUE(parse({"--clean-env", "prog"}).guest.fixed_start);
  EXPECT_TRUE(parse({"prog"}, ProgramStart::Fixed).guest.fixed_start);
  EXPECT_TRUE(parse({"--inherit-env", "prog"}, ProgramStart::Fixed).guest.inherit_environment);
  EXPECT_THROW(parse({"--inherit-env", "prog"}), UserError);
  EXPECT_THROW(parse({"--clean-env", "prog"}, ProgramStart::Fixed), UserError);
}

TEST(GuestOptions, MistakesAreReported) {
  EXPECT_THROW(load_guest({"/nonexistent"}, {}, 1), UserError);
  EXPECT_THROW(parse({"--fma", "twice", "prog"}), CLI::ParseError);
  EXPECT_THROW(parse({"--stack", "0", "prog"}), CLI::ParseError);
  EXPECT_THROW(parse({"--bnid", "a:b", "prog"}), UserError);
  EXPECT_THROW(parse({}), UserError);
}

}  // namespace
}  // namespace psim::commands
