// SPDX-License-Identifier: Apache-2.0
// MPI programs, built by psim's wrappers, with every way of keeping the globals of ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netsim/message/mpi_config.h"
#include "ranks/testing/build_program.h"

namespace psim::net {
namespace {

class MpiPrograms : public ::testing::TestWithParam<GlobalsMode> {};
INSTANTIATE_TEST_SUITE_P(Ranks, MpiPrograms,
                         ::testing::Values(GlobalsMode::Copies, GlobalsMode::Swapped, GlobalsMode::Remapped),
                         [](const auto& info) { return name(info.param); });

/// Runs a C program, which prints its number of errors, with each count of ranks.
void expect_right(const std::string& source, std::initializer_list<std::uint32_t> counts,
                  GlobalsMode globals) {
  const testing::TestFolder folder;
  const std::string program = folder / "program";
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

TEST_P(MpiPrograms, MessagesTravelBetweenGlobals) {
  expect_right("mpi_globals.c", {1, 2, 7, 32}, GetParam());
}

TEST_P(MpiPrograms, ThreadsBelongToTheirRank) { expect_right("mpi_threads.c", {1, 5}, GetParam()); }

TEST_P(MpiPrograms, External32HasTheSizesOfTheStandardInMemoryAndInFiles) {
  expect_right("mpi_external32.c", {1, 2, 5}, GetParam());
}

/// Runs mpi_failing_threads.c on two ranks.
testing::ConstantRun run_failing(const std::string& how) {
  const testing::TestFolder folder;
  const std::string program = folder / "program";
  EXPECT_EQ(testing::shell(PSIM_MPI_TOOLS "/psim-cxx -g -o " + program +
                           " " PSIM_RANK_PROGRAMS "/mpi_failing_threads.cc"),
            0);
  const MpiConfig mpi;
  return testing::ConstantHost({program, {how}, 2}, mpi).run();
}

TEST(MpiThreads, ADeadlockIsReportedByThread) {
  EXPECT_EQ(run_failing("deadlock").failure,
            "deadlock: 2 ranks wait; rank 0: thread 1: MPI_Recv(rank 1, tag 5, MPI_COMM_WORLD); thread 0: "
            "pthread_join; thread 2: pthread_mutex_lock");
}

TEST(MpiThreads, ACrashNamesTheThread) {
  EXPECT_THAT(run_failing("crash").failure,
              ::testing::AllOf(::testing::StartsWith("rank 0: SIGSEGV at 0x"),
                               ::testing::HasSubstr("in crash"), ::testing::EndsWith("(thread 2)")));
  EXPECT_THAT(run_failing("throw").failure,
              ::testing::MatchesRegex("rank 0: uncaught exception int, thrown in fail.* "
                                      "\\(mpi_failing_threads.cc:[0-9]+\\) \\(thread 2\\)"));
}

TEST(MpiThreads, ARankEndsWithAllItsThreads) {
  EXPECT_THAT(run_failing("return").statuses, ::testing::Each(4));
  EXPECT_THAT(run_failing("exit").statuses, ::testing::Each(3));
}

/// Runs a program of testing/programs on four ranks.
auto run_on_four(const std::string& name, const MpiConfig& mpi = {}) {
  const testing::TestFolder folder;
  const std::string program = folder / "program";
  EXPECT_EQ(testing::shell(PSIM_MPI_TOOLS "/psim-cc -O1 -o " + program + " " PSIM_RANK_PROGRAMS "/" + name),
            0);
  return testing::ConstantHost({program, {}, 4}, mpi).run();
}

std::string printed(const std::string& name, const MpiConfig& mpi = {}) {
  const auto result = run_on_four(name, mpi);
  EXPECT_EQ(result.failure, "");
  return result.output;
}

TEST(MpiArguments, WrongArgumentsReturnTheStandardsErrorClass) {
  EXPECT_EQ(printed("mpi_arguments.c"), "wrong 0\n");
}

TEST(MpiArguments, CollectivesDetectDifferentArguments) {
  EXPECT_EQ(printed("mpi_disagreements.c"), "wrong 0, sum 6\n");
}

TEST(MpiArguments, CollectivesByRendezvousDetectDifferentArguments) {
  MpiConfig mpi;
  mpi.eager = Bytes{0};
  EXPECT_EQ(printed("mpi_disagreements.c", mpi), "wrong 0, sum 6\n");
}

TEST(MpiArguments, ADifferentCollectiveIsDetectedAtTheEnd) {
  EXPECT_THAT(
      run_on_four("mpi_other_collective.c").failure,
      ::testing::AllOf(::testing::HasSubstr("MPI_Finalize"),
                       ::testing::HasSubstr("of a communicator called MPI_Reduce; this rank did not")));
}

/// Runs mpi_roots.c on two ranks, each of which gives itself as the root. Returns the failure.
std::string failure_of_roots(const std::string& collective, const std::string& bytes) {
  const testing::TestFolder folder;
  const std::string program = folder / "program";
  EXPECT_EQ(
      testing::shell(PSIM_MPI_TOOLS "/psim-cc -O1 -o " + program + " " PSIM_RANK_PROGRAMS "/mpi_roots.c"), 0);
  const MpiConfig mpi;
  return testing::ConstantHost({program, {collective, bytes}, 2}, mpi).run().failure;
}

TEST(MpiArguments, DifferentRootsAreReported) {
  using ::testing::HasSubstr;
  EXPECT_THAT(
      failure_of_roots("bcast", "4"),
      ::testing::AllOf(HasSubstr("MPI_Finalize: rank 0 sent data in call 2 of MPI_Bcast that this rank "
                                 "does not expect: the ranks gave different roots (rank 0 gave root 0)"),
                       ::testing::Not(HasSubstr("did not"))));
  EXPECT_THAT(
      failure_of_roots("scatter", "4"),
      HasSubstr("call 1 of MPI_Scatter that this rank does not expect: the ranks gave different roots"));
  // The rank with a rendezvous send waits forever.
  EXPECT_THAT(failure_of_roots("bcast", "1000000"),
              ::testing::AllOf(HasSubstr("deadlock"), HasSubstr("different roots (rank 1 gave root 1)")));
}

TEST(MpiLengths, SendrecvReplaceMayExceedTheRangeOfInt) {
  const testing::TestFolder folder;
  const std::string program = folder / "program";
  ASSERT_EQ(
      testing::shell(PSIM_MPI_TOOLS "/psim-cc -O1 -o " + program + " " PSIM_RANK_PROGRAMS "/mpi_replace.c"),
      0);
  MpiConfig mpi;
  mpi.carry = 0;
  const auto result = testing::ConstantHost({program, {}, 2}, mpi).run();
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(result.output, "300, 2516582400\n");
}

TEST(MpiMistakes, CallsBeforeInitAndObjectsLeftAtTheEndAreReported) {
  const testing::TestFolder folder;
  const std::string program = folder / "program";
  ASSERT_EQ(
      testing::shell(PSIM_MPI_TOOLS "/psim-cc -O1 -o " + program + " " PSIM_RANK_PROGRAMS "/mpi_mistakes.c"),
      0);
  const MpiConfig mpi;
  const auto freed = testing::ConstantHost({program, {"free"}, 3}, mpi).run();
  EXPECT_EQ(freed.failure, "");
  EXPECT_THAT(freed.statuses, ::testing::Each(0));
  EXPECT_EQ(freed.warnings,
            "rank 0 called MPI_Comm_rank before MPI_Init\nrank 1 called MPI_Comm_rank before MPI_Init\n"
            "rank 2 called MPI_Comm_rank before MPI_Init\n"
            "rank 1 ended with requests that were neither completed nor freed: 2\n"
            "rank 1 ended with communicators that were not freed: 1\n"
            "rank 1 ended with datatypes that were not freed: 1\n");
  const auto kept = testing::ConstantHost({program, {}, 3}, mpi).run();
  EXPECT_THAT(kept.warnings,
              ::testing::HasSubstr("rank 2 ended with windows or files that were not freed or closed: 1\n"));
}

TEST(MpiArguments, AnErrorDoesNotRepeatTheTextOfAnEarlierOne) {
  EXPECT_THAT(run_on_four("mpi_later_error.c").failure,
              ::testing::AllOf(::testing::HasSubstr("MPI_Wait: "),
                               ::testing::Not(::testing::HasSubstr("gives another datatype"))));
}

TEST(MpiArguments, SendsCanBeCancelledUntilTheyAreMatched) {
  EXPECT_EQ(printed("mpi_cancel.c"), "wrong 0\n");
}

}  // namespace
}  // namespace psim::net
