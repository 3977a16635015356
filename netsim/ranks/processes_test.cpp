// SPDX-License-Identifier: Apache-2.0
#include "netsim/ranks/processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netsim/ranks/testing/build_program.h"
#include "netsim/ranks/testing/constant_host.h"

namespace psim::net {
namespace {

using testing::build_program;
using testing::ConstantHost;

TEST(Processes, RanksOfACProgramPassATokenAround) {
  const testing::Workplace place;
  ProcessesConfig config{build_program(place, "ring.c"), {"2"}, 4};
  const auto run = ConstantHost(config).run();
  EXPECT_EQ(run.failure, "");
  EXPECT_THAT(run.statuses, ::testing::Each(0));
  EXPECT_EQ(run.output,
            "rank 1 of 4: token 2 counter 102 at 5000000\nrank 2 of 4: token 3 counter 104 at 6000000\n"
            "rank 3 of 4: token 4 counter 106 at 7000000\nrank 0 of 4: token 4 counter 100 at 8000000\n");
}

}  // namespace
}  // namespace psim::net
