// SPDX-License-Identifier: Apache-2.0
// C = alpha (A Bᵀ + B Aᵀ) + beta C, the lower triangle. Bounds depend on the row.
// Usage: syr2k [N = 64]
#include "polybench.h"

static void syr2k(long n, double alpha, double beta, const double* restrict a, const double* restrict b, double* restrict c) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n], b[0:n * n]) map(tofrom: c[0:n * n])
  for (long i = 0; i < n; ++i)
    for (long j = 0; j <= i; ++j) {
      double sum = 0;
      for (long k = 0; k < n; ++k) sum += a[i * n + k] * b[j * n + k] + b[i * n + k] * a[j * n + k];
      c[i * n + j] = alpha * sum + beta * c[i * n + j];
    }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 64, 1);
  double *const a = new_integers(n * n, 11), *const b = new_integers(n * n, 5), *const c = new_integers(n * n, 13);
  syr2k(n, 1.5, 0.5, a, b, c);
  return result("syr2k", n, checksum(c, n * n));
}
