/* SPDX-License-Identifier: Apache-2.0
 * Butterflies of fft.c on PEs, and factors. */
#ifndef PSIM_EXPERT_FFT_H
#define PSIM_EXPERT_FFT_H

#include <math.h>

#include "expert.h"

/* Six doubles for every p of every pass but the last: real and imaginary part of exp(-2 pi i p s {1, 2, 3} /
 * N). */
static inline void make_factors(double* w, long n) {
  for (long s = 1; 4 * s < n; s *= 4)
    for (long p = 0; p < n / (4 * s); ++p)
      for (long k = 1; k < 4; ++k)
        *w++ = cos(2 * M_PI * (k * p * s) / n), *w++ = -sin(2 * M_PI * (k * p * s) / n);
}
/* The factors of pass s. */
static inline const double* factors_of(const double* w, long n, long s) {
  for (long pass = 1; pass < s; pass *= 4) w += 6 * (n / (4 * pass));
  return w;
}

#define INLINE inline __attribute__((always_inline))

// clang-format off
#define INPUT(E)                                                                  \
  LOAD(a[E], x[E]); LOAD(b[E], x[E + quarter]);                                   \
  LOAD(c[E], x[E + 2 * quarter]); LOAD(d[E], x[E + 3 * quarter])
/* The points of each other quarter; n = b - d, m = a - c, then a + c and b + d in the places of a and b. */
#define SUMS(E)                                                                   \
  SUB(n[E], b[E], d[E]); SUB(m[E], a[E], c[E]); ADD(a[E], a[E], c[E]); ADD(b[E], b[E], d[E])
/* The operands of factors: m - i n, a - b, m + i n; and a + b. */
#define TURNS(E)                                                                  \
  CROSS_SUB(c[E], m[E], n[E]); SUB(d[E], a[E], b[E]);                             \
  CROSS_ADD(m[E], m[E], n[E]); ADD(a[E], a[E], b[E])
#define RE(E, W)                                                                  \
  MUL(u[E], f[W][0], c[E]); MUL(v[E], f[W][2], d[E]); MUL(n[E], f[W][4], m[E])
#define IM(E, W)                                                                  \
  CROSS_FMA(u[E], f[W][1], c[E]); CROSS_FMA(v[E], f[W][3], d[E]); CROSS_FMA(n[E], f[W][5], m[E])
#define FACTORS(W, AT)                                                            \
  LOAD(f[W][0], (AT)[0]); LOAD(f[W][1], (AT)[1]); LOAD(f[W][2], (AT)[2]);         \
  LOAD(f[W][3], (AT)[3]); LOAD(f[W][4], (AT)[4]); LOAD(f[W][5], (AT)[5])
#define OUTPUT(A, B, C, D, E, AT, S)                                              \
  STORE(A[E], (AT)[0]); STORE(B[E], (AT)[S]); STORE(C[E], (AT)[2 * (S)]); STORE(D[E], (AT)[3 * (S)])
// clang-format on

/* Butterflies i … i + count - 1 of pass s, from x to y; two at a time, step by step, so that an operation
 * comes 6 others or more after the one that it needs. Butterflies of pass 1 have factors of their own, s
 * butterflies of other passes share theirs; the last pass has none. i and `count` are multiples of `alike`,
 * the butterflies that are unrolled: s or less. */
static INLINE void first_pass(const double* x, double* y, const double* w, long quarter, long i, long count) {
  double a[2], b[2], c[2], d[2], m[2], n[2], u[2], v[2], f[2][6];
  x += i, y += 4 * i, w += 6 * i;
#pragma GCC unroll 1
  for (; count; count -= 2) {
    OPAQUE(x);
    INPUT(0);
    INPUT(1);
    FACTORS(0, w);
    FACTORS(1, w + 6);
    SUMS(0);
    SUMS(1);
    TURNS(0);
    TURNS(1);
    RE(0, 0);
    RE(1, 1);
    IM(0, 0);
    IM(1, 1);
    OUTPUT(a, u, v, n, 0, y, 1);
    OUTPUT(a, u, v, n, 1, y + 4, 1);
    x += 2, y += 8, w += 12;
  }
}
static INLINE void middle_pass(const double* x, double* y, const double* w, long quarter, long s, long i,
                               long count, long alike) {
  double a[2], b[2], c[2], d[2], m[2], n[2], u[2], v[2], f[1][6];
  for (x += i; count; count -= alike, i += alike) {
    const long q = i & (s - 1), p4s = 4 * (i - q);
    const double* const factors = w + 6 * (p4s / (4 * s));
    double* to = y + p4s + q;
    FACTORS(0, factors);
#pragma GCC unroll 1
    for (long j = 0; j < alike; j += 2) {
      OPAQUE(x);
      INPUT(0);
      INPUT(1);
      SUMS(0);
      SUMS(1);
      TURNS(0);
      TURNS(1);
      RE(0, 0);
      RE(1, 0);
      IM(0, 0);
      IM(1, 0);
      OUTPUT(a, u, v, n, 0, to, s);
      OUTPUT(a, u, v, n, 1, to + 1, s);
      x += 2, to += 2;
    }
  }
}
static INLINE void last_pass(const double* x, double* y, long quarter, long i, long count) {
  double a[2], b[2], c[2], d[2], m[2], n[2];
  x += i, y += i;
#pragma GCC unroll 1
  for (; count; count -= 2) {
    OPAQUE(x);
    INPUT(0);
    INPUT(1);
    SUMS(0);
    SUMS(1);
    TURNS(0);
    TURNS(1);
    OUTPUT(a, c, d, m, 0, y, quarter);
    OUTPUT(a, c, d, m, 1, y + 1, quarter);
    x += 2, y += 2;
  }
}

#endif
