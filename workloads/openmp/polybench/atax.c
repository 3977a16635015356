// SPDX-License-Identifier: Apache-2.0
// y = Aᵀ (A x). The second loop reads columns.
// Usage: atax [N = 128]
#include "polybench.h"

static void atax(long n, const double* restrict a, const double* restrict x, double* restrict y, double* restrict product) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n], x[0:n]) map(from: product[0:n])
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (long j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    product[i] = sum;
  }
#pragma omp target teams distribute parallel for map(to: a[0:n * n], product[0:n]) map(from: y[0:n])
  for (long j = 0; j < n; ++j) {
    double sum = 0;
    for (long i = 0; i < n; ++i) sum += a[i * n + j] * product[i];
    y[j] = sum;
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 128, 1);
  double *const a = new_integers(n * n, 11), *const x = new_integers(n, 5), *const y = new_array(n);
  atax(n, a, x, y, new_array(n));
  return result("atax", n, checksum(y, n));
}
