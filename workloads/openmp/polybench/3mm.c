// SPDX-License-Identifier: Apache-2.0
// G = (A B) (C D)
// Usage: 3mm [N = 64]
#include "polybench.h"

static void multiply(long n, const double* restrict a, const double* restrict b, double* restrict c) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n], b[0:n * n]) map(from: c[0:n * n])
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) c[i * n + j] = 0;
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 64, 1);
  double *const a = new_integers(n * n, 11), *const b = new_integers(n * n, 5);
  double *const c = new_integers(n * n, 3), *const d = new_integers(n * n, 13);
  double *const e = new_array(n * n), *const f = new_array(n * n), *const g = new_array(n * n);
  multiply(n, a, b, e);
  multiply(n, c, d, f);
  multiply(n, e, f, g);
  return result("3mm", n, checksum(g, n * n));
}
