// SPDX-License-Identifier: Apache-2.0
// C = alpha A Aᵀ + beta C, the lower triangle. Bounds depend on the row.
// Usage: syrk [N = 64]
#include "polybench.h"

static void syrk(long n, double alpha, double beta, const double* restrict a, double* restrict c) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n]) map(tofrom: c[0:n * n])
  for (long i = 0; i < n; ++i)
    for (long j = 0; j <= i; ++j) {
      double sum = 0;
      for (long k = 0; k < n; ++k) sum += a[i * n + k] * a[j * n + k];
      c[i * n + j] = alpha * sum + beta * c[i * n + j];
    }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 64, 1);
  double *const a = new_integers(n * n, 11), *const c = new_integers(n * n, 13);
  syrk(n, 1.5, 0.5, a, c);
  return result("syrk", n, checksum(c, n * n));
}
