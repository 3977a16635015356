// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <new>
#include <utility>
#include <vector>

#include "base/error.h"
#include "pipeline/deadlock.h"
#include "psim/commands/spelling.h"

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
  EXPECT_EQ(command_line({"net", "-np", "4", "./ring"}).message,
            "psim: net: unknown option -np; did you mean -n?\n");
  EXPECT_EQ(command_line({"run", "--machine"}).message,
            "psim: run: --machine: the value FILE|NAME is missing\n");
  EXPECT_EQ(command_line({"run", "--json", "--", "prog"}).message,
            "psim: run: --json: the value FILE is missing\n");
}

TEST(CommandLine, AWordAfterAnOptionWithoutAValueIsNoProgramIfTheNextOneIs) {
  EXPECT_EQ(command_line({"run", "--profile", "out.txt", "/proc/self/exe"}).message,
            "psim: run: --profile takes no value, so out.txt would be the program; expected --profile "
            "/proc/self/exe\n");
  EXPECT_EQ(command_line({"net", "-n", "2", "--quiet", "/nonexistent/program", "/proc/self/exe"}).message,
            "psim: /nonexistent/program: No such file or directory\n");
}

TEST(CommandLine, AnOptionAfterTheProgramIsTheProgramsAndHasAWarning) {
  CLI::App app;
  app.prefix_command();
  std::string value;
  app.add_option("--json", value)->type_name("FILE");
  app.add_option("--machine", value)->type_name("FILE|NAME");
  app.add_option("--set", value)->type_name("KEY=VALUE");
  app.add_option("--seed", value)->type_name("N");
  app.parse(
      "./ring --json /nonexistent/a --machine=tofu --set link.delay=1ns --set x=1.5 --seed 1 --json "
      "/dev/null --json");
  EXPECT_THAT(late_options(app),
              ::testing::ElementsAre("--json /nonexistent/a", "--machine=tofu", "--set link.delay=1ns"));
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

TEST(CommandLine, AListRefusesOptionsThatItDoesNotUse) {
  const Ending alone = command_line({"net", "-n", "4", "--topologies"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_EQ(alone.message,
            "psim: --ranks: not with --topologies, which prints a list and ends; expected it alone\n");
  EXPECT_EQ(command_line({"net", "--machine", "torus3d", "--collectives", "./ring"}).message,
            "psim: ./ring: not with --collectives, which prints a list and ends; expected only --machine, "
            "--set, --network\n");
}

TEST(CommandLine, StatisticsOfAFileAreAskedElsewhere) {
  const Ending end = command_line({"statistics", "/dev/null"});
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(
      end.message,
      "psim: /dev/null: is a file; this command lists what statistics there are, by words such as miss; "
      "`psim show` prints a result, and `psim run --statistics FILE` writes its statistics\n");
}

TEST(CommandLine, ValuesThatAreNoNumbersInTheRangeAreRefused) {
  EXPECT_EQ(command_line({"diff", "--tolerance", "nan", "a", "b"}).message,
            "psim: --tolerance: nan: expected a number from 0 to 1\n");
  EXPECT_EQ(command_line({"net", "--replay", "a", "--compute-scale", "nan"}).message,
            "psim: --compute-scale: nan: expected a number from 0 to 1e+06\n");
  EXPECT_EQ(command_line({"run", "--partial-every", "nan", "--json", "a", "prog"}).message,
            "psim: --partial-every: nan: expected a number from 0.1 to 1e+09\n");
  EXPECT_EQ(command_line({"cosim", "--functional-cpi", "inf", "prog"}).message,
            "psim: --functional-cpi: inf: expected a number from 0.1 to 1000\n");
  EXPECT_EQ(command_line({"net", "--traffic", "uniform", "--group", "-1"}).message,
            "psim: --group: -1: expected a whole number from 1 to 16777216\n");
  EXPECT_EQ(command_line({"view", "--count", "18446744073709551616", "a"}).message,
            "psim: --count: 18446744073709551616: expected a whole number from 1 to 2^64 - 1\n");
}

TEST(CommandLine, AnEmptyValueIsRefused) {
  EXPECT_EQ(command_line({"run", "--sweep", "l1d.bytes=64 KiB", "--shard", "", "prog"}).message,
            "psim: --shard: is empty; expected I/N\n");
  EXPECT_EQ(command_line({"run", "--machine", "", "prog"}).message,
            "psim: --machine: is empty; expected FILE|NAME\n");
  EXPECT_EQ(command_line({"run", "--window", "", "prog"}).message,
            "psim: --window: is empty; expected WINDOW\n");
}

TEST(CommandLine, AWordWhereACommandBelongsIsNamed) {
  EXPECT_EQ(command_line({"trace", "nosuch"}).message,
            "psim: trace: unknown command nosuch; expected one of record, info, verify, text\n");
  EXPECT_EQ(command_line({"-v"}).message, "psim: unknown option -v; see `psim --help`\n");
  EXPECT_EQ(command_line({"config", "--jsn", "show"}).message,
            "psim: config: unknown option --jsn; see `psim config --help`\n");
  EXPECT_EQ(command_line({"nosuch"}).message, "psim: unknown command nosuch; see `psim --help`\n");
}

TEST(CommandLine, HelpIsAlsoACommand) {
  const auto shown = [](std::vector<const char*> words) {
    ::testing::internal::CaptureStdout();
    const int status = command_line(std::move(words)).status;
    return std::pair(status, ::testing::internal::GetCapturedStdout());
  };
  EXPECT_EQ(shown({"help"}), shown({"--help"}));
  EXPECT_EQ(shown({"help", "trace", "info"}), shown({"trace", "info", "--help"}));
  EXPECT_EQ(shown({"help", "diff"}).first, 0);
}

TEST(CommandLine, TrafficNeedsANumberOfNodes) {
  EXPECT_EQ(
      command_line({"net", "--traffic", "uniform"}).message,
      "psim: --traffic uniform: the number of nodes is missing; add -n N, or --set topology.shape=SIZES\n");
}

TEST(CommandLine, AKeyOfASweepHasOneList) {
  EXPECT_EQ(
      command_line({"run", "--sweep", "l1d.bytes=64 KiB", "--sweep", "l1d.bytes=128 KiB", "prog"}).message,
      "psim: --sweep l1d.bytes=128 KiB: the key has a list already; expected all values in one list\n");
}

TEST(CommandLine, AProgramMayFollowTwoDashes) {
  for (const char* command : {"exec", "run", "cosim"}) {
    EXPECT_THAT(command_line({command, "--seed", "2", "--", "/nonexistent/program", "--", "-n"}).message,
                ::testing::StartsWith("psim: /nonexistent/program: "));
    EXPECT_THAT(command_line({command, "--", "-odd"}).message, ::testing::StartsWith("psim: ./-odd: "));
    EXPECT_THAT(command_line({command, "--"}).message, ::testing::HasSubstr("no program given"));
  }
  EXPECT_EQ(command_line({"net", "-n", "2", "--", "/nonexistent/program", "1"}).message,
            "psim: /nonexistent/program: No such file or directory\n");
  EXPECT_THAT(command_line({"trace", "record", "-o", "/dev/null", "--", "/nonexistent/program"}).message,
              ::testing::StartsWith("psim: /nonexistent/program: "));
}

TEST(CommandLine, StandardOutputIsNoFolder) {
  EXPECT_EQ(command_line({"net", "-n", "2", "--csv", "-", "/nonexistent/program"}).message,
            "psim: --csv -: the tables are files in a folder; expected its name, or ./- for this one\n");
}

TEST(CommandLine, AnOptionGivenTwiceIsNamed) {
  EXPECT_EQ(command_line({"run", "--json", "a", "--json", "b", "prog"}).message,
            "psim: --json: is given more than once\n");
}

class ConfigCheck : public ::testing::Test {
 protected:
  /// Returns the message of `psim config check` for a file with this text, without the name of the file.
  static std::string message(const std::string& text) {
    const std::string path = ::testing::TempDir() + "config_check.toml";
    std::ofstream(path) << text;
    ::testing::internal::CaptureStdout();
    std::string said = command_line({"config", "check", path.c_str()}).message;
    ::testing::internal::GetCapturedStdout();
    for (std::size_t at; (at = said.find(path)) != said.npos;) said.replace(at, path.size(), "FILE");
    return said;
  }
};

TEST_F(ConfigCheck, ReportsMistakesOfTheTopologyAndOfTheCores) {
  EXPECT_EQ(message("topology.kind = \"mesh\"\ntopology.shape = \"4x4\"\n"), "");
  EXPECT_EQ(message("topology.kind = \"dragonfly\"\nrouter.virtual_channels = 3\n"), "");
  EXPECT_THAT(message("link.delay = \"1 ns\"\ntopology.kind = \"tours\"\n"),
              ::testing::StartsWith("psim: FILE:2: topology.kind = \"tours\": unknown topology"));
  EXPECT_THAT(message("topology.shape = \"4y4\"\n"),
              ::testing::StartsWith("psim: FILE:1: topology.shape = \"4y4\": expected sizes"));
  EXPECT_THAT(message("topology.routing = \"up\"\n"),
              ::testing::StartsWith("psim: FILE:1: topology.routing = \"up\": unknown routing"));
  EXPECT_THAT(message("topology.shape = \"4y4\"\nnode.core = \"sparc64w\"\n"),
              ::testing::HasSubstr("\npsim: FILE:2: node.core = \"sparc64w\": "));
}

TEST(ReadResult, AFileThatIsNoResultIsNamedAsWhatItIs) {
  const std::string path = ::testing::TempDir() + "no_result.json";
  const auto message = [&](const std::string& text) {
    std::ofstream(path) << text;
    return command_line({"show", path.c_str()}).message;
  };
  EXPECT_EQ(message(""), "psim: " + path + ": is empty; expected a result as psim --json writes it\n");
  EXPECT_THAT(message("{\"schema\": 2,"),
              ::testing::StartsWith("psim: " + path + ": not JSON: parse error at line 1, column 14"));
  EXPECT_EQ(
      message("{\"schema\": 1, \"cycle_ps\": 500, \"messages\": []}"),
      "psim: " + path +
          ": is a timeline of messages, as psim cosim --messages writes it; expected a result of --json\n");
}

TEST(Diff, AnOrderThatCannotBeReadHasTheReason) {
  const std::string order = ::testing::TempDir() + "an.order";
  std::ofstream(order, std::ios::binary) << "psimord1" << std::string(8, '\0');
  EXPECT_EQ(command_line({"diff", "/nonexistent/a.order", order.c_str()}).message,
            "psim: /nonexistent/a.order: cannot be read: No such file or directory\n");
}

}  // namespace
}  // namespace psim::commands
