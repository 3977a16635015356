// SPDX-License-Identifier: Apache-2.0
// C += A B of order N. An iteration of the distributed loop makes two rows of C, in blocks of 2×8.
// Usage: dgemm [N = 128]. N is a multiple of 8.
#include "kernel.h"

enum { ROWS = 2, COLUMNS = 8 };

static void dgemm(long n, const double* restrict a, const double* restrict b, double* restrict c) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n], b[0:n * n]) map(tofrom: c[0:n * n])
  for (long i = 0; i < n; i += ROWS)
    for (long j = 0; j < n; j += COLUMNS) {
      double t[ROWS][COLUMNS];
      for (int x = 0; x < ROWS; ++x)
        for (int y = 0; y < COLUMNS; ++y) t[x][y] = c[(i + x) * n + j + y];
      for (long k = 0; k < n; ++k)
        for (int x = 0; x < ROWS; ++x)
          for (int y = 0; y < COLUMNS; ++y) t[x][y] += a[(i + x) * n + k] * b[k * n + j + y];
      for (int x = 0; x < ROWS; ++x)
        for (int y = 0; y < COLUMNS; ++y) c[(i + x) * n + j + y] = t[x][y];
    }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 128, COLUMNS);
  double* const a = new_numbers(n * n, 7);
  double* const b = new_numbers(n * n, 5);
  double* const c = new_array(n * n);
  dgemm(n, a, b, c);

  // The same products, added in the same order; of large matrices every 61st element.
  long wrong = 0;
  for (long e = 0; e<n * n; e += n> 128 ? 61 : 1) {
    double sum = 0;
    for (long k = 0; k < n; ++k) sum += a[e / n * n + k] * b[k * n + e % n];
    wrong += sum != c[e];
  }
  return report("dgemm", n, wrong, checksum(c, n * n));
}
