// SPDX-License-Identifier: Apache-2.0
// C = alpha A B + beta C
// Usage: gemm [N = 64]
#include "polybench.h"

static void gemm(long n, double alpha, double beta, const double* restrict a, const double* restrict b, double* restrict c) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n], b[0:n * n]) map(tofrom: c[0:n * n])
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) c[i * n + j] *= beta;
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j) c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 64, 1);
  double *const a = new_integers(n * n, 11), *const b = new_integers(n * n, 5), *const c = new_integers(n * n, 13);
  gemm(n, 1.5, 0.5, a, b, c);
  return result("gemm", n, checksum(c, n * n));
}
