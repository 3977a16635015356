// SPDX-License-Identifier: Apache-2.0
// A = L U with a diagonal of 1 in L; both replace A. The rows below the pivot's are distributed; they need the row of the pivot,
// which is copied.
// Usage: lu [N = 64]
#include "polybench.h"

static void lu(long n, double* restrict a, double* restrict row) {
  for (long k = 0; k < n; ++k) {
    for (long j = k; j < n; ++j) row[j] = a[k * n + j];
    #pragma omp target teams distribute parallel for map(to: row[0:n]) map(tofrom: a[0:n * n])
    for (long i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / row[k];
      a[i * n + k] = factor;
      for (long j = k + 1; j < n; ++j) a[i * n + j] -= factor * row[j];
    }
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 64, 1);
  double *const a = new_array(n * n), *const lower = new_integers(n * n, 3), *const upper = new_integers(n * n, 5);
  for (long i = 0; i < n; ++i) lower[i * n + i] = 1, upper[i * n + i] = 1 + i % 3;
  for (long i = 0; i < n; ++i)  // A = L U
    for (long j = 0; j < n; ++j)
      for (long k = 0; k <= i && k <= j; ++k) a[i * n + j] += lower[i * n + k] * upper[k * n + j];
  lu(n, a, new_array(n));
  return result("lu", n, checksum(a, n * n));
}
