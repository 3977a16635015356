// SPDX-License-Identifier: Apache-2.0
// A += u1 v1ᵀ + u2 v2ᵀ; x = beta Aᵀ y + z; w = alpha A x. The second loop reads columns.
// Usage: gemver [N = 128]
#include "polybench.h"

static void gemver(long n, double alpha, double beta, double* restrict a, const double* restrict u1, const double* restrict v1,
                   const double* restrict u2, const double* restrict v2, double* restrict w, double* restrict x,
                   const double* restrict y, const double* restrict z) {
#pragma omp target teams distribute parallel for map(to: u1[0:n], v1[0:n], u2[0:n], v2[0:n]) map(tofrom: a[0:n * n])
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
#pragma omp target teams distribute parallel for map(to: a[0:n * n], y[0:n], z[0:n]) map(from: x[0:n])
  for (long j = 0; j < n; ++j) {
    double sum = 0;
    for (long i = 0; i < n; ++i) sum += a[i * n + j] * y[i];
    x[j] = beta * sum + z[j];
  }
#pragma omp target teams distribute parallel for map(to: a[0:n * n], x[0:n]) map(from: w[0:n])
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (long j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    w[i] = alpha * sum;
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 128, 1);
  double *const a = new_integers(n * n, 11), *const u1 = new_integers(n, 3), *const v1 = new_integers(n, 5);
  double *const u2 = new_integers(n, 5), *const v2 = new_integers(n, 3), *const y = new_integers(n, 11);
  double *const z = new_integers(n, 13), *const x = new_array(n), *const w = new_array(n);
  gemver(n, 1.5, 0.5, a, u1, v1, u2, v2, w, x, y, z);
  return result("gemver", n, checksum(w, n) + 3 * checksum(x, n));
}
