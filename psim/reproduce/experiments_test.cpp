// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "psim/reproduce/experiment.h"

namespace psim::reproduce {
namespace {

std::string refusal(const std::string& name) {
  try {
    find_experiment(name);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(Experiments, EachIsFoundByItsName) {
  ASSERT_FALSE(experiments().empty());
  for (const Experiment* experiment : experiments())
    EXPECT_EQ(&find_experiment(experiment->name), experiment);
}

TEST(Experiments, AMisspeltNameIsToldWhatWasMeant) {
  EXPECT_EQ(refusal("tabel2"), "reproduce: unknown experiment tabel2; did you mean table2?");
  EXPECT_EQ(refusal("xyzxyzxyz"),
            "reproduce: unknown experiment xyzxyzxyz; there are table2, bluegene-alltoall, nsim-table3");
}

}  // namespace
}  // namespace psim::reproduce
