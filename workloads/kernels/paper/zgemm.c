// SPDX-License-Identifier: Apache-2.0
// Complex C += A B of order N in blocks of 4×2 (paper 003 table 2, docs/decisions/0018). A number is its real and
// its imaginary part, side by side.
// Usage: zgemm scalar|simd [N = 128]. N is a multiple of 64, and of 4 times the number of PEs.
// Other forms: as in dgemm.c.
#include <stdio.h>
#include <string.h>

#include "matrix.h"

#ifndef ROWS
#define ROWS 4
#endif
#ifndef COLUMNS
#define COLUMNS 2
#endif

// As in dgemm.c; lda, ldb, ldc, columns and depth count numbers.
static void multiply(const double* a, long lda, const double* restrict b, long ldb, double* restrict c, long ldc,
                     long rows, long columns, long depth) {
  for (long i = 0; i < rows; i += ROWS)
    for (long j = 0; j < columns; j += COLUMNS) {
      double re[ROWS][COLUMNS], im[ROWS][COLUMNS];
      for (int x = 0; x < ROWS; ++x)
        for (int y = 0; y < COLUMNS; ++y) {
          const double* const from = &c[2 * ((i + x) * ldc + j + y)];
          re[x][y] = from[0], im[x][y] = from[1];
        }
      for (long k = 0; k < depth; ++k)
        for (int x = 0; x < ROWS; ++x)
          for (int y = 0; y < COLUMNS; ++y) {
            const double* const p = &a[2 * ((i + x) * lda + k)];
            const double* const q = &b[2 * (k * ldb + j + y)];
            re[x][y] += p[0] * q[0];
            re[x][y] -= p[1] * q[1];
            im[x][y] += p[0] * q[1];
            im[x][y] += p[1] * q[0];
          }
      for (int x = 0; x < ROWS; ++x)
        for (int y = 0; y < COLUMNS; ++y) {
          double* const to = &c[2 * ((i + x) * ldc + j + y)];
          to[0] = re[x][y], to[1] = im[x][y];
        }
    }
}

int main(int argc, char** argv) {
  const int simd = want_simd(argc, argv);
  const long n = order_of(argc, argv);
  double* const a = new_matrix(n, 2);
  double* const b = new_matrix(n, 2);
  double* const c = new_matrix(n, 2);
  fill(a, 2 * n * n, 7), fill(b, 2 * n * n, 5);
  memset(c, 0, 16 * n * n);

  PSIM_REGION_BEGIN("zgemm", n);
  if (simd)
    on_pes(multiply, n, 2, a, b, c);
  else
    multiply(a, n, b, n, c, n, n, n, n);
  PSIM_REGION_END("zgemm");

  long wrong = 0;
  const long step = n > 128 ? 61 : 1;
  for (long e = 0; e < n * n; e += step) {
    double re = 0, im = 0;
    for (long k = 0; k < n; ++k) {
      const double *const p = &a[2 * (e / n * n + k)], *const q = &b[2 * (k * n + e % n)];
      re += p[0] * q[0];
      re -= p[1] * q[1];
      im += p[0] * q[1];
      im += p[1] * q[0];
    }
    wrong += re != c[2 * e] || im != c[2 * e + 1];
  }
  printf("zgemm %s n=%ld wrong=%ld\n", simd ? "simd" : "scalar", n, wrong);
  return wrong != 0;
}
