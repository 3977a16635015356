// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graphs/slim_fly_graph.h"

#include "netsim/topology/graphs/graph_builder.h"

namespace psim::net {

std::uint32_t FiniteField::characteristic(std::uint32_t q) {
  for (std::uint32_t p = 2; p <= q; ++p) {
    if (q % p != 0) continue;
    while (q % p == 0) q /= p;
    return q == 1 ? p : 0;
  }
  return 0;
}

FiniteField::FiniteField(std::uint32_t q) : q_(q), p_(characteristic(q)), logarithms_(q) {
  // A prime field needs a primitive root, another one a primitive polynomial, whose root ξ = x is primitive.
  std::uint32_t candidate = 1;
  while (!try_generator(candidate)) ++candidate;
  for (std::uint32_t n = 0; n < powers_.size(); ++n) logarithms_[powers_[n]] = n;
}

/// Sets powers_ to those of the candidate. Returns whether they are all elements but 0. In a prime field the
/// candidate is the element; else x, where x^m is the candidate's polynomial.
bool FiniteField::try_generator(std::uint32_t candidate) {
  std::vector<bool> seen(q_);
  powers_.clear();
  std::uint32_t element = 1;
  for (std::uint32_t n = 0; n + 1 < q_; ++n) {
    if (element == 0 || seen[element]) return false;
    seen[element] = true;
    powers_.push_back(element);
    if (p_ == q_) {
      element = element * candidate % q_;
      continue;
    }
    const std::uint32_t top = element / (q_ / p_);
    element = element % (q_ / p_) * p_;
    for (std::uint32_t i = 0; i < top; ++i) element = add(element, candidate);
  }
  return element == 1;
}

std::uint32_t FiniteField::add(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t sum = 0;
  for (std::uint32_t digit = 1; digit < q_; digit *= p_)
    sum += (a / digit % p_ + b / digit % p_) % p_ * digit;
  return sum;
}

std::uint32_t FiniteField::multiply(std::uint32_t a, std::uint32_t b) const {
  return a == 0 || b == 0 ? 0 : power(logarithms_[a] + logarithms_[b]);
}

std::string SlimFly::name(std::uint32_t router) const {
  return "(" + std::to_string(router / (q * q)) + "," + std::to_string(router / q % q) + "," +
         std::to_string(router % q) + ")";
}

Graph SlimFly::graph(std::uint32_t node_ports) const {
  const FiniteField field(q);
  std::vector<std::uint32_t> generators[2];
  if (delta(q) == -1) {
    const std::uint32_t w = (q + 1) / 4;
    for (std::uint32_t n = 0; n < w; ++n) {
      generators[0].push_back(field.power(2 * n));
      generators[0].push_back(field.power(2 * w - 1 + 2 * n));
      generators[1].push_back(field.power(1 + 2 * n));
      generators[1].push_back(field.power(2 * w + 2 * n));
    }
  } else {
    for (std::uint32_t n = 0; n < q / 2; ++n) {
      generators[0].push_back(field.power(2 * n));
      generators[1].push_back(field.power(2 * n + 1));
    }
  }
  GraphBuilder builder(std::vector(routers(), degree(q)), std::vector(routers(), terminals), node_ports);
  const std::uint8_t local = builder.kind("local"), cross = builder.kind("cross");
  std::vector<std::uint32_t> used(routers());
  const auto join = [&](std::uint32_t a, std::uint32_t b, std::uint8_t kind, CableClass cable) {
    builder.join(a, used[a]++, kind, b, used[b]++, kind, cable);
  };
  for (std::uint32_t s = 0; s < 2; ++s)
    for (std::uint32_t column = 0; column < q; ++column)
      for (std::uint32_t y = 0; y < q; ++y)
        for (const std::uint32_t step : generators[s])
          if (const std::uint32_t other = field.add(y, step); other > y)
            join((s * q + column) * q + y, (s * q + column) * q + other, local, CableClass::Usual);
  for (std::uint32_t x = 0; x < q; ++x)
    for (std::uint32_t m = 0; m < q; ++m)
      for (std::uint32_t c = 0; c < q; ++c)
        join(x * q + field.add(field.multiply(m, x), c), (q + m) * q + c, cross, CableClass::Global);
  return builder.take();
}

}  // namespace psim::net
