// SPDX-License-Identifier: Apache-2.0
// y = alpha A x + beta B x: each PE has rows of A, B and y; all PEs read x in memory.
// Usage: gesummv [N = 128]
#include "by_hand.h"

static void rows_of(long rows, long n, double alpha, double beta, const double* a, const double* b, const double* x,
                    double* restrict y) {
  for (long i = 0; i < rows; ++i) {
    double from_a = 0, from_b = 0;
    for (long j = 0; j < n; ++j) {
      from_a += a[i * n + j] * x[j];
      from_b += b[i * n + j] * x[j];
    }
    y[i] = alpha * from_a + beta * from_b;
  }
}

static void gesummv(long n, double alpha, double beta, double* a, double* b, const double* x, double* y) {
  const long rows = n / psim_simd_pes(), row = rows * (long)sizeof(double), bytes = row * n;
  get_block(a, 0, bytes), get_block(b, bytes, bytes), wait();
  psim_simd_call(rows_of, rows, n, alpha, beta, (double*)psim_simd_data(0), (double*)psim_simd_data(bytes), x,
                 (double*)psim_simd_data(2 * bytes));
  put_block(y, 2 * bytes, row), wait();
}

int main(int argc, char** argv) {
  const long n = order(argc, argv, 128, 2);
  double *const a = new_integers(n * n, 11), *const b = new_integers(n * n, 5), *const x = new_integers(n, 13);
  double* const y = new_array(n);
  PSIM_REGION_BEGIN("gesummv", n);
  gesummv(n, 1.5, 0.5, a, b, x, y);
  PSIM_REGION_END("gesummv");
  return result("gesummv", n, checksum(y, n));
}
