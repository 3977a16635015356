// SPDX-License-Identifier: Apache-2.0
#include "papers/explanation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace psim::reproduce {
namespace {

using nlohmann::ordered_json;

/// An experiment of one value, 100 with a tolerance of 10 %, and a cause of two runs.
struct Tried {
  ReproducedExperiment experiment;

  explicit Tried(double ours, const char* how = "paper = 100\ntolerance = 0.1\n") {
    experiment.published = parse_published(
        std::string("format = 1\npaper = \"003\"\ntitle = \"T\"\nsource = \"p. 1\"\ncommand = \"net -n 4\"\n"
                    "[value.v]\nfind = \"v\"\nexplained = \"0018-paper-kernels.md\"\ncause = \"c\"\n") +
            how +
            "[cause.c]\ntext = \"unknown\"\nsource = \"p. 2\"\nset = \"link.delay\"\nvalues = \"1 ns | 2 "
            "ns\"\n",
        "x.toml");
    experiment.result = {{"v", ours}};
    judge_values(experiment);
  }
  /// Judges runs with these numbers; null: the run has none.
  const JudgedValue& with(ordered_json first, ordered_json second) {
    TriedCause tried{&experiment.published.causes[0], {}};
    for (const char* value : {"1 ns", "2 ns"})
      tried.runs.push_back(
          {value, {"net", "--jobs", "2", "--set", std::string("link.delay=") + value}, "", 0, 0});
    judge_cause(experiment, tried, {{{"v", first}}, {{"v", second}}});
    return experiment.values[0];
  }
};

TEST(Explanation, ARunThatAgreesExplains) {
  Tried tried(150);
  const JudgedValue& one = tried.with(140, 105);
  EXPECT_EQ(one.outcome, Outcome::ExplainedByRun);
  EXPECT_EQ(one.tried, "net --set 'link.delay=2 ns'") << "the number of jobs makes no difference";
  EXPECT_EQ(*one.tried_least, 105);
  EXPECT_EQ(*one.tried_most, 150) << "the command's own number counts";
  EXPECT_NE(
      table_of(tried.experiment).find("explained by a run: psim net --set 'link.delay=2 ns'; 105 … 150"),
      std::string::npos)
      << table_of(tried.experiment);
  EXPECT_NE(table_of(tried.experiment).find("link.delay = 2 ns: 1 of 1 values agree, before 0; psim net"),
            std::string::npos);
  EXPECT_EQ(tried.experiment.outcome(), Outcome::ExplainedByRun);
  EXPECT_EQ(status_of({tried.experiment}), 0);
}

TEST(Explanation, ANumberBetweenTwoRunsIsExplained) {
  EXPECT_EQ(Tried(150).with(140, 60).outcome, Outcome::ExplainedByRun);
  EXPECT_EQ(Tried(150).with(60, 140).outcome, Outcome::ExplainedByRun);
  EXPECT_EQ(Tried(150).with(nullptr, 60).outcome, Outcome::ExplainedByRun) << "between ours and the run";
}

TEST(Explanation, RunsThatDoNotReachItAreStated) {
  Tried tried(150);
  const JudgedValue& one = tried.with(120, 130);
  EXPECT_EQ(one.outcome, Outcome::NotExplained);
  EXPECT_EQ(one.tried, "net --set 'link.delay=1 ns'") << "the nearest";
  EXPECT_EQ(one.reason_text(),
            ": no run of link.delay reaches it, the nearest is psim net --set 'link.delay=1 ns'; 120 … 150; "
            "docs/decisions/0018-paper-kernels.md");
  EXPECT_EQ(status_of({tried.experiment}), 1) << "a decision alone does not explain it any more";
  Tried none(150);
  EXPECT_EQ(none.with(nullptr, nullptr).tried, "") << "no run has the number";
  EXPECT_EQ(none.experiment.values[0].outcome, Outcome::Explained) << "it was not tried";
}

TEST(Explanation, BoundsAndStatementsNeedARunThatAgrees) {
  EXPECT_EQ(Tried(150, "most = 100\n").with(140, 120).outcome, Outcome::NotExplained);
  EXPECT_EQ(Tried(150, "most = 100\n").with(140, 90).outcome, Outcome::ExplainedByRun);
  EXPECT_EQ(Tried(0, "statement = true\n").with(0, 0).outcome, Outcome::NotExplained);
  Tried so(0, "statement = true\n");
  EXPECT_EQ(so.with(0, 1).outcome, Outcome::ExplainedByRun);
  EXPECT_EQ(so.experiment.values[0].tried_text(), "psim net --set 'link.delay=2 ns'") << "without a range";
}

TEST(Explanation, AValueThatAgreesIsNotTried) {
  Tried tried(101);
  EXPECT_EQ(tried.with(200, 300).outcome, Outcome::Agrees);
  EXPECT_EQ(tried.experiment.values[0].tried, "");
  EXPECT_EQ(tried.experiment.causes[0].runs[0].before, 1u) << "the run loses what agreed before";
  EXPECT_EQ(tried.experiment.causes[0].runs[0].agree, 0u);
  EXPECT_EQ(json_of(tried.experiment.causes)[1]["value"], "2 ns");
}

TEST(Explanation, APartHasTheCausesOfItsGroupAndOfTheWhole) {
  const auto cause = [](const std::string& name, const std::string& with) {
    return "[cause." + name + "]\ntext = \"T\"\nsource = \"S\"\nset = \"k\"\nvalues = \"1\"\n" +
           (with.empty() ? "" : "with = \"" + with + "\"\n");
  };
  Published published = parse_published(
      "format = 1\npaper = \"003\"\ntitle = \"T\"\nsource = \"S\"\ncommand = \"reproduce pq580\"\n" +
          cause("hpl", "--only hpl --sample") + cause("phase", "--only phase") + cause("all", ""),
      "x.toml");
  restrict_to(published, "hpl-4", true, "");
  EXPECT_EQ(published.command,
            (std::vector<std::string>{"reproduce", "pq580", "--only", "hpl-4", "--sample"}));
  EXPECT_EQ(published.quick.back(), "--sample");
  ASSERT_EQ(published.causes.size(), 2u);
  EXPECT_EQ(published.causes[0].name, "hpl");
  EXPECT_TRUE(published.causes[0].with.empty()) << "the words of the command are not repeated";
  EXPECT_EQ(published.causes[1].name, "all");
  EXPECT_THROW(restrict_to(published, "", false, "phase"), UserError);
  restrict_to(published, "", false, "all");
  ASSERT_EQ(published.causes.size(), 1u);
  EXPECT_EQ(published.causes[0].name, "all");
}

}  // namespace
}  // namespace psim::reproduce
