// SPDX-License-Identifier: Apache-2.0
#include "predict/order_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace psim::reproduce {
namespace {

double cost(double n) { return 3e-6 * n + 2e-7 * n * n + 5e-10 * n * n * n; }

TEST(OrderFit, FindsTheCoefficientsOfACurveThatIsOne) {
  std::vector<OrderSample> samples;
  for (const double n : {64.0, 128.0, 192.0, 256.0}) samples.push_back({n, cost(n)});
  const OrderFit fit = fit_order(samples);
  EXPECT_NEAR(fit.coefficients[0] / 3e-6, 1, 1e-9);
  EXPECT_NEAR(fit.coefficients[1] / 2e-7, 1, 1e-9);
  EXPECT_NEAR(fit.coefficients[2] / 5e-10, 1, 1e-9);
  EXPECT_NEAR(fit.at(1024) / cost(1024), 1, 1e-9);
  EXPECT_LT(fit.largest_error, 1e-12);
}

TEST(OrderFit, ThreeSamplesAreMetWhateverTheyAre) {
  const std::vector<OrderSample> samples{{64, 7}, {128, 3}, {256, 11}};
  const OrderFit fit = fit_order(samples);
  for (const OrderSample& sample : samples) EXPECT_NEAR(fit.at(sample.order), sample.cost, 1e-9);
}

TEST(OrderFit, NoOtherCurveHasSmallerRelativeErrors) {
  const std::vector<OrderSample> samples{{64, 1}, {128, 9}, {192, 20}, {256, 70}, {320, 100}};
  const auto sum = [&](const OrderFit& fit) {
    double squares = 0;
    for (const OrderSample& sample : samples) squares += std::pow(fit.at(sample.order) / sample.cost - 1, 2);
    return squares;
  };
  const OrderFit best = fit_order(samples);
  EXPECT_GT(best.largest_error, 0.01);
  for (std::size_t c = 0; c < 3; ++c)
    for (const double change : {0.999, 1.001}) {
      OrderFit other = best;
      other.coefficients[c] *= change;
      EXPECT_GT(sum(other), sum(best)) << c;
    }
}

TEST(OrderFit, TheUnitOfTheCostDoesNotMatter) {
  const std::vector<OrderSample> seconds{{64, 1e-14}, {128, 9e-14}, {192, 2e-13}, {256, 7e-13}};
  std::vector<OrderSample> large = seconds;
  for (OrderSample& sample : large) sample.cost *= 1e27;
  EXPECT_NEAR(fit_order(large).at(1024) / 1e27 / fit_order(seconds).at(1024), 1, 1e-9);
}

TEST(OrderFit, FewerThanThreeOrdersAreRefused) {
  EXPECT_THROW(fit_order(std::vector<OrderSample>{{64, 1}, {128, 2}}), std::invalid_argument);
  EXPECT_THROW(fit_order(std::vector<OrderSample>{{64, 1}, {128, 2}, {128, 2}}), std::invalid_argument);
}

}  // namespace
}  // namespace psim::reproduce
