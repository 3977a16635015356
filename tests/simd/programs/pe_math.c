/* SPDX-License-Identifier: Apache-2.0
 * Functions that divide and take roots by calls, on the PEs and in scalar state: the same numbers. */
#include <stdio.h>
#include <string.h>

#include "psim_simd.h"

double __psim_simd_divd(double x, double y);
float __psim_simd_divs(float x, float y);
double __psim_simd_sqrtd(double x);
float __psim_simd_sqrts(float x);

enum { kPes = 16, kEach = 64, kAll = kPes * kEach };

__attribute__((noinline)) static void work(double *r, const double *x, long n) {
  for (long i = 0; i < n; i++) r[i] = __psim_simd_divd(x[i], x[n - 1 - i] - 1) + __psim_simd_sqrtd(x[i]);
}
__attribute__((noinline)) static void workf(float *r, const float *x, long n) {
  for (long i = 0; i < n; i++) r[i] = __psim_simd_divs(x[i], x[n - 1 - i] - 1) + __psim_simd_sqrts(x[i]);
}

static double x[kAll], on_pes[kAll], scalar[kAll];
static float xf[kAll], on_pesf[kAll], scalarf[kAll];

int main(void) {
  for (int i = 0; i < kAll; i++) x[i] = i % 17 * 1.25 + i * 0x1p-30, xf[i] = (float)x[i];
  psim_simd_get(0, x, 8 * kEach, 8 * kEach, 0);
  psim_simd_get(16 * kEach, xf, 4 * kEach, 4 * kEach, 0);
  psim_simd_sync(1);
  psim_simd_call(work, (double *)psim_simd_data(8 * kEach), (double *)psim_simd_data(0), kEach);
  psim_simd_call(workf, (float *)psim_simd_data(20 * kEach), (float *)psim_simd_data(16 * kEach), kEach);
  psim_simd_put(8 * kEach, on_pes, 8 * kEach, 8 * kEach, 0);
  psim_simd_put(20 * kEach, on_pesf, 4 * kEach, 4 * kEach, 0);
  psim_simd_sync(1);
  for (int pe = 0; pe < kPes; pe++) {
    work(scalar + pe * kEach, x + pe * kEach, kEach);
    workf(scalarf + pe * kEach, xf + pe * kEach, kEach);
  }
  int wrong = 0;
  for (int i = 0; i < kAll; i++) {
    const int pe = i / kEach, other = pe * kEach + kEach - 1 - i % kEach;
    double root;
    __asm__("fsqrtd %1, %0" : "=e"(root) : "e"(x[i]));
    wrong += scalar[i] != x[i] / (x[other] - 1) + root;
  }
  wrong += memcmp(on_pes, scalar, sizeof scalar) != 0;
  wrong += memcmp(on_pesf, scalarf, sizeof scalarf) != 0;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
