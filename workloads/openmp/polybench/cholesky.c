// SPDX-License-Identifier: Apache-2.0
// A = L Lᵀ; L replaces the lower triangle of A, column by column. The rows below the diagonal are distributed; they need the
// row of the diagonal, which is copied.
// Usage: cholesky [N = 64]
#include <math.h>

#include "polybench.h"

static void cholesky(long n, double* restrict a, double* restrict row) {
  for (long j = 0; j < n; ++j) {
    double square = a[j * n + j];
    for (long k = 0; k < j; ++k) {
      row[k] = a[j * n + k];
      square -= row[k] * row[k];
    }
    const double root = sqrt(square);
    a[j * n + j] = root;
    #pragma omp target teams distribute parallel for map(to: row[0:n]) map(tofrom: a[0:n * n])
    for (long i = j + 1; i < n; ++i) {
      double sum = a[i * n + j];
      for (long k = 0; k < j; ++k) sum -= a[i * n + k] * row[k];
      a[i * n + j] = sum / root;
    }
  }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 64, 1);
  double *const a = new_array(n * n), *const l = new_integers(n * n, 3);
  for (long i = 0; i < n; ++i) l[i * n + i] = 1 + i % 3;
  for (long i = 0; i < n; ++i)  // A = L Lᵀ
    for (long j = 0; j < n; ++j)
      for (long k = 0; k <= i && k <= j; ++k) a[i * n + j] += l[i * n + k] * l[j * n + k];
  cholesky(n, a, new_array(n));
  return result("cholesky", n, checksum(a, n * n));
}
