// SPDX-License-Identifier: Apache-2.0
#include "ranks/processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>

#include "ranks/testing/build_program.h"

namespace psim::net {
namespace {

using testing::build_program;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using testing::run;
using testing::TestFolder;

class EveryGlobalsMode : public ::testing::TestWithParam<GlobalsMode> {
 protected:
  ProcessesConfig config(const std::string& source, std::vector<std::string> arguments, std::uint32_t ranks) {
    ProcessesConfig config{build_program(folder_, source), std::move(arguments), ranks};
    config.globals = GetParam();
    return config;
  }
  TestFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Processes, EveryGlobalsMode,
                         ::testing::Values(GlobalsMode::Copies, GlobalsMode::Swapped, GlobalsMode::Remapped),
                         [](const auto& info) { return name(info.param); });

TEST_P(EveryGlobalsMode, RanksOfACProgramSendGlobalsAround) {
  const auto result = run(config("ring.c", {"2"}, 4));
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.statuses, Each(0));
  EXPECT_EQ(result.output,
            "rank 1 of 4: token 2 counter 102 at 5000000\nrank 2 of 4: token 3 counter 104 at 6000000\n"
            "rank 3 of 4: token 4 counter 106 at 7000000\nrank 0 of 4: token 4 counter 100 at 8000000\n");
}

TEST_P(EveryGlobalsMode, StaticAndThreadLocalObjectsAndExceptionsArePrivateToARank) {
  for (const char* argument : {"synchronised", "unsynchronised"}) {
    const auto result = run(config("objects.cc", {argument}, 3));
    EXPECT_EQ(result.failure, "");
    EXPECT_THAT(result.statuses, Each(0));
    for (const std::string rank : {"0", "1", "2"}) {
      EXPECT_THAT(result.output, HasSubstr("rank " + rank + " wrong 0\nnot flushed\n"));
      EXPECT_THAT(result.output, HasSubstr("destroyed static " + rank + "\n"));
    }
  }
}

TEST_P(EveryGlobalsMode, BuffersFormatsAndErrorsOfCppStreamsArePrivateToARank) {
  const auto result = run(config("cpp_streams.cc", {}, 6));
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.statuses, Each(0));
  EXPECT_EQ(result.output,
            "first 0 00ff 0.50\nfirst 5  255 0.5\nlast 0 0\nlast 1 0\nlast 2 17\nlast 3 17\nlast 5 0\n");
}

TEST_P(EveryGlobalsMode, SavedCommonAndModuleVariablesOfFortranArePrivateToARank) {
  const auto result = run(config("saved.f90", {}, 3));
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.statuses, ::testing::ElementsAre(0, 3, 0));
  EXPECT_THAT(result.output,
              MatchesRegex(" rank +0 wrong +0\n rank +1 wrong +0\nSTOP 3\n rank +2 wrong +0\n"));
}

TEST_P(EveryGlobalsMode, StateOfTheCLibraryIsPrivateToARank) {
  const auto result = run(config("libc.c", {"-a", "-b", "value", "-c", "rest"}, 4));
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.statuses, ::testing::ElementsAre(0, 17, 18, 0));
  EXPECT_EQ(result.output, "a0 a1 a2 a3 raw\nb0\nraw\nb1\nraw\nb2\nraw\nb3\natexit 0\natexit 1\natexit 3\n");
}

TEST_P(EveryGlobalsMode, FortransRandomNumbersDoNotDependOnTheOrderInWhichRanksDraw) {
  const auto first = run(config("random.f90", {}, 4)), last = run(config("random.f90", {"last"}, 4));
  EXPECT_EQ(first.failure, "");
  EXPECT_EQ(first.output, last.output);
  std::istringstream words(first.output);
  const std::set<std::string> different{std::istream_iterator<std::string>(words), {}};
  EXPECT_EQ(different.size(), 4 + 4 * 2) << first.output;
}

TEST_P(EveryGlobalsMode, ClocksAndSleepingAreInSimulatedTime) {
  const auto result = run(config("clocks.cc", {}, 2));
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(result.output, "");
  EXPECT_THAT(result.statuses, Each(0));
}

TEST_P(EveryGlobalsMode, HostNamesAndProcessIdsDistinguishRanks) {
  const auto result = run(config("identity.c", {}, 3));
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.statuses, Each(0));
}

TEST_P(EveryGlobalsMode, DirectoriesEnvironmentsAndProcessorsArePrivateToARank) {
  const auto here = std::filesystem::current_path();
  const auto result = run(config("surroundings.c", {folder_ / "."}, 4));
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.statuses, Each(0));
  EXPECT_EQ(std::filesystem::current_path(), here);
  EXPECT_EQ(std::getenv("PSIM_TEST_SET"), nullptr);
}

TEST_P(EveryGlobalsMode, ARanksStandardStreamsAndSignalsArePrivate) {
#ifdef PSIM_SANITIZED
  GTEST_SKIP() << "AddressSanitizer has a freopen of its own in front of ours";
#endif
  const auto result = run(config("streams.c", {folder_ / "out"}, 4));
  EXPECT_EQ(result.output, "rank 0\nrank 3\nagain 0\nagain 3\ntaken\n");
  EXPECT_THAT(result.statuses, ::testing::Contains(0).Times(3));
  EXPECT_THAT(result.failure,
              MatchesRegex("rank 3: SIGSEGV at (0|0x0|\\(nil\\)) in main \\(streams.c:[0-9]+\\)"));
}

TEST_P(EveryGlobalsMode, ARankRedirectsItsOwnStandardDescriptors) {
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = 64;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);
  const auto many = run(config("descriptors.c", {folder_ / "log"}, 40));
  EXPECT_EQ(many.failure, "");
  EXPECT_THAT(many.statuses, Each(0));
  const auto result = run(config("descriptors.c", {folder_ / "log"}, 3));
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(result.output, "begin 0\nbegin 1\nbegin 2\nkept\nend 0\nkept\nend 1\nkept\nend 2\n");
  EXPECT_THAT(result.statuses, Each(0));
}

TEST_P(EveryGlobalsMode, FaultHandlersMayRepairFaultsAndMayFailThemselves) {
#ifdef PSIM_SANITIZED
  GTEST_SKIP() << "AddressSanitizer has a sigaction of its own in front of ours";
#endif
  const auto result = run(config("fault_handlers.c", {}, 2));
  EXPECT_EQ(result.statuses.at(0), 0);
  EXPECT_THAT(result.failure,
              MatchesRegex("rank 1: SIGSEGV at 0x10 in broken \\(fault_handlers.c:[0-9]+\\)"));
}

TEST(Processes, RanksMayWaitInsideSeparateParallelRegions) {
  const TestFolder folder;
  for (const std::uint32_t ranks : {1, 2, 5}) {
    const auto result = run({build_program(folder, "openmp_teams.c", "-fopenmp"), {}, ranks});
    EXPECT_EQ(result.failure, "");
    EXPECT_THAT(result.statuses, Each(0)) << ranks;
  }
}

TEST(Processes, ARankHasOneOpenMpThreadOnEveryHost) {
  const TestFolder folder;
  ::unsetenv("OMP_NUM_THREADS");
  const auto result = run({build_program(folder, "openmp_size.c", "-fopenmp"), {}, 2});
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.statuses, Each(1));
}

TEST_P(EveryGlobalsMode, AnErrorOfFortransLibraryPrintsABacktraceWithLines) {
  const auto result = run(config("runtime_error.f90", {}, 4));
  EXPECT_THAT(result.statuses, ::testing::ElementsAre(0, 2, 0, 0));
  EXPECT_THAT(result.output, HasSubstr("Fortran runtime error: Expected INTEGER for item 1"));
  EXPECT_THAT(result.output, HasSubstr("in fails_\n\tat " PSIM_RANK_PROGRAMS "/runtime_error.f90:6\n"));
  EXPECT_THAT(result.output, ::testing::Not(HasSubstr("Could not print")));
}

TEST_P(EveryGlobalsMode, AWriteBeyondTheLastVariableFaultsThere) {
  for (const char* rank : {"0", "1", "3"})
    EXPECT_THAT(
        run(config("overrun.c", {rank}, 4)).failure,
        MatchesRegex(std::string("rank ") + rank + ": SIGSEGV at 0x[0-9a-f]+000 in run_over .overrun.c:13."));
}

TEST_P(EveryGlobalsMode, ACrashedRankIsReportedWithSignalAndLine) {
  const auto dies = [&](const char* crash) {
    const auto result = run(config("crash.c", {crash, "2"}, 4));
    EXPECT_EQ(result.output, "last words\n") << crash;
    return result.failure;
  };
  EXPECT_EQ(dies("store"), "rank 2: SIGSEGV at 0x10 in store_at (crash.c:16)");
  EXPECT_THAT(dies("letter"), MatchesRegex("rank 2: SIGSEGV at 0x10 in h \\(crash.c:[0-9]+\\)"));
  EXPECT_THAT(dies("divide"), MatchesRegex("rank 2: SIGFPE in main \\(crash.c:46\\)"));
  EXPECT_THAT(dies("abort"), MatchesRegex("rank 2: SIGABRT in .*libc.*, called from main \\(crash.c:47\\)"));
  EXPECT_THAT(
      dies("descend"),
      MatchesRegex("rank 2: stack overflow \\(of 1048576 bytes\\) in descend \\(crash.c:(19|2[012])\\)"));
  EXPECT_THAT(dies("frame"), MatchesRegex("rank 2: stack overflow .* in large_frame \\(crash.c:[0-9]+\\)"));
  EXPECT_THAT(dies("call"), MatchesRegex("rank 2: SIGSEGV at .* no code, called from main \\(crash.c:49\\)"));
#ifndef PSIM_SANITIZED  // AddressSanitizer reports these itself
  EXPECT_THAT(dies("copy"),
              MatchesRegex("rank 2: SIGSEGV at .* in .*libc.*, called from main \\(crash.c:51\\)"));
  // free() finds the damage.
  EXPECT_THAT(dies("overflow"),
              MatchesRegex("rank 2: SIGABRT in .*libc.*, called from main \\(crash.c:[0-9]+\\)"));
  EXPECT_THAT(dies("free"), MatchesRegex("rank 2: SIG(ABRT|SEGV).*, called from main \\(crash.c:50\\)"));
#endif
}

TEST_P(EveryGlobalsMode, AnUncaughtExceptionIsReportedWithItsText) {
  const auto result = run(config("objects.cc", {"throw"}, 3));
  EXPECT_THAT(result.failure, MatchesRegex("rank 1: uncaught exception .*Failure: not caught, thrown in main "
                                           "\\(objects.cc:[0-9]+\\)"));
}

TEST_P(EveryGlobalsMode, AnUncaughtExceptionDoesNotUnwindTheStack) {
  EXPECT_THAT(run(config("terminate.cc", {}, 3)).failure,
              MatchesRegex("rank 1: uncaught exception std::runtime_error: not caught, thrown in main "
                           "\\(terminate.cc:[0-9]+\\)"));
}

TEST_P(EveryGlobalsMode, AnUncaughtExceptionCallsTheRanksOwnHandler) {
  const auto result = run(config("terminate.cc", {"handler"}, 3));
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(result.output, "handler of 1: not caught\n");
  EXPECT_THAT(result.statuses, ::testing::ElementsAre(0, 5, 0));
}

TEST_P(EveryGlobalsMode, TwoThousandRanksKeepTheirGlobals) {
  if (GetParam() == GlobalsMode::Copies) GTEST_SKIP() << "for hundreds of ranks";
  const auto result = run(config("globals.c", {}, 2'000));
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.statuses, Each(0));
}

TEST(Processes, SharedGlobalsAreShared) {
  const TestFolder folder;
  ProcessesConfig config{build_program(folder, "globals.c"), {}, 3};
  config.globals = GlobalsMode::Shared;
  EXPECT_THAT(run(config).statuses, ::testing::Contains(1));
}

TEST(Processes, AnAbortedJobReportsTheReason) {
  const TestFolder folder;
  EXPECT_EQ(run({build_program(folder, "crash.c"), {"job", "1"}, 2}).failure, "aborted with 5: rank_abort");
}

TEST(Processes, ARankThatOnlyComputesIsReportedOnce) {
  const TestFolder folder;
  ProcessesConfig config{build_program(folder, "crash.c"), {"spin", "1"}, 2};
  config.patience = std::chrono::seconds{1};
  ::testing::internal::CaptureStderr();
  const auto result = run(config);
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(
      ::testing::internal::GetCapturedStderr(),
      MatchesRegex(
          "psim: rank 1 has run for 1 s of processor time without a call, in .*\\(crash.c:[0-9]+\\)\n"));
}

TEST(Processes, AProgramWithALibraryOfAnotherBuildIsRefused) {
  const TestFolder folder;
  try {
    run({build_program(folder, "another_build.c"), {}, 2});
    FAIL() << "expected UserError";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("libpsim_mpi.so, which is of another build of psim; link it again"));
  }
}

TEST(Processes, MessagesReachArraysThatBeginNextToInitialisedVariables) {
  const TestFolder folder;
  ProcessesConfig config{build_program(folder, "border.c"), {}, 3};
  for (const GlobalsMode mode : {GlobalsMode::Swapped, GlobalsMode::Remapped}) {
    config.globals = mode;
    const auto result = run(config);
    EXPECT_EQ(result.failure, "");
    EXPECT_THAT(result.statuses, Each(0));
  }
}

TEST(Processes, ComputationTimeOnTheHostIsEstimated) {
  const TestFolder folder;
  const double before = ComputeSamples::seconds(0);
  EXPECT_EQ(run({build_program(folder, "computing.c"), {}, 2}).failure, "");
  // 0.4 s of processor time; the first and the last sample may include psim's own time.
  EXPECT_GT(ComputeSamples::seconds(0) - before, 0.3);
  EXPECT_LT(ComputeSamples::seconds(0) - before, 0.6);
}

TEST(Processes, MemoryThatAllGlobalsMayTakeIsReportedBeforeTheStart) {
  const TestFolder folder;
  const Program program(build_program(folder, "globals.c", "-DBYTES=100000000"));
  ::testing::internal::CaptureStderr();
  const auto globals = Globals::make(program, 16'384, GlobalsMode::Automatic);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("GiB will be needed if the ranks use all of their static arrays"));
  EXPECT_LE(globals->bytes_per_rank(), 4'096u);  // memory that no rank writes costs nothing
}

}  // namespace
}  // namespace psim::net
