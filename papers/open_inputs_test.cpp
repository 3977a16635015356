// SPDX-License-Identifier: Apache-2.0
#include "papers/open_inputs.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace psim::reproduce {
namespace {

TEST(OpenInputs, AnExperimentTakesItsKeysAndLeavesThoseOfTheMachine) {
  OpenInputs inputs({"phase.p=8", "link.bandwidth=5 GB/s", "phase.p=16", "hpl.swap=exchange"});
  EXPECT_EQ(inputs.whole("phase.p", 32, 1, 64), 16) << "the later one wins";
  EXPECT_EQ(inputs.choice("hpl.swap", "collective", {"collective", "exchange"}), "exchange");
  EXPECT_EQ(inputs.number("program.gap", 1, 0, 10), 1) << "not set";
  EXPECT_EQ(inputs.of_machine(), std::vector<std::string>{"link.bandwidth=5 GB/s"});
}

TEST(OpenInputs, AnExperimentTakesAllKeysOfAPart) {
  OpenInputs inputs({"fx1.roofline.peak=1 GFlop/s", "fx10.roofline.peak=2 GFlop/s", "fx1.link.delay=1 ns"});
  EXPECT_EQ(inputs.below("fx1."), (std::vector<std::string>{"roofline.peak=1 GFlop/s", "link.delay=1 ns"}));
  EXPECT_EQ(inputs.of_machine(), std::vector<std::string>{"fx10.roofline.peak=2 GFlop/s"});
}

TEST(OpenInputs, RefusesOtherValues) {
  for (const char* wrong : {"a=1.5", "a=9", "a=x", "a=", "a=2 "})
    EXPECT_THROW(OpenInputs({wrong}).whole("a", 1, 1, 8), UserError) << wrong;
  EXPECT_THROW(OpenInputs({"a=-1"}).number("a", 1, 0, 8), UserError);
  EXPECT_THROW(OpenInputs({"a=c"}).choice("a", "b", {"b"}), UserError);
  EXPECT_THROW(OpenInputs({"a"}), UserError);
  EXPECT_THROW(OpenInputs({"=a"}), UserError);
}

TEST(OpenInputs, OnlyIsAPartOfTheExperiment) {
  check_only("e", "", {"hpl", "phase"});
  check_only("e", "phase", {"hpl", "phase"});
  EXPECT_THROW(check_only("e", "phas", {"hpl", "phase"}), UserError);
}

}  // namespace
}  // namespace psim::reproduce
