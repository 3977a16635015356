// SPDX-License-Identifier: Apache-2.0
#include "predict/pieces.h"

#include <gtest/gtest.h>

#include "predict/model.h"

namespace psim::predict {
namespace {

/// A region of n² elements, each of which costs 4, 10 or 30 cycles by the cache that the data have outgrown.
struct Kernel {
  std::vector<Measurement> costs;
  std::vector<RegimePoint> shares;

  void add(double n, double cycles, double l2, double memory) {
    costs.push_back({{n}, cycles * n * n});
    shares.push_back({{n}, l2, memory});
  }
};

Kernel two_boundaries() {
  Kernel kernel;
  for (const double n : {16, 24, 32, 40, 48}) kernel.add(n, 4, 0, 0);
  kernel.add(64, 7, 0.3, 0);
  for (const double n : {96, 128, 160, 192}) kernel.add(n, 10, 0.6, 0);
  kernel.add(256, 20, 0.3, 0.5);
  for (const double n : {384, 448, 512, 640}) kernel.add(n, 30, 0.1, 0.8);
  return kernel;
}

RegionFit region_of(const CostFit& fit, const std::vector<Measurement>& costs) {
  RegionFit region;
  region.region = "a", region.parameters = {"n"}, region.cycles = fit.expression, region.clock_hz = 1;
  region.ranges = ranges_of(costs), region.time_errors = fit.errors;
  return region;
}

TEST(Pieces, EachSideOfABoundaryHasASumAndTheJoinHasNoStep) {
  const Kernel kernel = two_boundaries();
  const auto regimes = find_regimes(kernel.shares);
  ASSERT_TRUE(regimes);
  EXPECT_EQ(regimes->caches, 2u);
  EXPECT_EQ(regimes->of[0], 0u);
  EXPECT_FALSE(regimes->of[5]);
  EXPECT_EQ(regimes->of[6], 1u);
  EXPECT_FALSE(regimes->of[10]);
  EXPECT_EQ(regimes->of[14], 2u);
  EXPECT_EQ(count_pieces(kernel.costs, regimes), 3u);
  const CostFit fit = fit_pieces(kernel.costs, regimes, {"n"}, "region a");
  const Model model(region_of(fit, kernel.costs),
                    "test");  // throws unless the expression is the sum of its terms
  for (const auto& [n, cycles] : {std::pair{20, 4}, {48, 4}, {96, 10}, {150, 10}, {384, 30}, {2048, 30}}) {
    const Estimate estimate = model.seconds(std::vector<std::int64_t>{n});
    EXPECT_NEAR(estimate.value, 1.0 * cycles * n * n, 1e-6 * estimate.value) << n;
    EXPECT_TRUE(estimate.has_interval);
  }
  double before = model.seconds(std::vector<std::int64_t>{48}).value;
  for (std::int64_t n = 49; n <= 96; ++n) {  // each step is that of the slope, at most
    const double value = model.seconds(std::vector<std::int64_t>{n}).value;
    EXPECT_GT(value, before);
    EXPECT_LT(value - before, 10 * 2.0 * 96 + 6.0 * 96 * 96 / 48) << n;
    before = value;
  }
}

TEST(Pieces, OneSumDescribesPointsWithoutBoundaryAndALastRegimeOfFewPoints) {
  Kernel kernel = two_boundaries();
  for (RegimePoint& point : kernel.shares) point.l2 = point.memory = 0.2;
  const CostFit plain = fit_cost(kernel.costs, {"n"}, "region a");
  auto regimes = find_regimes(kernel.shares);
  ASSERT_TRUE(regimes);
  EXPECT_EQ(regimes->caches, 0u);
  EXPECT_EQ(fit_pieces(kernel.costs, regimes, {"n"}, "region a").expression, plain.expression);

  kernel = two_boundaries();
  kernel.costs.resize(13), kernel.shares.resize(13);  // two points beyond the second cache
  regimes = find_regimes(kernel.shares);
  EXPECT_EQ(count_pieces(kernel.costs, regimes), 1u);
}

TEST(Pieces, SeveralParametersHaveNoRegimes) {
  EXPECT_FALSE(find_regimes({}));
  EXPECT_FALSE(find_regimes(std::vector<RegimePoint>{{{1, 2}, 0, 0}, {{2, 3}, 0.5, 0}}));
  EXPECT_FALSE(find_regimes(std::vector<RegimePoint>{{{1, 2}, 0, 0}, {{1, 2}, 0.5, 0}}));
}

}  // namespace
}  // namespace psim::predict
