// SPDX-License-Identifier: Apache-2.0
// Complex C += A B of order N; a number is its real and its imaginary part, side by side. An iteration of the
// distributed loop makes a row of C, in blocks of 1×4. Usage: zgemm [N = 128]. N is a multiple of 4.
#include "kernel.h"

enum { COLUMNS = 4 };

static void zgemm(long n, const double* restrict a, const double* restrict b, double* restrict c) {
#pragma omp target teams distribute parallel for map(to: a[0:2 * n * n], b[0:2 * n * n]) map(tofrom: c[0:2 * n * n])
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; j += COLUMNS) {
      double re[COLUMNS], im[COLUMNS];
      for (int y = 0; y < COLUMNS; ++y) re[y] = c[2 * (i * n + j + y)], im[y] = c[2 * (i * n + j + y) + 1];
      for (long k = 0; k < n; ++k)
        for (int y = 0; y < COLUMNS; ++y) {
          const double *const p = &a[2 * (i * n + k)], *const q = &b[2 * (k * n + j + y)];
          re[y] += p[0] * q[0];
          re[y] -= p[1] * q[1];
          im[y] += p[0] * q[1];
          im[y] += p[1] * q[0];
        }
      for (int y = 0; y < COLUMNS; ++y) c[2 * (i * n + j + y)] = re[y], c[2 * (i * n + j + y) + 1] = im[y];
    }
}

int main(int argc, char** argv) {
  const long n = size_argument(argc, argv, 128, COLUMNS);
  double* const a = new_numbers(2 * n * n, 7);
  double* const b = new_numbers(2 * n * n, 5);
  double* const c = new_array(2 * n * n);
  zgemm(n, a, b, c);

  // The same products, added in the same order; of large matrices every 61st element.
  long wrong = 0;
  for (long e = 0; e<n * n; e += n> 128 ? 61 : 1) {
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
  return report("zgemm", n, wrong, checksum(c, 2 * n * n));
}
