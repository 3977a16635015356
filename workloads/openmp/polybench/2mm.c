// SPDX-License-Identifier: Apache-2.0
// D = alpha A B C + beta D
// Usage: 2mm [N = 64]
#include "polybench.h"

static void multiply_twice(long n, double alpha, double beta, const double* restrict a, const double* restrict b,
                           const double* restrict c, double* restrict d, double* restrict product) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n], b[0:n * n]) map(from: product[0:n * n])
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) product[i * n + j] = 0;
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j) product[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
  }
#pragma omp target teams distribute parallel for map(to: product[0:n * n], c[0:n * n]) map(tofrom: d[0:n * n])
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) d[i * n + j] *= beta;
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j) d[i * n + j] += product[i * n + k] * c[k * n + j];
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 64, 1);
  double *const a = new_integers(n * n, 11), *const b = new_integers(n * n, 5);
  double *const c = new_integers(n * n, 3), *const d = new_integers(n * n, 13);
  multiply_twice(n, 1.5, 0.5, a, b, c, d, new_array(n * n));
  return result("2mm", n, checksum(d, n * n));
}
