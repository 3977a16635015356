// SPDX-License-Identifier: Apache-2.0
// Matrix product C += A B of order N with a block of 4 × 4 of C in registers: 16 multiply-adds for 8 loads.
// B is packed by columns of 4, A by rows of 4, beforehand. The product is region "dgemm".
// Usage: dgemm_blocked [N = 128, a multiple of 4]
#include <stdio.h>
#include <stdlib.h>

#include "psim.h"

static void block(int n, const double* restrict a, const double* restrict b, double* restrict c) {
  double c00 = 0, c01 = 0, c02 = 0, c03 = 0, c10 = 0, c11 = 0, c12 = 0, c13 = 0;
  double c20 = 0, c21 = 0, c22 = 0, c23 = 0, c30 = 0, c31 = 0, c32 = 0, c33 = 0;
  for (int k = 0; k < n; ++k, a += 4, b += 4) {
    const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    const double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
    c00 += a0 * b0, c01 += a0 * b1, c02 += a0 * b2, c03 += a0 * b3;
    c10 += a1 * b0, c11 += a1 * b1, c12 += a1 * b2, c13 += a1 * b3;
    c20 += a2 * b0, c21 += a2 * b1, c22 += a2 * b2, c23 += a2 * b3;
    c30 += a3 * b0, c31 += a3 * b1, c32 += a3 * b2, c33 += a3 * b3;
  }
  c[0] += c00, c[1] += c01, c[2] += c02, c[3] += c03, c += n;
  c[0] += c10, c[1] += c11, c[2] += c12, c[3] += c13, c += n;
  c[0] += c20, c[1] += c21, c[2] += c22, c[3] += c23, c += n;
  c[0] += c30, c[1] += c31, c[2] += c32, c[3] += c33;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 128;
  if (n < 4 || n % 4) return fprintf(stderr, "dgemm_blocked: N must be a multiple of 4\n"), 2;
  const size_t bytes = sizeof(double) * n * n;
  double* const a = malloc(bytes);
  double* const b = malloc(bytes);
  double* const c = calloc(1, bytes);
  if (!a || !b || !c) return 1;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      a[i / 4 * 4 * n + k * 4 + i % 4] = (i * n + k) % 7 - 3;
      b[i / 4 * 4 * n + k * 4 + i % 4] = (k * n + i) % 5 - 2;
    }
  PSIM_REGION_BEGIN("dgemm", n);
  for (int i = 0; i < n; i += 4)
    for (int j = 0; j < n; j += 4) block(n, a + i * n, b + j * n, c + i * n + j);
  PSIM_REGION_END("dgemm");
  double trace = 0;
  for (int i = 0; i < n; ++i) trace += c[i * n + i];
  printf("dgemm n=%d trace=%.1f\n", n, trace);
  return 0;
}
