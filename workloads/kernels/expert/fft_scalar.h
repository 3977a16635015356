/* SPDX-License-Identifier: Apache-2.0
 * The scalar transform of fft.c.
 *
 * Schedule: 28 operations a butterfly, 14 cycles on two pipes; 22 loads and stores. The sums of one butterfly
 * lie between the products of the one before, and the points of the next are loaded beside, each 10
 * operations or more before its use. */
#ifndef PSIM_EXPERT_FFT_SCALAR_H
#define PSIM_EXPERT_FFT_SCALAR_H

#include "fft.h"

#define NOTHING(...)

// clang-format off
#define POINTS(IN)                                                                                        \
  LOAD(ar, r0[IN]); LOAD(cr, r2[IN]); LOAD(ai, i0[IN]); LOAD(ci, i2[IN]);                                 \
  LOAD(br, r0[(IN) + quarter]); LOAD(dr, r2[(IN) + quarter]); LOAD(bi, i0[(IN) + quarter]); LOAD(di, i2[(IN) + quarter])
/* m = a - c, p = a + c, n = b - d, q = b + d; t = m - i n, p - q, m + i n; z = p + q. */
#define SUMS_OF_POINTS                                                                                    \
  SUB(mr, ar, cr); SUB(mi, ai, ci); ADD(pr, ar, cr); ADD(pi, ai, ci);                                     \
  SUB(nr, br, dr); SUB(ni, bi, di); ADD(qr, br, dr); ADD(qi, bi, di)
#define RESULTS                                                                                           \
  ADD(t0, mr, ni); SUB(t1, mi, nr); SUB(t2, pr, qr); SUB(t3, pi, qi);                                     \
  SUB(t4, mr, ni); ADD(t5, mi, nr); ADD(zr, pr, qr); ADD(zi, pi, qi)
/* One butterfly's products, to o[OUT + {0, s, 2 s, 3 s}]; the next one's sums; the points after that, at IN; with
 * LOAD as W_ also the next one's factors, at AT. */
#define BUTTERFLY(OUT, IN, W_, AT)                                                                        \
  do {                                                                                                    \
    double mr, mi, pr, pi, nr, ni, qr, qi, u0, u1, u2, u3, u4, u5;                                        \
    STORE(zr, o[OUT]); STORE(zi, oi[OUT]);                                                                \
    SUB(mr, ar, cr); MUL(u0, w0, t0);                                                                     \
    SUB(mi, ai, ci); MUL(u1, w0, t1);  W_(w0, (AT)[0]);                                                   \
    ADD(pr, ar, cr); MUL(u2, w2, t2);                                                                     \
    ADD(pi, ai, ci); MUL(u3, w2, t3);  W_(w2, (AT)[2]);                                                   \
    SUB(nr, br, dr); MUL(u4, w4, t4);  LOAD(ar, r0[IN]);                                                  \
    SUB(ni, bi, di); MUL(u5, w4, t5);  LOAD(cr, r2[IN]);  W_(w4, (AT)[4]);                                \
    ADD(qr, br, dr); FNMA(u0, w1, t1); LOAD(ai, i0[IN]);                                                  \
    ADD(qi, bi, di); FMA(u1, w1, t0);  LOAD(ci, i2[IN]);  W_(w1, (AT)[1]);                                \
    ADD(t0, mr, ni); FNMA(u2, w3, t3);                                                                    \
    SUB(t1, mi, nr); FMA(u3, w3, t2);  STORE(u0, o[(OUT) + s]); W_(w3, (AT)[3]);                          \
    SUB(t2, pr, qr); FNMA(u4, w5, t5); STORE(u1, oi[(OUT) + s]);     LOAD(br, r0[(IN) + quarter]);        \
    SUB(t3, pi, qi); FMA(u5, w5, t4);  STORE(u2, o[(OUT) + 2 * s]);  LOAD(dr, r2[(IN) + quarter]);        \
    W_(w5, (AT)[5]);                                                                                      \
    SUB(t4, mr, ni); STORE(u3, oi[(OUT) + 2 * s]); LOAD(bi, i0[(IN) + quarter]);                          \
    ADD(t5, mi, nr); STORE(u4, o[(OUT) + 3 * s]);  LOAD(di, i2[(IN) + quarter]);                          \
    ADD(zr, pr, qr); STORE(u5, oi[(OUT) + 3 * s]);                                                        \
    ADD(zi, pi, qi);                                                                                      \
  } while (0)
// clang-format on

/* Pass s of n points, both constants, from x to y. Reads a little beyond the end of x and of the factors. */
static INLINE void pass(const double* x, double* y, const double* w, const long n, const long s) {
  const long quarter = n / 4;
  const double *r0 = x, *r2 = x + n / 2, *i0 = x + n, *i2 = i0 + n / 2;
  double *o = y, *oi = y + n;
  double ar, ai, br, bi, cr, ci, dr, di, t0, t1, t2, t3, t4, t5, zr, zi, w0, w1, w2, w3, w4, w5;
  {
    double mr, mi, pr, pi, nr, ni, qr, qi;
    POINTS(0);
    SUMS_OF_POINTS;
    RESULTS;
  }
  POINTS(1);
  LOAD(w0, w[0]);
  LOAD(w1, w[1]);
  LOAD(w2, w[2]);
  LOAD(w3, w[3]);
  LOAD(w4, w[4]);
  LOAD(w5, w[5]);
#define ADVANCE(INPUTS, OUTPUTS) \
  r0 += INPUTS, r2 += INPUTS, i0 += INPUTS, i2 += INPUTS, o += OUTPUTS, oi += OUTPUTS
#define HIDE  \
  OPAQUE(r0); \
  OPAQUE(r2); \
  OPAQUE(i0); \
  OPAQUE(i2); \
  OPAQUE(o);  \
  OPAQUE(oi)
#pragma GCC unroll 1
  for (long p = n / (4 * s); p > 0; p -= s == 1 ? 4 : 1) {
    HIDE;
    OPAQUE(w);
    if (s == 1) {
      BUTTERFLY(0, 2, LOAD, w + 6);
      BUTTERFLY(4, 3, LOAD, w + 12);
      BUTTERFLY(8, 4, LOAD, w + 18);
      BUTTERFLY(12, 5, LOAD, w + 24);
      ADVANCE(4, 16), w += 24;
      continue;
    }
#pragma GCC unroll 1
    for (long q = s; q > 4; q -= 4) {
      BUTTERFLY(0, 2, NOTHING, w);
      BUTTERFLY(1, 3, NOTHING, w);
      BUTTERFLY(2, 4, NOTHING, w);
      BUTTERFLY(3, 5, NOTHING, w);
      ADVANCE(4, 4);
      HIDE;
    }
    BUTTERFLY(0, 2, NOTHING, w);
    BUTTERFLY(1, 3, NOTHING, w);
    BUTTERFLY(2, 4, NOTHING, w);
    BUTTERFLY(3, 5, LOAD, w + 6);
    ADVANCE(4, 4 + 3 * s), w += 6;
  }
}

/* The last one, s = n / 4, without factors. */
static INLINE void last(const double* x, double* y, const long n) {
  const long quarter = n / 4;
  const double *r0 = x, *r2 = x + n / 2, *i0 = x + n, *i2 = i0 + n / 2;
  double *o = y, *oi = y + n, *o2 = y + n / 2, *oi2 = oi + n / 2;
  double ar, ai, br, bi, cr, ci, dr, di;
  POINTS(0);
#define LAST(K)                                                            \
  do {                                                                     \
    double mr, mi, pr, pi, nr, ni, qr, qi, t0, t1, t2, t3, t4, t5, zr, zi; \
    SUMS_OF_POINTS;                                                        \
    POINTS(K + 1);                                                         \
    RESULTS;                                                               \
    STORE(t0, o[K + quarter]);                                             \
    STORE(t1, oi[K + quarter]);                                            \
    STORE(t2, o2[K]);                                                      \
    STORE(t3, oi2[K]);                                                     \
    STORE(t4, o2[K + quarter]);                                            \
    STORE(t5, oi2[K + quarter]);                                           \
    STORE(zr, o[K]);                                                       \
    STORE(zi, oi[K]);                                                      \
  } while (0)
#pragma GCC unroll 1
  for (long i = quarter; i > 0; i -= 4) {
    HIDE;
    OPAQUE(o2);
    OPAQUE(oi2);
    LAST(0);
    LAST(1);
    LAST(2);
    LAST(3);
    ADVANCE(4, 4), o2 += 4, oi2 += 4;
  }
}

/* n points from x to x; scratch: twice 2 n + 8 doubles. */
static INLINE void transform_of(const long n, double* x, double* scratch, const double* w) {
  double *const y = scratch, *const z = scratch + 2 * n + 8;
  pass(x, y, w, n, 1);
  pass(y, z, factors_of(w, n, 4), n, 4);
  pass(z, y, factors_of(w, n, 16), n, 16);
  if (n == 1024) pass(y, z, factors_of(w, n, 64), n, 64);
  last(n == 1024 ? z : y, x, n);
}
static __attribute__((noinline)) void transform(long n, double* x, double* scratch, const double* w) {
  if (n == 1024)
    transform_of(1024, x, scratch, w);
  else
    transform_of(256, x, scratch, w);
}

#endif
