// SPDX-License-Identifier: Apache-2.0
// x1 += A y1 and x2 += Aᵀ y2. The second loop reads columns.
// Usage: mvt [N = 128]
#include "polybench.h"

static void mvt(long n, const double* restrict a, const double* restrict y1, const double* restrict y2, double* restrict x1,
                double* restrict x2) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n], y1[0:n]) map(tofrom: x1[0:n])
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) x1[i] += a[i * n + j] * y1[j];
#pragma omp target teams distribute parallel for map(to: a[0:n * n], y2[0:n]) map(tofrom: x2[0:n])
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < n; ++i) x2[j] += a[i * n + j] * y2[i];
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 128, 1);
  double *const a = new_integers(n * n, 11), *const y1 = new_integers(n, 5), *const y2 = new_integers(n, 3);
  double *const x1 = new_integers(n, 13), *const x2 = new_integers(n, 7);
  mvt(n, a, y1, y2, x1, x2);
  return result("mvt", n, checksum(x1, n) + 3 * checksum(x2, n));
}
