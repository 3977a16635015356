// SPDX-License-Identifier: Apache-2.0
// y = alpha A x + beta B x
// Usage: gesummv [N = 128]
#include "polybench.h"

static void gesummv(long n, double alpha, double beta, const double* restrict a, const double* restrict b,
                    const double* restrict x, double* restrict y) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n], b[0:n * n], x[0:n]) map(from: y[0:n])
  for (long i = 0; i < n; ++i) {
    double from_a = 0, from_b = 0;
    for (long j = 0; j < n; ++j) {
      from_a += a[i * n + j] * x[j];
      from_b += b[i * n + j] * x[j];
    }
    y[i] = alpha * from_a + beta * from_b;
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 128, 1);
  double *const a = new_integers(n * n, 11), *const b = new_integers(n * n, 5), *const x = new_integers(n, 13);
  double* const y = new_array(n);
  gesummv(n, 1.5, 0.5, a, b, x, y);
  return result("gesummv", n, checksum(y, n));
}
