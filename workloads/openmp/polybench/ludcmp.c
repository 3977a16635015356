// SPDX-License-Identifier: Apache-2.0
// Solves A x = b: A = L U as in lu.c, then L y = b and U x = y, in order on the host.
// Usage: ludcmp [N = 64]
#include "polybench.h"

static void ludcmp(long n, double* restrict a, const double* restrict b, double* restrict x, double* restrict row) {
  for (long k = 0; k < n; ++k) {
    for (long j = k; j < n; ++j) row[j] = a[k * n + j];
    #pragma omp target teams distribute parallel for map(to: row[0:n]) map(tofrom: a[0:n * n])
    for (long i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / row[k];
      a[i * n + k] = factor;
      for (long j = k + 1; j < n; ++j) a[i * n + j] -= factor * row[j];
    }
  }
  for (long i = 0; i < n; ++i) {
    x[i] = b[i];
    for (long j = 0; j < i; ++j) x[i] -= a[i * n + j] * x[j];
  }
  for (long i = n - 1; i >= 0; --i) {
    for (long j = i + 1; j < n; ++j) x[i] -= a[i * n + j] * x[j];
    x[i] /= a[i * n + i];
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 64, 1);
  double *const a = new_array(n * n), *const l = new_integers(n * n, 3), *const u = new_integers(n * n, 5);
  for (long i = 0; i < n; ++i) l[i * n + i] = 1, u[i * n + i] = 1 + i % 3;
  for (long i = 0; i < n; ++i)  // A = L U
    for (long j = 0; j < n; ++j)
      for (long k = 0; k <= i && k <= j; ++k) a[i * n + j] += l[i * n + k] * u[k * n + j];
  double *const solution = new_integers(n, 11), *const b = new_array(n), *const x = new_array(n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) b[i] += a[i * n + j] * solution[j];
  ludcmp(n, a, b, x, new_array(n));
  return result("ludcmp", n, checksum(x, n));
}
