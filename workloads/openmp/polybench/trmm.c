// SPDX-License-Identifier: Apache-2.0
// B = alpha Aᵀ B in place; A is lower triangular with a diagonal of 1, which is not stored. Rows need the rows after them, so
// columns are distributed.
// Usage: trmm [N = 64]
#include "polybench.h"

static void trmm(long n, double alpha, const double* restrict a, double* restrict b) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n]) map(tofrom: b[0:n * n])
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < n; ++i) {
      double sum = b[i * n + j];
      for (long k = i + 1; k < n; ++k) sum += a[k * n + i] * b[k * n + j];
      b[i * n + j] = alpha * sum;
    }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 64, 1);
  double *const a = new_integers(n * n, 11), *const b = new_integers(n * n, 5);
  trmm(n, 1.5, a, b);
  return result("trmm", n, checksum(b, n * n));
}
