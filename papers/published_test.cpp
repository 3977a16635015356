// SPDX-License-Identifier: Apache-2.0
#include "papers/published.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/error.h"
#include "papers/experiment.h"

namespace psim::reproduce {
namespace {

constexpr const char* kHead =
    "format = 1\npaper = \"003\"\ntitle = \"T\"\nsource = \"table 2\"\ncommand = \"reproduce table2\"\n";

std::string refusal_of(const std::string& text) {
  try {
    parse_published(text, "x.toml");
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(Published, AFileHasValuesFiguresAndCurvesInItsOrder) {
  const Published read = parse_published(
      std::string(kHead) +
          "[value.b]\npaper = 2\ntolerance = 0.1\nunit = \"s\"\nfind = \"b\"\nscale = 1e3\nfigure = \"f\"\nx "
          "= \"8\"\n"
          "[value.a]\ntext = \"so\"\nstatement = true\nfind = \"a\"\nexplained = \"0018-paper-kernels.md\"\n"
          "[figure.f]\ntitle = \"F\"\nlogarithmic = \"xy\"\nkind = \"bars\"\n"
          "[curve.c]\nfigure = \"f\"\nx = \"x[]\"\ny = \"y[]\"\n",
      "x.toml");
  EXPECT_EQ(read.name, "x");
  EXPECT_EQ(read.command, (std::vector<std::string>{"reproduce", "table2"}));
  EXPECT_EQ(read.quick, (std::vector<std::string>{"reproduce", "table2", "--quick"}));
  ASSERT_EQ(read.values.size(), 2u);
  EXPECT_EQ(read.values[0].name, "b");
  EXPECT_EQ(read.number("b"), 2);
  EXPECT_EQ(read.values[0].ours(nlohmann::ordered_json{{"b", 3}}), 3000);
  EXPECT_EQ(read.values[0].ours(nlohmann::ordered_json{{"c", 3}}), std::nullopt);
  EXPECT_TRUE(read.values[1].statement);
  EXPECT_TRUE(read.figures.at(0).log_x && read.figures[0].log_y);
  EXPECT_EQ(read.curves.at(0).figure, "f");
}

TEST(Published, ATableWithListsInItsNameStandsForOneTablePerRow) {
  const std::string lists =
      "[list.network]\nrows = \"fat tree | torus\"\n"
      "[list.run]\ncolumns = \"program | share | tolerance\"\nrows = \"\"\"\na2a  | 0.5 | 0.1\nqbox | 2 "
      "|\"\"\"\n";
  const Published read = parse_published(
      kHead + lists +
          "[figure.\"{network}\"]\ntitle = \"On the {network}\"\n"
          "[value.\"{network}-{run.program}\"]\npaper = \"{run.share}\"\ntolerance = \"{run.tolerance}\"\n"
          "figure = \"{network}\"\nfind = \"{network}.{run.program}\"\nscale = 2\n",
      "x.toml");
  ASSERT_EQ(read.figures.size(), 2u);
  EXPECT_EQ(read.figures[0].name, "fat-tree");
  EXPECT_EQ(read.figures[0].title, "On the fat tree");
  ASSERT_EQ(read.values.size(), 4u);
  EXPECT_EQ(read.values[1].name, "fat-tree-qbox");
  EXPECT_EQ(read.values[1].figure, "fat-tree");
  EXPECT_EQ(read.values[1].paper, 2);
  EXPECT_EQ(read.values[1].tolerance, std::nullopt) << "an empty cell leaves the key out";
  EXPECT_EQ(read.values[2].name, "torus-a2a");
  EXPECT_EQ(read.values[2].ours({{"torus", {{"a2a", 3}}}}), 6);

  const std::string all = refusal_of(
      kHead + lists +
      "[list.bad]\ncolumns = \"a | b\"\nrows = \"1\"\nrow = \"2\"\n[value.\"{nothing}\"]\nfind = \"a\"\n"
      "[value.\"{run.program}\"]\nfind = \"{network}\"\nx = \"{run.colour}\"\n");
  for (const char* line : {"x.toml:15: list.bad.rows: 1: 1 cells; expected 2",
                           "x.toml:16: list.bad.row: 2: a list has columns and rows",
                           "x.toml:18: value.{nothing}.find: {nothing}: there is no such list",
                           "x.toml:20: value.{run.program}.find: {network}: no such list in the table's name",
                           "x.toml:21: value.{run.program}.x: {run.colour}: no such list in the table's "
                           "name, or no such column"})
    EXPECT_NE(all.find(line), std::string::npos) << line << "\nin\n" << all;
}

TEST(Published, ACurveHasTheMeanOfSeveralLists) {
  const nlohmann::ordered_json result{{"at", {0, 1}}, {"use", {{"+X", {0.5, 1}}, {"-X", {0.25, 0}}}}};
  PublishedCurve curve{
      .figure = "f", .series = "s", .x = ResultPath("at[]"), .y = ResultPath("use.+X[]"), .scale = 2};
  EXPECT_EQ(curve.points(result).y, (std::vector<double>{1, 2}));
  curve.y = ResultPath("use.*[]"), curve.mean = true;
  EXPECT_EQ(curve.points(result).x, (std::vector<double>{0, 1}));
  EXPECT_EQ(curve.points(result).y, (std::vector<double>{0.75, 1}));
  EXPECT_TRUE(curve.points(nlohmann::ordered_json::object()).y.empty());
}

TEST(Published, MistakesAreReportedWithFileLineAndKey) {
  EXPECT_NE(refusal_of("format = 1\n").find("x.toml: command: missing"), std::string::npos);
  const std::string all = refusal_of(
      std::string(kHead) +
      "[value.a]\ntolerance = 0.1\nfind = \"a[\"\nfigure = \"g\"\nsorce = \"s\"\n[table.b]\nx = 1\n");
  for (const char* line :
       {"x.toml:7: value.a.tolerance: relative to paper", "x.toml:8: value.a.find = \"a[\": [ without ]",
        "x.toml:9: value.a.figure = \"g\": there is no table [figure.g]", "did you mean value.a.source?",
        "x.toml:12: table.b.x: expected a table [value.NAME], [figure.NAME], [curve.NAME] or [cause.NAME]"})
    EXPECT_NE(all.find(line), std::string::npos) << line << "\nin\n" << all;
}

TEST(Published, ACauseHasValuesAndTheValuesOfTheFileNameIt) {
  const std::string cause =
      "[cause.c]\ntext = \"T\"\nsource = \"S\"\nset = \"link.delay\"\nvalues = \"1 ns | 20 ns\"\nwith = "
      "\"--only hpl\"\n";
  const Published read = parse_published(
      std::string(kHead) + "[value.a]\nfind = \"a\"\nexplained = \"d.md\"\ncause = \"c\"\n" + cause,
      "x.toml");
  ASSERT_EQ(read.causes.size(), 1u);
  EXPECT_EQ(read.causes[0].words(read.causes[0].values[1]),
            (std::vector<std::string>{"--only", "hpl", "--set", "link.delay=20 ns"}));
  EXPECT_EQ(read.values[0].causes, std::vector<std::string>{"c"});
  const std::string all = refusal_of(std::string(kHead) + "[value.a]\nfind = \"a\"\ncause = \"c d\"\n" +
                                     cause + "[cause.e]\ntext = \"T\"\nvalues = \"1||2\"\n");
  for (const char* line :
       {"value.a.cause = \"c d\": there is no table [cause.d]",
        "value.a.cause = \"c d\": tests an explanation, which is missing", "cause.e.source: missing",
        "cause.e.set: missing", "cause.e.values = \"1||2\": expected values with | between them"})
    EXPECT_NE(all.find(line), std::string::npos) << line << "\nin\n" << all;
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Published, TheShippedFilesAreCorrectAndNameDecisionsThatExist) {
  const std::filesystem::path source = PSIM_SOURCE_DIR;
  std::set<std::string> commands;
  for (const auto& entry : std::filesystem::directory_iterator(source / "papers" / "data")) {
    const Published read = parse_published(text_of_file(entry.path()), entry.path().string());
    if (read.command.size() > 1 && read.command[0] == "reproduce") commands.insert(read.command[1]);
    EXPECT_FALSE(read.values.empty()) << read.name;
    for (const PublishedValue& value : read.values)
      if (!value.explained.empty()) {
        EXPECT_TRUE(std::filesystem::exists(source / "docs" / "decisions" / value.explained))
            << read.name << ": " << value.name << ": " << value.explained;
        EXPECT_FALSE(value.causes.empty())
            << read.name << ": " << value.name << ": an explanation that no run tests";
      }
  }
  for (const Experiment* experiment : experiments())
    EXPECT_TRUE(commands.contains(experiment->name) || experiment == &kRealMachine)
        << "no data file runs the experiment " << experiment->name;
}

}  // namespace
}  // namespace psim::reproduce
