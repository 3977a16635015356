/* SPDX-License-Identifier: Apache-2.0
 * Each PE multiplies its own 16 × 16 matrices by a 4 × 4 block of local variables, plainly written. Sixteen sums are
 * live at once with their operands: the compiler spills. B is the same for all PEs, and stays in memory: its loads
 * are broadcast. */
#include <stdio.h>

#include "psim_simd.h"

enum { kN = 16, kPes = 16 };
static double a[kPes][kN][kN], b[kN][kN], c[kPes][kN][kN];

__attribute__((noinline)) static void dgemm(long n, double alpha, const double *__restrict x, const double *__restrict y,
                                            double *__restrict z) {
  for (long i = 0; i < n; i += 4)
    for (long j = 0; j < n; j += 4) {
      double block[4][4] = {{0}};
      for (long k = 0; k < n; k++)
        for (int p = 0; p < 4; p++)
          for (int q = 0; q < 4; q++) block[p][q] += x[(i + p) * n + k] * y[k * n + j + q];
      for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++) z[(i + p) * n + j + q] = alpha * block[p][q] + 0.5 * z[(i + p) * n + j + q];
    }
}

int main(void) {
  double expected[kN][kN];
  unsigned long wrong = 0;
  for (int pe = 0; pe < kPes; pe++)
    for (int i = 0; i < kN; i++)
      for (int j = 0; j < kN; j++) {
        a[pe][i][j] = (i * 7 + j * 3 + pe * 5) % 11 - 4;
        b[i][j] = (i * 5 + j) % 13 - 6;
        c[pe][i][j] = i - j + pe;
      }
  psim_simd_get(0, a, sizeof a[0], sizeof a[0], 0);
  psim_simd_get(sizeof a[0], c, sizeof c[0], sizeof c[0], 1);
  psim_simd_sync(3);
  psim_simd_call(dgemm, (long)kN, 2.0, (const double *)psim_simd_data(0), &b[0][0],
                 (double *)psim_simd_data(sizeof a[0]));
  static double result[kPes][kN][kN];
  psim_simd_put(sizeof a[0], result, sizeof c[0], sizeof c[0], 2);
  psim_simd_sync(4);
  for (int pe = 0; pe < kPes; pe++) {
    for (int i = 0; i < kN; i++)
      for (int j = 0; j < kN; j++) {
        double sum = 0;
        for (int k = 0; k < kN; k++) sum += a[pe][i][k] * b[k][j];
        expected[i][j] = 2.0 * sum + 0.5 * c[pe][i][j];  /* small integers: exact */
        wrong += result[pe][i][j] != expected[i][j];
      }
  }
  printf("dgemm: %lu wrong\n", wrong);
  return wrong != 0;
}
