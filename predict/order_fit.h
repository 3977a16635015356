// SPDX-License-Identifier: Apache-2.0
// What a kernel costs at an order that is too large to run, from small ones: paper 003 3.3 does the same.
//
// A matrix kernel of order n does n³ multiply-adds, begins and ends work on n² elements, and loops n times
// around both; so its cost (time, energy) is taken to be c1 n + c2 n² + c3 n³. The three coefficients
// minimise the sum of the squares of the relative errors. With three samples the curve passes through all.
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

/// Returns the best fit of at least three samples of different orders; throws std::invalid_argument for fewer.
OrderFit fit_order(std::span<const OrderSample> samples);

}  // namespace psim::reproduce
