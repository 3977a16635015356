// SPDX-License-Identifier: Apache-2.0
// C += A B of order N in blocks of 4×4 (paper 003 table 2, docs/decisions/0018).
// Usage: dgemm scalar|simd [N = 128]. N is a multiple of 64, and of 4 times the number of PEs.
// -DROWS=, -DCOLUMNS= and -DDEPTH= (matrix.h) make the other forms of `psim reproduce table2 --sensitivity`.
#include <stdio.h>
#include <string.h>

#include "matrix.h"

#ifndef ROWS
#define ROWS 4
#endif
#ifndef COLUMNS
#define COLUMNS 4
#endif

// Rows of A and C are lda and ldc apart; C is rows × columns, the inner dimension is depth.
static void multiply(const double* a, long lda, const double* restrict b, long ldb, double* restrict c, long ldc,
                     long rows, long columns, long depth) {
  for (long i = 0; i < rows; i += ROWS)
    for (long j = 0; j < columns; j += COLUMNS) {
      double t[ROWS][COLUMNS];
      for (int x = 0; x < ROWS; ++x)
        for (int y = 0; y < COLUMNS; ++y) t[x][y] = c[(i + x) * ldc + j + y];
      for (long k = 0; k < depth; ++k)
        for (int x = 0; x < ROWS; ++x)
          for (int y = 0; y < COLUMNS; ++y) t[x][y] += a[(i + x) * lda + k] * b[k * ldb + j + y];
      for (int x = 0; x < ROWS; ++x)
        for (int y = 0; y < COLUMNS; ++y) c[(i + x) * ldc + j + y] = t[x][y];
    }
}

int main(int argc, char** argv) {
  const int simd = want_simd(argc, argv);
  const long n = order_of(argc, argv);
  double* const a = new_matrix(n, 1);
  double* const b = new_matrix(n, 1);
  double* const c = new_matrix(n, 1);
  fill(a, n * n, 7), fill(b, n * n, 5);
  memset(c, 0, 8 * n * n);

  PSIM_REGION_BEGIN("dgemm", n);
  if (simd)
    on_pes(multiply, n, 1, a, b, c);
  else
    multiply(a, n, b, n, c, n, n, n, n);
  PSIM_REGION_END("dgemm");

  // The same products, added in the same order.
  long wrong = 0;
  const long step = n > 128 ? 61 : 1;
  for (long e = 0; e < n * n; e += step) {
    double sum = 0;
    for (long k = 0; k < n; ++k) sum += a[e / n * n + k] * b[k * n + e % n];
    wrong += sum != c[e];
  }
  printf("dgemm %s n=%ld wrong=%ld\n", simd ? "simd" : "scalar", n, wrong);
  return wrong != 0;
}
