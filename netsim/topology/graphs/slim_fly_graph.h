// SPDX-License-Identifier: Apache-2.0
// Slim Fly (Besta and Hoefler, SC 2014): the graphs of McKay, Miller and Širáň over the field of q elements,
// q = 4 w + δ a prime power, δ = -1, 0 or 1: 2 q² routers with (3 q - δ) / 2 cables each, at most two hops
// apart.
//
// Router (s, a, b) is s q² + a q + b. (0, x, y) and (0, x, y') are joined if y - y' is in X, (1, m, c) and
// (1, m, c') if c - c' is in X', and (0, x, y) and (1, m, c) if y = m x + c. With a primitive element ξ
//   δ = 1 and 0: X  = the even powers of ξ, X' = the odd ones;
//   δ = -1:      X  = ξ^0, ξ^2 … ξ^(2w-2), ξ^(2w-1), ξ^(2w+1) … ξ^(4w-3),
//                X' = ξ^1, ξ^3 … ξ^(2w-1), ξ^(2w), ξ^(2w+2) … ξ^(4w-2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netsim/topology/graphs/graph.h"

namespace psim::net {

/// The field of q elements. An element is the number whose digits to the base of the characteristic are the
/// coefficients of its polynomial.
class FiniteField {
 public:
  /// `q` is a prime power of at most 4096.
  explicit FiniteField(std::uint32_t q);
  /// Returns the prime of which q is a power; 0 if it is none.
  static std::uint32_t characteristic(std::uint32_t q);

  std::uint32_t add(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const;
  /// Returns ξ^n.
  std::uint32_t power(std::uint32_t n) const { return powers_[n % (q_ - 1)]; }

 private:
  bool try_generator(std::uint32_t polynomial);

  std::uint32_t q_, p_;
  std::vector<std::uint32_t> powers_, logarithms_;
};

struct SlimFly {
  static constexpr std::uint32_t kMostQ = 61;  ///< routes are a table of a pair of routers

  std::uint32_t q = 5;
  std::uint32_t terminals = 4;  ///< nodes at each router, p

  static std::int32_t delta(std::uint32_t q) { return q % 4 == 3 ? -1 : static_cast<std::int32_t>(q % 4); }
  /// Returns the cables of a router, k'.
  static std::uint32_t degree(std::uint32_t q) {
    return static_cast<std::uint32_t>(3 * static_cast<std::int32_t>(q) - delta(q)) / 2;
  }
  std::uint32_t routers() const { return 2 * q * q; }
  /// Returns "(1,2,4)".
  std::string name(std::uint32_t router) const;
  Graph graph(std::uint32_t node_ports) const;
};

}  // namespace psim::net
