// SPDX-License-Identifier: Apache-2.0
#include "psim/reproduce/order_fit.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace psim::reproduce {
namespace {

constexpr std::size_t kTerms = 3;
constexpr std::size_t kRight = kTerms;  // column of the right side
using FitRow = std::array<double, kTerms + 1>;

/// Makes all below the diagonal of `column` nothing by a reflection of the rows from there on.
void reflect(std::vector<FitRow>& rows, std::size_t column) {
  double norm = 0;
  for (std::size_t r = column; r < rows.size(); ++r) norm = std::hypot(norm, rows[r][column]);
  if (rows[column][column] > 0) norm = -norm;  // away from cancellation
  if (std::abs(norm) < 1e-12) throw std::invalid_argument("a fit needs three different orders");
  std::vector<double> mirror(rows.size(), 0.0);
  double square = 0;
  for (std::size_t r = column; r < rows.size(); ++r) {
    mirror[r] = rows[r][column] - (r == column ? norm : 0.0);
    square += mirror[r] * mirror[r];
  }
  for (std::size_t c = column; c <= kRight; ++c) {
    double product = 0;
    for (std::size_t r = column; r < rows.size(); ++r) product += mirror[r] * rows[r][c];
    for (std::size_t r = column; r < rows.size(); ++r) rows[r][c] -= 2 * product / square * mirror[r];
  }
}

}  // namespace

double OrderFit::at(double order) const {
  return order * (coefficients[0] + order * (coefficients[1] + order * coefficients[2]));
}

OrderFit fit_order(std::span<const OrderSample> samples) {
  if (samples.size() < kTerms) throw std::invalid_argument("a fit needs three different orders");
  double scale = 0;  // orders become numbers up to 1, so that no column dwarfs another
  for (const OrderSample& sample : samples) scale = std::max(scale, sample.order);
  std::vector<FitRow> rows;
  for (const OrderSample& sample : samples) {  // curve / cost = 1
    const double x = sample.order / scale;
    rows.push_back({x / sample.cost, x * x / sample.cost, x * x * x / sample.cost, 1.0});
  }
  const double unit = samples.front().cost;  // costs may be as small as joules of a picosecond
  for (FitRow& row : rows)
    for (std::size_t c = 0; c < kTerms; ++c) row[c] *= unit;
  for (std::size_t column = 0; column < kTerms; ++column) reflect(rows, column);
  OrderFit fit{};
  for (std::size_t c = kTerms; c-- > 0;) {
    double value = rows[c][kRight];
    for (std::size_t k = c + 1; k < kTerms; ++k) value -= rows[c][k] * fit.coefficients[k];
    fit.coefficients[c] = value / rows[c][c];
  }
  for (std::size_t c = 0; c < kTerms; ++c)
    fit.coefficients[c] *= unit / std::pow(scale, static_cast<double>(c + 1));
  for (const OrderSample& sample : samples)
    fit.largest_error = std::max(fit.largest_error, std::abs(fit.at(sample.order) / sample.cost - 1));
  return fit;
}

}  // namespace psim::reproduce
