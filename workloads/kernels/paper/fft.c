// SPDX-License-Identifier: Apache-2.0
// Eight transforms of N points, radix 2, decimation in time, in place (paper 003 table 2, docs/decisions/0018).
// Usage: fft scalar|simd [N = 1024]. N is a power of two, 8 to 1024.
// Other forms for `psim reproduce table2 --sensitivity`: -DSHORT_INNER (the loop over one block is always the inner
// one), -DFIRST_PASS_ALIKE (with its multiplications by 1), -DORDER_BY_PES (PEs put the points in order).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "psim.h"
#include "psim_simd.h"

enum { TRANSFORMS = 8, MOST = 1024 };
typedef struct {
  double re, im;
} number;

static inline void butterfly(number* x, number* y, number w) {
  const number a = *x, b = *y;
  const double re = b.re * w.re - b.im * w.im, im = b.re * w.im + b.im * w.re;
  x->re = a.re + re, x->im = a.im + im;
  y->re = a.re - re, y->im = a.im - im;
}

// x is in bit-reversed order, w[k] = exp(-2 pi i k / n).
static void transform(long n, number* restrict x, const number* restrict w) {
#ifdef FIRST_PASS_ALIKE
  const long first_half = 1;
#else
  const long first_half = 2;
  for (long i = 0; i < n; i += 2) {
    const number a = x[i], b = x[i + 1];
    x[i].re = a.re + b.re, x[i].im = a.im + b.im;
    x[i + 1].re = a.re - b.re, x[i + 1].im = a.im - b.im;
  }
#endif
  for (long half = first_half; half < n; half *= 2) {
    const long step = n / (2 * half);
#ifndef SHORT_INNER
    if (half <= step)  // the longer loop is the inner one
      for (long k = 0; k < half; ++k) {
        const number u = w[k * step];
        for (long i = k; i < n; i += 2 * half) butterfly(&x[i], &x[i + half], u);
      }
    else
#endif
      for (long i = 0; i < n; i += 2 * half)
        for (long k = 0; k < half; ++k) butterfly(&x[i + k], &x[i + k + half], w[k * step]);
  }
}

static void reverse(long n, number* restrict to, const number* restrict from, const int* restrict reversed) {
#ifdef ORDER_BY_PES  // a number goes through registers that each PE has
  for (long i = 0; i < n; ++i) to[reversed[i]].re = from[i].re, to[reversed[i]].im = from[i].im;
#else
  for (long i = 0; i < n; ++i) to[reversed[i]] = from[i];
#endif
}

// Each of eight PEs has one transform; the scalar part puts the points in order through its cache.
static void on_pes(long n, number* x, number* ordered, const number* w, const int* reversed) {
  const unsigned mask = (1u << TRANSFORMS) - 1, bytes = n * sizeof(number);
#ifdef ORDER_BY_PES
  const number* const from = x;
  const unsigned work = bytes;  // offset in SBM
#else
  const number* const from = ordered;
  const unsigned work = 0;
  for (int t = 0; t < TRANSFORMS; ++t) reverse(n, ordered + t * n, x + t * n, reversed);
#endif
  const struct psim_transfer get = {(unsigned long)from, bytes, 0, 0, bytes, bytes, 1, mask, 0};
  const struct psim_transfer put = {(unsigned long)x, bytes, 0, work, bytes, bytes, 1, mask, 0};
  psim_simd_set_mask(mask);
  psim_simd_get_tile(&get);
  psim_simd_sync(1u << 0);
#ifdef ORDER_BY_PES
  psim_simd_call(reverse, n, (number*)psim_simd_data(work), (const number*)psim_simd_data(0), reversed);
#endif
  psim_simd_call(transform, n, (number*)psim_simd_data(work), w);
  psim_simd_put_tile(&put);
  psim_simd_sync(1u << 0);
  psim_simd_set_mask(psim_simd_all());
}

static number x[TRANSFORMS * MOST], first[TRANSFORMS * MOST], ordered[TRANSFORMS * MOST], w[MOST];
static int reversed[MOST];

int main(int argc, char** argv) {
  const int simd = argc > 1 && !strcmp(argv[1], "simd");
  const long n = argc > 2 ? atol(argv[2]) : 1024;
  if (argc < 2 || (!simd && strcmp(argv[1], "scalar")) || n < 8 || n > MOST || (n & (n - 1))) {
    fprintf(stderr, "usage: %s scalar|simd [N: a power of two, 8 to %d]\n", argv[0], MOST);
    return 2;
  }
  for (long i = 0; i < n; ++i) {
    for (long bit = 1, mirror = n / 2; mirror; bit *= 2, mirror /= 2)
      if (i & bit) reversed[i] |= mirror;
    w[i].re = cos(2 * M_PI * i / n), w[i].im = -sin(2 * M_PI * i / n);
  }
  for (long i = 0; i < TRANSFORMS * n; ++i) first[i].re = i % 7 - 3, first[i].im = i % 3 - 1;
  memcpy(x, first, sizeof x);

  PSIM_REGION_BEGIN("fft", n);
  if (simd) {
    on_pes(n, x, ordered, w, reversed);
  } else {
    for (int t = 0; t < TRANSFORMS; ++t) {
      reverse(n, ordered + t * n, x + t * n, reversed);
      transform(n, ordered + t * n, w);
    }
  }
  PSIM_REGION_END("fft");

  // Every eighth point, from the definition.
  const number* const result = simd ? x : ordered;
  double worst = 0;
  for (int t = 0; t < TRANSFORMS; ++t)
    for (long k = t; k < n; k += 8) {
      double re = 0, im = 0;
      for (long i = 0; i < n; ++i) {
        const number u = w[i * k % n], v = first[t * n + i];
        re += v.re * u.re - v.im * u.im, im += v.re * u.im + v.im * u.re;
      }
      const double error = hypot(re - result[t * n + k].re, im - result[t * n + k].im);
      if (error > worst) worst = error;
    }
  const int wrong = !(worst < 1e-9);
  printf("fft %s n=%ld wrong=%d\n", simd ? "simd" : "scalar", n, wrong);
  return wrong;
}
