// SPDX-License-Identifier: Apache-2.0
#include "papers/tracerp_statements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace psim::reproduce::tracerp {
namespace {

/// Figures for which every statement of the paper holds.
struct Made {
  std::vector<Values> power, performance, energy_by_after, power_by_after, performance_by_wake;

  Made() {
    for (std::size_t network = 0; network < kNetworks.size(); ++network)
      for (std::size_t program = 0; program < kPrograms.size(); ++program) {
        const std::size_t best = network == kTorus ? kStencil : kQbox;
        power.push_back({program == best ? 0.7 : program == kAllToAll ? 0.85 : 0.8});
        performance.push_back({1});
        const double slope = program == kQbox ? 0.01 : 0.05;
        const bool later =
            (network == kTorus && program == kAllToAll) || (network == kDragonfly && program == kQbox);
        energy_by_after.push_back(
            {later ? 0.71 : 0.7, later ? 0.7 : 0.7 + slope, 0.7 + 2 * slope, 0.7 + 3 * slope});
        const double rise = network == kTorus && program != kAllToAll ? 0.02 : slope;
        const double least = program == kNearNeighbor ? 0.64 : 0.65;
        power_by_after.push_back({least, 0.65 + rise, 0.65 + rise, 0.65 + 2 * rise, 0.65 + 3 * rise});
        const double end = program == kNearNeighbor ? 0.08
                           : program == kStencil    ? 0.07
                           : program == kQbox       ? 0.04
                                                    : 0.05;
        performance_by_wake.push_back({1, 0.5, 0.3, end + 0.02, end});
      }
  }
  std::vector<Statement> check() const {
    return tracerp::check({power, performance, energy_by_after, power_by_after, performance_by_wake},
                          paper_numbers(load_published("tracerp")));
  }
  std::vector<std::string> not_so() const {
    std::vector<std::string> texts;
    for (const Statement& statement : check())
      if (!statement.holds) texts.push_back(statement.text.substr(0, statement.text.find(':')));
    return texts;
  }
};

TEST(TracerpStatements, ThePapersNumbersAreThoseOfTheDataFile) {
  const PaperNumbers numbers = paper_numbers(load_published("tracerp"));
  EXPECT_NEAR(numbers.slow_down[kTorus], 0.04, 1e-4);
  EXPECT_DOUBLE_EQ(numbers.base_watts + numbers.dynamic_watts, 3.44);
}

TEST(TracerpStatements, AllHoldWhereFiguresAreThePapers) {
  EXPECT_THAT(Made().not_so(), ::testing::IsEmpty());
}

TEST(TracerpStatements, AFigureThatWasNotRunHasNone) {
  Made made;
  made.power.clear(), made.energy_by_after.clear(), made.power_by_after.clear();
  for (const Statement& statement : made.check()) EXPECT_EQ(statement.text.substr(0, 8), "figure 5");
  EXPECT_EQ(made.check().size(), 8u);
}

TEST(TracerpStatements, EachFigureCanBeOtherwise) {
  Made made;
  made.power[0] = {1.0};
  EXPECT_THAT(made.not_so(), ::testing::Contains("figure 2"));
  made = Made();
  made.performance[kDragonfly * kPrograms.size()] = {1 / 1.007};
  EXPECT_THAT(made.not_so(), ::testing::ElementsAre("figure 2"));
  made = Made();
  made.energy_by_after[kPermutation] = {0.8, 0.7, 0.7, 0.7};
  EXPECT_THAT(made.not_so(), ::testing::ElementsAre("figure 3"));
  made = Made();
  made.power_by_after[kTorus * kPrograms.size()] = {0.7, 0.6, 0.7, 0.7, 0.7};
  EXPECT_THAT(made.not_so(), ::testing::ElementsAre("figure 4"));
  made = Made();
  made.performance_by_wake[0] = {1, 0.5, 0.4, 1, 1};
  EXPECT_THAT(made.not_so(), ::testing::ElementsAre("figure 5"));
}

TEST(TracerpStatements, StatementsOnSingleProgramsFollowTheirStepsOnly) {
  const auto of = [](std::size_t network, std::size_t program) {
    return network * kPrograms.size() + program;
  };
  Made made;
  made.energy_by_after[of(kTorus, kAllToAll)] = {0.6, 0.7, 0.7, 0.8};
  EXPECT_THAT(made.not_so(), ::testing::ElementsAre("figure 3"));
  made = Made();
  made.energy_by_after[of(kDragonfly, kStencil)] = {0.8, 0.7, 0.7, 0.8};
  EXPECT_THAT(made.not_so(), ::testing::ElementsAre("figure 3"));
  made = Made();
  made.power_by_after[of(kTorus, kStencil)] = {0.64, 0.65, 0.7, 0.75, 0.8};
  EXPECT_THAT(made.not_so(), ::testing::ElementsAre("figure 4"));
  made = Made();
  made.power_by_after[of(kFatTree, kStencil)] = {0.6, 0.7, 0.8, 0.85, 0.9};
  EXPECT_THAT(made.not_so(), ::testing::ElementsAre("figure 4"));
  made = Made();
  made.performance_by_wake[of(kFatTree, kAllToAll)] = {1, 0.5, 0.3, 0.2, 0.05};
  EXPECT_THAT(made.not_so(), ::testing::ElementsAre("figure 5"));
  made = Made();
  made.performance_by_wake[of(kDragonfly, kAllToAll)] = {1, 0.5, 0.3, 0.1, 0.03};
  EXPECT_THAT(made.not_so(), ::testing::ElementsAre("figure 5"));
}

}  // namespace
}  // namespace psim::reproduce::tracerp
