// SPDX-License-Identifier: Apache-2.0
// y += s x.
// Usage: daxpy [N = 65536]
#include "kernel.h"

static void daxpy(long n, double s, const double* restrict x, double* restrict y) {
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
  for (long i = 0; i < n; ++i) y[i] += s * x[i];
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 65536, 1);
  const double s = 0.375;
  double* const x = new_numbers(n, 7);
  double* const y = new_numbers(n, 5);
  double* const before = new_numbers(n, 5);
  daxpy(n, s, x, y);

  long wrong = 0;
  for (long i = 0; i < n; ++i) wrong += y[i] != before[i] + s * x[i];
  return report("daxpy", n, wrong, checksum(y, n));
}
