// SPDX-License-Identifier: Apache-2.0
// Processes that ranks make: MPI programs, built by psim's wrappers.
#include "ranks/libc/child_processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netsim/message/mpi_config.h"
#include "ranks/testing/build_program.h"

namespace psim::net {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

class ChildProcessesOfRanks : public ::testing::TestWithParam<GlobalsMode> {
 protected:
  testing::ConstantRun run(const std::string& source, std::vector<std::string> arguments,
                           std::uint32_t ranks) {
    const testing::TestFolder folder;
    const std::string program = folder / "program";
    EXPECT_EQ(
        testing::shell(PSIM_MPI_TOOLS "/psim-cc -O1 -g -o " + program + " " PSIM_RANK_PROGRAMS "/" + source),
        0);
    const MpiConfig mpi;
    ProcessesConfig config{program, std::move(arguments), ranks};
    config.globals = GetParam();
    return testing::ConstantHost(config, mpi).run();
  }
};
INSTANTIATE_TEST_SUITE_P(Ranks, ChildProcessesOfRanks,
                         ::testing::Values(GlobalsMode::Copies, GlobalsMode::Swapped, GlobalsMode::Remapped),
                         [](const auto& info) { return name(info.param); });

TEST_P(ChildProcessesOfRanks, EveryFunctionThatMakesAProcessMakesAnOrdinaryOne) {
#ifdef PSIM_SANITIZED
  GTEST_SKIP() << "AddressSanitizer handles the faults of copies";
#endif
  const auto result = run("children.c", {}, 3);
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(result.output, "wrong 0\n");
  EXPECT_THAT(result.statuses, Each(0));
}

TEST_P(ChildProcessesOfRanks, ChildrensOutputIsTheirRanksInOrder) {
  const auto result = run("children_output.c", {}, 2);
  EXPECT_EQ(result.failure, "");
  EXPECT_EQ(result.output, "before\nin the copy\nthe copy ends\nstatus 0\nspoken\nloudly\nafter\n");
}

TEST_P(ChildProcessesOfRanks, ACallOfMpiEndsACopyWithAMessage) {
  for (const std::string call : {"mpi", "wtime"}) {
    const auto result = run("children_output.c", {call}, 2);
    EXPECT_EQ(result.failure, "");
    EXPECT_THAT(result.output,
                HasSubstr(call == "mpi" ? "psim: rank 1: MPI_Send was called in a child process"
                                        : "psim: rank 1: MPI_Wtime was called in a child process"));
    EXPECT_THAT(result.output, HasSubstr("status 1\n"));
    EXPECT_THAT(result.output, ::testing::Not(HasSubstr("the copy ends")));
    EXPECT_THAT(result.statuses, Each(0));
  }
}

}  // namespace
}  // namespace psim::net
