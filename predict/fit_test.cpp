// SPDX-License-Identifier: Apache-2.0
#include "predict/fit.h"
#include "base/sanitized.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace psim::predict {
namespace {

using ::testing::HasSubstr;

using Law = std::function<double(const std::vector<double>&)>;

std::vector<Measurement> measured(const Law& law, const std::vector<std::vector<double>>& points) {
  std::vector<Measurement> all;
  for (const std::vector<double>& point : points) all.push_back({point, law(point)});
  return all;
}

std::vector<std::vector<double>> orders(std::initializer_list<double> values) {
  std::vector<std::vector<double>> points;
  for (const double n : values) points.push_back({n});
  return points;
}

Model model_of(const std::vector<Measurement>& points, const std::vector<std::string>& parameters) {
  CostFit cost = fit_cost(points, parameters, "region a");
  RegionFit fit;
  fit.region = "a", fit.parameters = parameters, fit.ranges = ranges_of(points);
  fit.seconds = cost.expression, fit.time_errors = cost.errors;
  return Model(std::move(fit), "fit");
}

TEST(Fit, FindsTheSumThatMadeThePoints) {
  const auto points = orders({16, 32, 48, 64, 96, 128});
  const std::pair<Law, std::vector<std::string>> laws[] = {
      {[](const auto& a) { return 7.5 * a[0]; }, {"n"}},
      {[](const auto& a) { return 2 * a[0] * a[0] * a[0] + 35 * a[0] * a[0]; }, {"n^2", "n^3"}},
      {[](const auto& a) { return 3 * a[0] * std::log2(a[0]) + 1000; }, {"1", "n * log2(n)"}},
  };
  for (const auto& [law, terms] : laws) {
    const CostFit fit = fit_cost(measured(law, points), {"n"}, "region a");
    EXPECT_EQ(fit.errors.terms, terms) << fit.expression;
    EXPECT_LT(fit.largest_error, 1e-9);
  }
}

TEST(Fit, FindsBlockedTermsFromArgumentsThatAreNoMultiples) {
  const Law law = [](const auto& a) { return 5 * a[0] * a[0] * std::ceil(a[0] / 32) + 40 * a[0]; };
  const CostFit fit =
      fit_cost(measured(law, orders({20, 32, 40, 56, 64, 70, 96, 100, 128})), {"n"}, "region a");
  EXPECT_EQ(fit.errors.terms, (std::vector<std::string>{"n", "n^2 * ceil(n / 32)"})) << fit.expression;
}

TEST(Fit, CountsEstimatesByTheirError) {
  const Law law = [](const auto& a) { return 7.5 * a[0]; };
  std::vector<Measurement> points = measured(law, orders({16, 32, 48, 64, 96, 128}));
  points[5].cost *= 1.1;  // an estimate that is 10 % off
  const auto predicted = [&] {
    return model_of(points, {"n"}).seconds(std::vector<std::int64_t>{256}).value;
  };
  const double as_exact = predicted();
  points[5].error = 0.1;
  EXPECT_NEAR(predicted() / (7.5 * 256), 1, 0.005);
  EXPECT_GT(std::abs(as_exact / (7.5 * 256) - 1), 0.01);
}

TEST(Fit, FindsProductsOfSeveralParameters) {
  const Law law = [](const auto& a) { return 4 * a[0] * a[0] * a[1] + 100 * a[1]; };
  std::vector<std::vector<double>> points;
  for (const double n : {8, 16, 32, 64})
    for (const double m : {2, 5, 10}) points.push_back({n, m, 7});
  const CostFit fit = fit_cost(measured(law, points), {"n", "m", "k"}, "region a");
  EXPECT_EQ(fit.errors.terms, (std::vector<std::string>{"m", "n^2 * m"})) << fit.expression;
}

TEST(Fit, TheUnitOfTheCostDoesNotMatter) {
  const Law law = [](const auto& a) { return 1e-15 * (2 * a[0] * a[0] + 9 * a[0]); };
  const CostFit fit = fit_cost(measured(law, orders({16, 32, 64, 128, 256})), {"n"}, "region a");
  EXPECT_EQ(fit.errors.terms, (std::vector<std::string>{"n", "n^2"}));
}

TEST(Fit, TooFewPointsAndCostsWithoutSignAreErrors) {
  const auto message = [](const std::vector<Measurement>& points) -> std::string {
    try {
      fit_cost(points, {"n"}, "region a");
    } catch (const UserError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message({{{1}, 1}, {{2}, 2}, {{3}, 3}}),
              HasSubstr("region a: too few points: 3 different points; expected at least 4"));
  EXPECT_THAT(message({{{1}, 1}, {{1}, 2}, {{2}, 3}, {{2}, 3}}),
              HasSubstr("too few points: n has 2 different values; expected at least 3"));
  EXPECT_THAT(message({{{1}, 1}, {{2}, 0}, {{3}, 3}, {{4}, 3}}),
              HasSubstr("region a(2): cost = 0: expected a positive number"));
}

const std::pair<const char*, Law> kNoisyLaws[] = {
    {"cubic", [](const auto& a) { return 2 * std::pow(a[0], 3) + 500 * a[0] * a[0]; }},
    {"fft", [](const auto& a) { return 5 * a[0] * std::log2(a[0]) + 300; }}};

/// The share of held-back costs inside of their intervals in many fits of noisy points, between the points
/// and at twice the largest.
struct Coverage {
  double between = 0, beyond = 0;
};
Coverage coverage(double noise, const Law& law, int count) {
  constexpr int kFits = 400;
  constexpr double kLargest = 512;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const auto noisy = [&](const std::vector<double>& point) {
    return law(point) * std::max(1 + noise * normal(random), 0.01);
  };
  int between = 0, beyond = 0, all = 0;
  for (int i = 0; i < kFits; ++i) {
    std::vector<Measurement> points;
    const double step = kLargest / count;
    for (int p = 1; p <= count; ++p) points.push_back({{p * step}, noisy({p * step})});
    const Model model = model_of(points, {"n"});
    const auto holds = [&](std::int64_t n) {
      const Estimate estimate = model.seconds({&n, 1});
      const double held_back = noisy({static_cast<double>(n)});
      return held_back >= estimate.low && held_back <= estimate.high;
    };
    for (const std::int64_t n : {150, 208, 304, 400, 496}) between += holds(n), ++all;
    beyond += holds(2 * static_cast<std::int64_t>(kLargest));
  }
  return {static_cast<double>(between) / all, static_cast<double>(beyond) / kFits};
}

TEST(Fit, IntervalsHoldTheirConfidenceOnHeldBackPoints) {
  if (kSanitized) GTEST_SKIP() << "statistics of many fits, which the release build makes";
  for (const auto& [name, law] : kNoisyLaws)
    for (const double noise : {0.002, 0.02, 0.2}) {
      const double share = coverage(noise, law, 16).between;
      EXPECT_GE(share, 0.93) << name << " " << noise;
      EXPECT_LE(share, 0.97) << name << " " << noise;
    }
}

TEST(Fit, IntervalsOfFewPointsAndBeyondThePointsHoldNineOfTen) {
  if (kSanitized) GTEST_SKIP() << "statistics of many fits, which the release build makes";
  for (const auto& [name, law] : kNoisyLaws)
    for (const int count : {4, 6, 16})
      for (const double noise : {0.002, 0.02}) {
        const auto [between, beyond] = coverage(noise, law, count);
        EXPECT_GE(between, 0.9) << name << " " << noise << ", " << count << " points";
        EXPECT_GE(beyond, 0.9) << name << " " << noise << ", " << count << " points";
      }
}

TEST(Fit, FourPointsOfASmoothLawGiveAUsefulInterval) {
  const Law law = [](const auto& a) {
    return std::round(0.339 * std::pow(a[0], 3) + 3.2 * a[0] * a[0] + 40 * a[0]);
  };
  const Model model = model_of(measured(law, orders({64, 128, 192, 256})), {"n"});
  for (const std::int64_t n : {512, 1024}) {
    const Estimate estimate = model.seconds({&n, 1});
    const double cost = law({static_cast<double>(n)});
    EXPECT_LE(estimate.low, cost);
    EXPECT_GE(estimate.high, cost);
    EXPECT_LE(estimate.high - estimate.low, 0.4 * cost) << n;
    EXPECT_GE(estimate.high - estimate.low, 0.15 * cost) << "regimes that no point shows";
  }
}

}  // namespace
}  // namespace psim::predict
