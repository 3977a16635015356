// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "papers/experiment.h"

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

TEST(Experiments, AMisspeltNameIsReportedWithTheNearestName) {
  EXPECT_EQ(refusal("tabel2"), "reproduce: unknown experiment tabel2; did you mean table2?");
  std::string all;
  for (const Experiment* experiment : experiments())
    all += (all.empty() ? "" : ", ") + std::string(experiment->name);
  EXPECT_EQ(refusal("xyzxyzxyz"), "reproduce: unknown experiment xyzxyzxyz; there are " + all);
}

}  // namespace
}  // namespace psim::reproduce
