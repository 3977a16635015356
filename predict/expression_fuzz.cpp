// SPDX-License-Identifier: Apache-2.0
// Parses any bytes as an expression of two parameters, evaluates it, and writes it in C and Fortran.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "predict/expression.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using psim::predict::Expression;
  static const std::vector<std::string> kNames{"n", "m"};
  try {
    const Expression expression = Expression::parse({reinterpret_cast<const char*>(data), size}, kNames);
    if (expression.in(Expression::Language::C, kNames).empty()) std::abort();
    if (expression.in(Expression::Language::Fortran, kNames).empty()) std::abort();
    for (const double n : {0.0, 1.0, 64.0, -3.0}) {
      const double arguments[] = {n, 7};
      try {
        if (!std::isfinite(expression.evaluate(arguments))) std::abort();
      } catch (const psim::predict::EvaluationError&) {
      }
    }
  } catch (const psim::predict::ExpressionError&) {
  }
  return 0;
}
