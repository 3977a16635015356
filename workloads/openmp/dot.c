// SPDX-License-Identifier: Apache-2.0
// The dot product of x and y.
// Usage: dot [N = 65536]
#include "kernel.h"

static double dot(long n, const double* restrict x, const double* restrict y) {
  double sum = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n], y[0:n]) map(tofrom: sum) reduction(+:sum)
  for (long i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 65536, 1);
  double* const x = new_numbers(n, 7);
  double* const y = new_numbers(n, 5);
  const double result = dot(n, x, y);

  double expected = 0;  // All sums are exact, whatever their order.
  for (long i = 0; i < n; ++i) expected += x[i] * y[i];
  return report("dot", n, result != expected, checksum(&result, 1));
}
