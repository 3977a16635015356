// SPDX-License-Identifier: Apache-2.0
// Extrapolates the cost of a kernel from small orders to one that is too large to run, as paper 003 3.3 does.
//
// A matrix kernel of order n does n³ multiply-adds, starts and completes work on n² elements, and runs n
// iterations of the loop around both. Its cost (time, energy) is therefore modelled as c1 n + c2 n² + c3 n³.
// The three coefficients minimise the sum of the squares of the relative errors. With three samples the curve
// passes through all.
#pragma once

#include <array>
#include <span>

namespace psim::reproduce {

struct OrderSample {
  double order;  ///< > 0
  double cost;   ///< > 0, in any unit
};

struct OrderFit {
  std::array<double, 3> coefficients;  ///< of n, n² and n³, in the unit of the cost
  double largest_error = 0;            ///< of the samples, |curve / cost - 1|

  double at(double order) const;
};

/// Returns the best fit of at least three samples of different orders; throws std::invalid_argument for
/// fewer.
OrderFit fit_order(std::span<const OrderSample> samples);

}  // namespace psim::reproduce
