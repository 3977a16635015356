// SPDX-License-Identifier: Apache-2.0
// A(r, q, p) = sum over s of A(r, q, s) C(s, p)
// Usage: doitgen [N = 24]
#include "polybench.h"

static void doitgen(long n, double* restrict a, const double* restrict c, double* restrict sum) {
#pragma omp target teams distribute parallel for map(to: c[0:n * n]) map(tofrom: a[0:n * n * n]) map(alloc: sum[0:n * n])
  for (long r = 0; r < n; ++r)
    for (long q = 0; q < n; ++q) {
      double* const row = a + (r * n + q) * n;
      for (long p = 0; p < n; ++p) sum[r * n + p] = 0;
      for (long s = 0; s < n; ++s)
        for (long p = 0; p < n; ++p) sum[r * n + p] += row[s] * c[s * n + p];
      for (long p = 0; p < n; ++p) row[p] = sum[r * n + p];
    }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 24, 1);
  double *const a = new_integers(n * n * n, 11), *const c = new_integers(n * n, 5);
  doitgen(n, a, c, new_array(n * n));
  return result("doitgen", n, checksum(a, n * n * n));
}
