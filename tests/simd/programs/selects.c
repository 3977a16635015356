/* SPDX-License-Identifier: Apache-2.0
 * Selects on data that differ from PE to PE, NaN among them, against C's own comparisons; and calls of
 * functions by pointers. C and C++. */
#include <stdio.h>

#include "psim_simd.h"

enum { kPes = 16, kValues = 16, kPairs = kValues * kValues, kEach = kPairs / kPes, kOps = 6 };

/* Every PE: six selects of each pair. */
__attribute__((noinline)) static void choose(double* r, const double* x, const double* y, long n) {
  for (long i = 0; i < n; i++) {
    const double a = x[i] + 1000, b = y[i] - 1000;
    r[kOps * i] = psim_select_gt(x[i], y[i], a, b);
    r[kOps * i + 1] = psim_select_ge(x[i], y[i], a, b);
    r[kOps * i + 2] = psim_select_lt(x[i], y[i], a, b);
    r[kOps * i + 3] = psim_select_le(x[i], y[i], a, b);
    r[kOps * i + 4] = psim_select_eq(x[i], y[i], 1, 2);
    r[kOps * i + 5] = psim_select_ne(x[i], y[i], 1, 2);
  }
}
__attribute__((noinline)) static void choosef(float* r, const float* x, const float* y, long n) {
  for (long i = 0; i < n; i++) {
    const float a = x[i] + 1000, b = y[i] - 1000;
    r[kOps * i] = psim_select_gtf(x[i], y[i], a, b);
    r[kOps * i + 1] = psim_select_gef(x[i], y[i], a, b);
    r[kOps * i + 2] = psim_select_ltf(x[i], y[i], a, b);
    r[kOps * i + 3] = psim_select_lef(x[i], y[i], a, b);
    r[kOps * i + 4] = psim_select_eqf(x[i], y[i], 1, 2);
    r[kOps * i + 5] = psim_select_nef(x[i], y[i], 1, 2);
  }
}
/* The sum over the PEs of their largest absolute values. */
__attribute__((noinline)) static double largest(const double* x, long n) {
  double most = 0;
  for (long i = 0; i < n; i++) {
    const double size = psim_select_lt(x[i], 0, -x[i], x[i]);
    most = psim_select_gt(size, most, size, most);
  }
  return psim_fsumd(most);
}

static double x[kPairs], y[kPairs], r[kPairs * kOps];
static float xf[kPairs], yf[kPairs], rf[kPairs * kOps];
static long wrong;

/* NaNs are equal here. */
static void compare(double got, double expected, int i, int op) {
  if (got == expected || (got != got && expected != expected)) return;
  if (wrong++ < 10) printf("%g op %d %g: %g, expected %g\n", x[i], op, y[i], got, expected);
}

typedef double reduction(const double*, long);
struct table {
  void (*choose)(double*, const double*, const double*, long);
  reduction* reduce[2];
};

int main(void) {
  const double nan = __builtin_nan(""), infinity = __builtin_inf();
  const double values[kValues] = {nan, -infinity, -0x1p+100, -3.5, -1.0, -0x1p-126, -0x1p-140, -0.0,
                                  0.0, 0x1p-140,  0x1p-126,  1.0,  1.5,  0x1p+100,  infinity,  -nan};
  for (int i = 0; i < kPairs; i++) {
    x[i] = values[i % kValues], y[i] = values[i / kValues];
    xf[i] = (float)x[i], yf[i] = (float)y[i];
  }
  psim_simd_get(0, x, sizeof x / kPes, sizeof x / kPes, 0);
  psim_simd_get(512, y, sizeof y / kPes, sizeof y / kPes, 0);
  psim_simd_sync(1);
  double *const px = (double*)psim_simd_data(0), *const py = (double*)psim_simd_data(512);
  double* const pr = (double*)psim_simd_data(1024);
  const struct table table = {choose, {largest, largest}};
  const struct table* volatile const opaque = &table;
  /* The function that a member of a structure points to. */
  psim_simd_call(opaque->choose, pr, px, py, kEach);
  psim_simd_put(1024, r, sizeof r / kPes, sizeof r / kPes, 0);
  psim_simd_sync(1);

  float *const pxf = (float*)psim_simd_data(8192), *const pyf = (float*)psim_simd_data(8704);
  float* const prf = (float*)psim_simd_data(9216);
  psim_simd_get(8192, xf, sizeof xf / kPes, sizeof xf / kPes, 0);
  psim_simd_get(8704, yf, sizeof yf / kPes, sizeof yf / kPes, 0);
  psim_simd_sync(1);
  psim_simd_call(choosef, prf, pxf, pyf, kEach);
  psim_simd_put(9216, rf, sizeof rf / kPes, sizeof rf / kPes, 0);
  psim_simd_sync(1);

  for (int i = 0; i < kPairs; i++) {
    const volatile double vx = x[i], vy = y[i];
    const double a = vx + 1000, b = vy - 1000;
    const double expected[kOps] = {vx > vy ? a : b,  vx >= vy ? a : b,   vx < vy ? a : b,
                                   vx <= vy ? a : b, vx == vy ? 1. : 2., vx != vy ? 1. : 2.};
    const volatile float fx = xf[i], fy = yf[i];
    const float af = fx + 1000, bf = fy - 1000;
    const float expectedf[kOps] = {fx > fy ? af : bf,  fx >= fy ? af : bf,   fx < fy ? af : bf,
                                   fx <= fy ? af : bf, fx == fy ? 1.f : 2.f, fx != fy ? 1.f : 2.f};
    for (int op = 0; op < kOps; op++) {
      compare(r[kOps * i + op], expected[op], i, op);
      compare(rf[kOps * i + op], expectedf[op], i, op + kOps);
    }
  }

  /* A pointer variable, an element of an array, and the address of a function: all the same. */
  for (int i = 0; i < kPairs; i++) x[i] = (i % 7 - 3) * (1 + i / kEach);
  psim_simd_get(0, x, sizeof x / kPes, sizeof x / kPes, 0);
  psim_simd_sync(1);
  reduction* variable = opaque->reduce[0];
  double sum = 0;
  for (int pe = 0; pe < kPes; pe++) sum += 3 * (1 + pe);
  const double sums[] = {psim_simd_call(variable, px, kEach), psim_simd_call(*variable, px, kEach),
                         psim_simd_call(opaque->reduce[1], px, kEach), psim_simd_call(&largest, px, kEach),
                         psim_simd_call(largest, px, kEach)};
  for (unsigned i = 0; i < sizeof sums / sizeof *sums; i++) {
    if (sums[i] != sum && wrong++ < 10) printf("call %u: %g, expected %g\n", i, sums[i], sum);
  }
  printf("%ld wrong\n", wrong);
  return wrong != 0;
}
