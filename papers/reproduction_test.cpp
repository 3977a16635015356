// SPDX-License-Identifier: Apache-2.0
#include "papers/reproduction.h"

#include <gtest/gtest.h>

namespace psim::reproduce {
namespace {

PublishedValue value_of(std::optional<double> paper, std::optional<double> tolerance) {
  PublishedValue value;
  value.name = "v", value.text = "a, \"b\"", value.unit = "s";
  value.paper = paper, value.tolerance = tolerance;
  value.find = ResultPath("a");
  return value;
}

TEST(Judge, ANumberAgreesWithinItsToleranceAndDiffersBeyond) {
  EXPECT_EQ(judge(value_of(100, 0.1), 110), Outcome::Agrees);
  EXPECT_EQ(judge(value_of(100, 0.1), 90), Outcome::Agrees);
  EXPECT_EQ(judge(value_of(100, 0.1), 110.1), Outcome::Differs);
  PublishedValue explained = value_of(100, 0.1);
  explained.explained = "0018-paper-kernels.md";
  EXPECT_EQ(judge(explained, 120), Outcome::Explained);
  EXPECT_EQ(judge(explained, 100), Outcome::Agrees) << "an explanation is for a difference";
}

TEST(Judge, BoundsAndStatementsAreJudgedAndOthersShown) {
  PublishedValue bounds = value_of({}, {});
  EXPECT_EQ(judge(bounds, 3), Outcome::Shown);
  bounds.most = 5;
  EXPECT_EQ(judge(bounds, 5), Outcome::Agrees);
  EXPECT_EQ(judge(bounds, 5.1), Outcome::Differs);
  bounds.least = 2;
  EXPECT_EQ(judge(bounds, 1.9), Outcome::Differs);
  PublishedValue input = value_of(3, {});
  input.find = ResultPath();
  EXPECT_EQ(judge(input, {}), Outcome::Shown) << "an input of the paper has no place in our result";
  PublishedValue statement = value_of({}, {});
  statement.statement = true;
  EXPECT_EQ(judge(statement, 1), Outcome::Agrees);
  EXPECT_EQ(judge(statement, 0), Outcome::Differs);
  EXPECT_EQ(judge(statement, {}), Outcome::NotRun);
}

TEST(Reproduction, TheStatusIsOneForADifferenceWithoutAnExplanation) {
  const PublishedValue value = value_of(2, 0.1);
  ReproducedExperiment experiment;
  experiment.published.name = "e";
  experiment.values.push_back({&value, 2.1, Outcome::Agrees});
  experiment.values.push_back({&value, {}, Outcome::NotRun});
  EXPECT_EQ(experiment.outcome(), Outcome::Agrees);
  EXPECT_EQ(status_of({experiment}), 0);
  experiment.values.push_back({&value, 3, Outcome::Explained});
  EXPECT_EQ(status_of({experiment}), 0);
  experiment.values.push_back({&value, 3, Outcome::Differs});
  EXPECT_EQ(status_of({experiment}), 1);
  EXPECT_NE(csv_of({experiment}).find("e,v,\"a, \"\"b\"\"\",s,,2,2.1,"), std::string::npos)
      << csv_of({experiment});
}

TEST(Reproduction, ExperimentsOfPsimGetTheFolderAndTheNumberOfSimulationsAtATime) {
  Published published;
  published.command = {"reproduce", "table2"}, published.quick = {"net", "-n", "4"};
  EXPECT_EQ(command_of(published, false, {.jobs = 2, .quiet = true, .into = "kept"}),
            (std::vector<std::string>{"reproduce", "table2", "--jobs", "2", "--into", "kept"}));
  EXPECT_EQ(command_of(published, true, {.jobs = 2, .quiet = true, .into = "kept"}), published.quick);
  published.command = {"reproduce", "machines"};
  EXPECT_EQ(command_of(published, false, {.jobs = 2, .quiet = true}), published.command)
      << "it runs one simulation at a time";
}

}  // namespace
}  // namespace psim::reproduce
