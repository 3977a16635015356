// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/regions.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace psim::net {
namespace {

std::string line_of(const RegionMark& mark) { return "app.c:" + std::to_string(mark.line); }

RegionMark marked(const char* name, int line, std::span<const long long> arguments = {}) {
  return {.name = name, .arguments = arguments, .file = "app.c", .line = line, .frames = {}};
}

/// n² µs, fitted for up to 10.
class SquareModel final : public RegionModels {
 public:
  std::optional<Value> time(std::string_view region, std::span<const std::int64_t> arguments) const override {
    ++asked;
    if (region != "square") return {};
    if (arguments.size() != 1) throw UserError("square has one argument");
    return Value{1e-6 * static_cast<double>(arguments[0] * arguments[0]), arguments[0] > 10};
  }
  void require(std::string_view region) const override {
    if (region != "square") throw UserError("no model");
  }
  mutable int asked = 0;
};

template <class Call>
std::string mistake(Call call) {
  try {
    call();
  } catch (const Regions::Error& error) {
    return error.text;
  }
  return "";
}

TEST(Regions, GiveTheTimeOfInnerRegionsToThemAlone) {
  Regions regions(2, 100);
  RankTime time;
  regions.begin(1, marked("outer", 1), 200, time, line_of);
  time.compute = 30;
  time.wait = 20;
  regions.begin(1, marked("inner", 2), 250, time, line_of);
  time.compute = 100;
  regions.end(1, 320, time);
  time.transfer = 5;
  regions.end(1, 325, time);
  time.ended = 400;
  time.wait = 95;
  const auto rows = regions.rows();
  ASSERT_EQ(rows.size(), 2u);
  const RegionTime &inner = rows[0]->times[1], &outer = rows[1]->times[1];
  EXPECT_EQ(std::tuple(inner.elapsed, inner.compute, inner.wait, inner.inclusive), std::tuple(70, 70, 0, 70));
  EXPECT_EQ(std::tuple(outer.elapsed, outer.compute, outer.wait, outer.transfer, outer.inclusive),
            std::tuple(55, 30, 20, 5, 125));
  const RegionTime outside = regions.outside(1, time);
  EXPECT_EQ(std::tuple(outside.elapsed, outside.compute, outside.wait), std::tuple(175, 0, 75));
}

TEST(Regions, RanksHaveTheFactorsOfTheModelInTurn) {
  class UnequalModel final : public RegionModels {
   public:
    std::optional<Value> time(std::string_view, std::span<const std::int64_t>) const override {
      return Value{1e-6, false};
    }
    std::span<const double> of_ranks(std::string_view) const override { return factors_; }
    void require(std::string_view) const override {}

   private:
    std::vector<double> factors_{0.5, 2};
  };
  const UnequalModel model;
  Regions regions(3, 0);
  regions.use(&model, {});
  const std::uint64_t expected[] = {500'000, 2'000'000, 500'000};
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    regions.begin(rank, marked("unequal", 1), 0, {}, line_of);
    EXPECT_EQ(regions.remaining(rank, marked("unequal", 2), {}, line_of), expected[rank]);
    regions.end(rank, 0, {});
  }
}

TEST(Regions, SharesOfAModelPassBeforeSteps) {
  class SharedModel final : public RegionModels {
   public:
    std::optional<Value> time(std::string_view, std::span<const std::int64_t>) const override {
      return Value{1e-6, false};
    }
    std::span<const std::vector<double>> at_steps(std::string_view) const override { return shares_; }
    void require(std::string_view) const override {}

   private:
    std::vector<std::vector<double>> shares_{{0.25, 0.25, 0.75}};
  };
  const SharedModel model;
  Regions regions(1, 0);
  regions.use(&model, {});
  RankTime time;
  EXPECT_EQ(regions.before_step(0, time), 0u) << "outside of regions";
  for (int i = 0; i < 2; ++i) {
    regions.begin(0, marked("shared", 1), 0, time, line_of);
    const auto pass = [&] {
      const std::uint64_t due = regions.before_step(0, time);
      time.compute += due;
      return due;
    };
    EXPECT_EQ(pass(), 250'000u);
    EXPECT_EQ(pass(), 0u);
    time.compute += 100'000;  // stated by the program
    EXPECT_EQ(pass(), 400'000u);
    EXPECT_EQ(pass(), 0u) << "more steps than the model has";
    EXPECT_EQ(regions.remaining(0, marked("shared", 2), time, line_of), 250'000u);
    time.compute += 250'000;
    regions.end(0, 0, time);
  }
}

TEST(Regions, AModelGivesTheTimeThatComputingInsideHasNotTaken) {
  const SquareModel model;
  Regions regions(1, 0);
  regions.use(&model, {{"square", 0.5}});
  RankTime time;
  const long long three = 3, eleven = 11;
  for (const bool long_inside : {false, true}) {
    const RegionMark begin = marked("square", 1, {&three, 1});
    regions.begin(0, begin, 0, time, line_of);
    time.compute += long_inside ? 5'000'000 : 500'000;
    EXPECT_EQ(regions.remaining(0, marked("square", 2), time, line_of), long_inside ? 0u : 4'000'000u);
    regions.end(0, 0, time);
  }
  EXPECT_EQ(model.asked, 1) << "equal arguments are evaluated once";
  regions.begin(0, marked("square", 1, {&eleven, 1}), 0, time, line_of);
  regions.end(0, 0, time);
  const RegionTime sum = regions.rows()[0]->sum();
  EXPECT_EQ(std::tuple(sum.count, sum.modelled, sum.exceeded, sum.extrapolated), std::tuple(3, 3, 1, 1));
  EXPECT_EQ(mistake([&] { regions.begin(0, marked("square", 7), 0, time, line_of); }),
            "app.c:7: square has one argument");
}

TEST(Regions, MistakesNameThePlacesOfBothMarks) {
  Regions regions(1, 0);
  const RankTime time;
  EXPECT_EQ(mistake([&] { regions.remaining(0, marked("a", 3), time, line_of); }),
            "app.c:3: region a: ends; expected its begin before");
  regions.begin(0, marked("a", 4), 0, time, line_of);
  EXPECT_EQ(mistake([&] { regions.begin(0, marked("a", 5), 0, time, line_of); }),
            "app.c:5: region a: begins again; expected its end first (begun: app.c:4)");
  EXPECT_EQ(mistake([&] { regions.remaining(0, marked("b", 6), time, line_of); }),
            "app.c:6: region b: ends; expected the end of region a first (begun: app.c:4)");
  EXPECT_EQ(mistake([&] { regions.finish(0, time, line_of); }),
            "app.c:4: region a: never ends; expected its end before that of the rank");
}

TEST(Regions, TheInnermostFactorCounts) {
  Regions regions(1, 0);
  regions.use(nullptr, {{"a", 2}, {"c", 3}});
  const RankTime time;
  EXPECT_EQ(regions.factor(0, 0.5), 0.5);
  regions.begin(0, marked("a", 1), 0, time, line_of);
  regions.begin(0, marked("b", 1), 0, time, line_of);
  EXPECT_EQ(regions.factor(0, 0.5), 2);
  regions.begin(0, marked("c", 1), 0, time, line_of);
  EXPECT_EQ(regions.factor(0, 0.5), 3);
}

}  // namespace
}  // namespace psim::net
