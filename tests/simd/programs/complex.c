/* SPDX-License-Identifier: Apache-2.0
 * Complex products in two ways: C's own complex numbers, one a PE; and a pair of PEs for each number, real part in the
 * even PE and imaginary part in the odd one, by cross operations. */
#include <complex.h>
#include <stdio.h>

#include "psim_simd.h"

enum { kN = 32, kPes = 16 };
static double complex x[kPes][kN], y[kPes][kN], z[kPes][kN];

__attribute__((noinline)) static void products(const double complex *restrict a, const double complex *restrict b,
                                               double complex *restrict c, long n) {
  for (long i = 0; i < n; i++) c[i] = a[i] * b[i] + c[i];
}

/* Of pairs: a and b are half a complex number in each PE. */
__attribute__((noinline)) static void paired(const double *restrict a, const double *restrict b, double *restrict c,
                                             long n) {
  for (long i = 0; i < n; i++) {
    const double real = psim_fxmovd(a[i]), imaginary = psim_fxemovd(a[i]);
    c[i] = psim_fxcmaddd(imaginary, b[i], real * b[i] + c[i]);
  }
}

int main(void) {
  unsigned wrong = 0;
  for (int pe = 0; pe < kPes; pe++)
    for (int i = 0; i < kN; i++) {
      x[pe][i] = (i % 5 - 2) + (pe % 3) * I;
      y[pe][i] = (pe - 7) + (i % 4 - 1) * I;
      z[pe][i] = pe + i * I;
    }
  psim_simd_get(0, x, sizeof x[0], sizeof x[0], 0);
  psim_simd_get(sizeof x[0], y, sizeof y[0], sizeof y[0], 0);
  psim_simd_get(2 * sizeof x[0], z, sizeof z[0], sizeof z[0], 0);
  psim_simd_sync(1);
  psim_simd_call(products, (const double complex *)psim_simd_data(0), (const double complex *)psim_simd_data(sizeof x[0]),
                 (double complex *)psim_simd_data(2 * sizeof x[0]), (long)kN);
  static double complex result[kPes][kN];
  psim_simd_put(2 * sizeof x[0], result, sizeof z[0], sizeof z[0], 0);
  psim_simd_sync(1);
  for (int pe = 0; pe < kPes; pe++)
    for (int i = 0; i < kN; i++) wrong += result[pe][i] != x[pe][i] * y[pe][i] + z[pe][i];

  /* Number i of pair p: doubles 2 i and 2 i + 1 of row p; every PE of the pair takes its half, one at a time. */
  for (int which = 0; which < 3; which++) {
    double complex(*const from)[kN] = which == 0 ? x : which == 1 ? y : z;
    for (unsigned half = 0; half < 2; half++) {
      const struct psim_transfer get = {(unsigned long)from + 8 * half - half * sizeof x[0] / 2,
                                        sizeof x[0] / 2,
                                        16,
                                        (unsigned)which * kN * 8,
                                        8,
                                        8,
                                        kN,
                                        half == 0 ? 0x5555u : 0xaaaau,
                                        0};
      psim_simd_get_tile(&get);
    }
  }
  psim_simd_sync(1);
  psim_simd_call(paired, (const double *)psim_simd_data(0), (const double *)psim_simd_data(kN * 8),
                 (double *)psim_simd_data(2 * kN * 8), (long)kN);
  for (unsigned pair = 0; pair < kPes / 2; pair++)
    for (int i = 0; i < kN; i++) {
      const double complex expected = x[pair][i] * y[pair][i] + z[pair][i];
      wrong += psim_sbm_read(2 * pair, (2 * kN + i) * 8) != creal(expected);
      wrong += psim_sbm_read(2 * pair + 1, (2 * kN + i) * 8) != cimag(expected);
    }
  printf("complex: %u wrong\n", wrong);
  return wrong != 0;
}
