// SPDX-License-Identifier: Apache-2.0
// C = alpha A B + beta C: each PE has rows of A and C; all PEs read B in memory.
// Usage: gemm [N = 64]
#include "by_hand.h"

static void rows_of(long rows, long n, double alpha, double beta, const double* a, const double* b, double* restrict c) {
  for (long i = 0; i < rows; ++i) {
    for (long j = 0; j < n; ++j) c[i * n + j] *= beta;
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j) c[i * n + j] += alpha * a[i * n + k] * b[k * n + j];
  }
}

static void gemm(long n, double alpha, double beta, double* a, const double* b, double* c) {
  const long rows = n / psim_simd_pes(), bytes = rows * n * (long)sizeof(double);
  get_block(a, 0, bytes), get_block(c, bytes, bytes), wait();
  psim_simd_call(rows_of, rows, n, alpha, beta, (double*)psim_simd_data(0), b, (double*)psim_simd_data(bytes));
  put_block(c, bytes, bytes), wait();
}

int main(int argc, char** argv) {
  const long n = order(argc, argv, 64, 2);
  double *const a = new_integers(n * n, 11), *const b = new_integers(n * n, 5), *const c = new_integers(n * n, 13);
  PSIM_REGION_BEGIN("gemm", n);
  gemm(n, 1.5, 0.5, a, b, c);
  PSIM_REGION_END("gemm");
  return result("gemm", n, checksum(c, n * n));
}
