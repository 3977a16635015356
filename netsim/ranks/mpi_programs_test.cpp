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

TEST_P(MpiPrograms, MessagesGoFromGlobalsToGlobals) {
  const testing::Workplace place;
  const std::string program = place / "program";
  ASSERT_EQ(testing::shell(PSIM_MPI_TOOLS "/psim-cc -O1 -g -o " + program +
                           " " PSIM_RANK_PROGRAMS "/mpi_globals.c"),
            0);
  for (const std::uint32_t ranks : {1, 2, 7, 32}) {
    const MpiConfig mpi;
    ProcessesConfig config{program, {}, ranks};
    config.globals = GetParam();
    const auto result = testing::ConstantHost(config, mpi).run();
    EXPECT_EQ(result.failure, "");
    EXPECT_EQ(result.output, "wrong 0\n");
    EXPECT_THAT(result.statuses, ::testing::Each(0));
  }
}

}  // namespace
}  // namespace psim::net
