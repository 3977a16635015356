// SPDX-License-Identifier: Apache-2.0
// Programs of MPI, built by the wrappers that psim has, with the globals of ranks kept in every way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netsim/mpi_config.h"
#include "netsim/ranks/testing/build_program.h"

namespace psim::net {
namespace {

class MpiPrograms : public ::testing::TestWithParam<GlobalsMode> {};
INSTANTIATE_TEST_SUITE_P(Ranks, MpiPrograms,
                         ::testing::Values(GlobalsMode::Copies, GlobalsMode::Swapped, GlobalsMode::Remapped),
                         [](const auto& info) { return name(info.param); });

/// A program of C that prints how much is wrong, on so many ranks.
void expect_right(const std::string& source, std::initializer_list<std::uint32_t> counts,
                  GlobalsMode globals) {
  const testing::Workplace place;
  const std::string program = place / "program";
  ASSERT_EQ(
      testing::shell(PSIM_MPI_TOOLS "/psim-cc -O1 -g -o " + program + " " PSIM_RANK_PROGRAMS "/" + source),
      0);
  for (const std::uint32_t ranks : counts) {
    const MpiConfig mpi;
    ProcessesConfig config{program, {}, ranks};
    config.globals = globals;
    const auto result = testing::ConstantHost(config, mpi).run();
    EXPECT_EQ(result.failure, "");
    EXPECT_EQ(result.output, "wrong 0\n");
    EXPECT_THAT(result.statuses, ::testing::Each(0));
  }
}

TEST_P(MpiPrograms, MessagesGoFromGlobalsToGlobals) {
  expect_right("mpi_globals.c", {1, 2, 7, 32}, GetParam());
}

TEST_P(MpiPrograms, ThreadsAreTheirRanks) { expect_right("mpi_threads.c", {1, 5}, GetParam()); }

/// What becomes of two ranks of mpi_failing_threads.c.
testing::ConstantRun run_failing(const std::string& how) {
  const testing::Workplace place;
  const std::string program = place / "program";
  EXPECT_EQ(testing::shell(PSIM_MPI_TOOLS "/psim-cxx -g -o " + program +
                           " " PSIM_RANK_PROGRAMS "/mpi_failing_threads.cc"),
            0);
  const MpiConfig mpi;
  return testing::ConstantHost({program, {how}, 2}, mpi).run();
}

TEST(MpiThreads, ADeadlockIsToldByThread) {
  EXPECT_EQ(run_failing("deadlock").failure,
            "deadlock: 2 ranks wait; rank 0: thread 1: MPI_Recv(rank 1, tag 5, MPI_COMM_WORLD); thread 0: "
            "pthread_join; thread 2: pthread_mutex_lock");
}

TEST(MpiThreads, ACrashNamesTheThread) {
  EXPECT_THAT(run_failing("crash").failure,
              ::testing::AllOf(::testing::StartsWith("rank 0: SIGSEGV at 0x"),
                               ::testing::HasSubstr("in crash"), ::testing::EndsWith("(thread 2)")));
  EXPECT_EQ(run_failing("throw").failure, "rank 0: uncaught exception int (thread 2)");
}

TEST(MpiThreads, ARankEndsWithAllItsThreads) {
  EXPECT_THAT(run_failing("return").statuses, ::testing::Each(4));
  EXPECT_THAT(run_failing("exit").statuses, ::testing::Each(3));
}

/// A program of testing/programs on four ranks.
auto run_on_four(const std::string& name, const MpiConfig& mpi = {}) {
  const testing::Workplace place;
  const std::string program = place / "program";
  EXPECT_EQ(testing::shell(PSIM_MPI_TOOLS "/psim-cc -O1 -o " + program + " " PSIM_RANK_PROGRAMS "/" + name),
            0);
  return testing::ConstantHost({program, {}, 4}, mpi).run();
}

std::string printed(const std::string& name, const MpiConfig& mpi = {}) {
  const auto result = run_on_four(name, mpi);
  EXPECT_EQ(result.failure, "");
  return result.output;
}

TEST(MpiArguments, WrongOnesComeBackWithTheClassOfTheStandard) {
  EXPECT_EQ(printed("mpi_arguments.c"), "wrong 0\n");
}

TEST(MpiArguments, CollectivesNoticeThatRanksGiveOthers) {
  EXPECT_EQ(printed("mpi_disagreements.c"), "wrong 0, sum 6\n");
}

TEST(MpiArguments, CollectivesThatAskFirstNoticeThatRanksGiveOthers) {
  MpiConfig mpi;
  mpi.eager = Bytes{0};
  EXPECT_EQ(printed("mpi_disagreements.c", mpi), "wrong 0, sum 6\n");
}

TEST(MpiArguments, AnotherCollectiveThanTheOthersIsNoticedInTheEnd) {
  EXPECT_THAT(
      run_on_four("mpi_other_collective.c").failure,
      ::testing::AllOf(::testing::HasSubstr("MPI_Finalize"),
                       ::testing::HasSubstr("of a communicator called MPI_Reduce, and this rank did not")));
}

TEST(MpiArguments, AnErrorIsNotTheOneBefore) {
  EXPECT_THAT(run_on_four("mpi_later_error.c").failure,
              ::testing::AllOf(::testing::HasSubstr("MPI_Wait: "),
                               ::testing::Not(::testing::HasSubstr("gives another datatype"))));
}

TEST(MpiArguments, SendsAreTakenBackUntilTheyAreMatched) { EXPECT_EQ(printed("mpi_cancel.c"), "wrong 0\n"); }

}  // namespace
}  // namespace psim::net
