// SPDX-License-Identifier: Apache-2.0
// q = A p and s = Aᵀ r. The second loop reads columns.
// Usage: bicg [N = 128]
#include "polybench.h"

static void bicg(long n, const double* restrict a, const double* restrict p, const double* restrict r, double* restrict q,
                 double* restrict s) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n], p[0:n]) map(from: q[0:n])
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (long j = 0; j < n; ++j) sum += a[i * n + j] * p[j];
    q[i] = sum;
  }
#pragma omp target teams distribute parallel for map(to: a[0:n * n], r[0:n]) map(from: s[0:n])
  for (long j = 0; j < n; ++j) {
    double sum = 0;
    for (long i = 0; i < n; ++i) sum += a[i * n + j] * r[i];
    s[j] = sum;
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 128, 1);
  double *const a = new_integers(n * n, 11), *const p = new_integers(n, 5), *const r = new_integers(n, 3);
  double *const q = new_array(n), *const s = new_array(n);
  bicg(n, a, p, r, q, s);
  return result("bicg", n, checksum(q, n) + 3 * checksum(s, n));
}
