// SPDX-License-Identifier: Apache-2.0
// x1 += A y1 and x2 += Aᵀ y2: each PE has rows of A for x1 and columns for x2; all PEs read y1 and y2 in memory.
// Usage: mvt [N = 128]
#include "by_hand.h"

static void rows_of(long rows, long n, const double* a, const double* y, double* restrict x) {
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < n; ++j) x[i] += a[i * n + j] * y[j];
}
static void columns_of(long columns, long n, const double* a, const double* y, double* restrict x) {
  for (long j = 0; j < columns; ++j)
    for (long i = 0; i < n; ++i) x[j] += a[i * columns + j] * y[i];
}

static void mvt(long n, double* a, const double* y1, const double* y2, double* x1, double* x2) {
  const long rows = n / psim_simd_pes(), row = rows * (long)sizeof(double), bytes = row * n;
  double *const tile = psim_simd_data(0), *const sums = psim_simd_data(bytes);
  get_block(a, 0, bytes), get_block(x1, bytes, row), wait();
  psim_simd_call(rows_of, rows, n, tile, y1, sums);
  put_block(x1, bytes, row), wait();
  const struct psim_transfer columns = {
      .memory = (unsigned long)a,
      .pe_stride = row,
      .row_stride = n * (long)sizeof(double),
      .sbm_pitch = (unsigned)row,
      .row_bytes = (unsigned)row,
      .rows = (unsigned)n,
      .pes = psim_simd_all(),
  };
  psim_simd_get_tile(&columns), get_block(x2, bytes, row), wait();
  psim_simd_call(columns_of, rows, n, tile, y2, sums);
  put_block(x2, bytes, row), wait();
}

int main(int argc, char** argv) {
  const long n = order(argc, argv, 128, 1);
  double *const a = new_integers(n * n, 11), *const y1 = new_integers(n, 5), *const y2 = new_integers(n, 3);
  double *const x1 = new_integers(n, 13), *const x2 = new_integers(n, 7);
  PSIM_REGION_BEGIN("mvt", n);
  mvt(n, a, y1, y2, x1, x2);
  PSIM_REGION_END("mvt");
  return result("mvt", n, checksum(x1, n) + 3 * checksum(x2, n));
}
