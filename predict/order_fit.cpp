// SPDX-License-Identifier: Apache-2.0
#include "predict/order_fit.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "predict/least_squares.h"

namespace psim::reproduce {

double OrderFit::at(double order) const {
  return order * (coefficients[0] + order * (coefficients[1] + order * coefficients[2]));
}

OrderFit fit_order(std::span<const OrderSample> samples) {
  constexpr int kTerms = 3;
  double scale = 0;  // orders become numbers up to 1, so that no column dwarfs another
  for (const OrderSample& sample : samples) scale = std::max(scale, sample.order);
  const double unit = samples.empty() ? 1 : samples.front().cost;  // joules per picosecond are tiny
  Eigen::MatrixXd relative(static_cast<Eigen::Index>(samples.size()), kTerms);
  for (Eigen::Index i = 0; i < relative.rows(); ++i) {  // curve / cost = 1
    const OrderSample& sample = samples[static_cast<std::size_t>(i)];
    const double x = sample.order / scale;
    relative.row(i) = Eigen::RowVector3d(x, x * x, x * x * x) * (unit / sample.cost);
  }
  Eigen::Index rank = 0;
  const Eigen::VectorXd solution =
      predict::least_squares(relative, Eigen::VectorXd::Ones(relative.rows()), &rank);
  if (rank < kTerms) throw std::invalid_argument("a fit needs three different orders");
  OrderFit fit{};
  for (int c = 0; c < kTerms; ++c)
    fit.coefficients[static_cast<std::size_t>(c)] = solution[c] * unit / std::pow(scale, c + 1);
  for (const OrderSample& sample : samples)
    fit.largest_error = std::max(fit.largest_error, std::abs(fit.at(sample.order) / sample.cost - 1));
  return fit;
}

}  // namespace psim::reproduce
