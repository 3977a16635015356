/* SPDX-License-Identifier: Apache-2.0
 * out = s x + y over N doubles, of which daxpy.c and triad.c are cases. Nothing is used twice: memory is the
 * limit.
 *
 * Scalar: while four elements are worked on, the next four are loaded and the last four stored; lines are
 * prefetched, 16 at a time, one for each miss register of L1. On PEs: pieces of 256 elements for each,
 * in four buffers, of which two arrive, one is worked on and one leaves, so that block transfers never stop.
 */
#ifndef PSIM_EXPERT_STREAM_H
#define PSIM_EXPERT_STREAM_H

#include "expert.h"

enum { PIECE = 256, BUFFERS = 4, BUFFER_BYTES = 2 * 8 * PIECE, PUT_TAG = BUFFERS };

#define NOTHING(R, AT)
/* Four elements, K from the pointers: arithmetic on X and Y, loads of the next, stores of the LAST. */
#define ONE(X, Y, R, NEXT_X, NEXT_Y, LAST, K, E, LOAD_, STORE_) \
  LOAD_(NEXT_X[E], x[(K) + 4 + E]);                             \
  MADD(R[E], s, X[E], Y[E]);                                    \
  LOAD_(NEXT_Y[E], y[(K) + 4 + E]);                             \
  STORE_(LAST[E], out[(K)-4 + E])
#define FOUR(X, Y, R, NEXT_X, NEXT_Y, LAST, K, LOAD_, STORE_) \
  ONE(X, Y, R, NEXT_X, NEXT_Y, LAST, K, 0, LOAD_, STORE_);    \
  ONE(X, Y, R, NEXT_X, NEXT_Y, LAST, K, 1, LOAD_, STORE_);    \
  ONE(X, Y, R, NEXT_X, NEXT_Y, LAST, K, 2, LOAD_, STORE_);    \
  ONE(X, Y, R, NEXT_X, NEXT_Y, LAST, K, 3, LOAD_, STORE_)

/* n is a multiple of 8. */
static inline __attribute__((always_inline)) void stream(double s, const double* x, const double* y,
                                                         double* out, long n, int prefetch, int in_place) {
  double x0[4], y0[4], r0[4], x1[4], y1[4], r1[4];
  LOAD(x0[0], x[0]);
  LOAD(x0[1], x[1]);
  LOAD(x0[2], x[2]);
  LOAD(x0[3], x[3]);
  LOAD(y0[0], y[0]);
  LOAD(y0[1], y[1]);
  LOAD(y0[2], y[2]);
  LOAD(y0[3], y[3]);
  FOUR(x0, y0, r0, x1, y1, r1, 0, LOAD, NOTHING);
#pragma GCC unroll 1
  for (x += 4, y += 4, out += 4, n -= 8; n > 0; n -= 8) {
    OPAQUE(x);
    OPAQUE(y);
    OPAQUE(out);
    if (prefetch && in_place) {
      PREFETCH(x[56]);
      PREFETCH_WRITE(out[56]);
    } else if (prefetch) {
      PREFETCH(x[40]);
      PREFETCH(y[40]);
      PREFETCH_WRITE(out[40]);
    }
    FOUR(x1, y1, r1, x0, y0, r0, 0, LOAD, STORE);
    FOUR(x0, y0, r0, x1, y1, r1, 4, LOAD, STORE);
    x += 8, y += 8, out += 8;
  }
  FOUR(x1, y1, r1, x0, y0, r0, 0, NOTHING, STORE);
  STORE(r1[0], out[0]);
  STORE(r1[1], out[1]);
  STORE(r1[2], out[2]);
  STORE(r1[3], out[3]);
}

static __attribute__((noinline)) void stream_on_pe(double s, const double* x, double* y) {
  stream(s, x, y, y, PIECE, 0, 1);
}

static inline void get_piece(const double* x, const double* y, long piece) {
  const long at = piece * PIECE * psim_simd_pes();
  const unsigned buffer = piece % BUFFERS;
  psim_simd_get(buffer * BUFFER_BYTES, x + at, 8 * PIECE, 8 * PIECE, buffer);
  psim_simd_get(buffer * BUFFER_BYTES + 8 * PIECE, y + at, 8 * PIECE, 8 * PIECE, buffer);
}

static inline void stream_on_pes(double s, const double* x, const double* y, double* out, long n) {
  const long elements = PIECE * psim_simd_pes(), pieces = n / elements;
  get_piece(x, y, 0);
  if (pieces > 1) get_piece(x, y, 1);
  for (long piece = 0; piece < pieces; ++piece) {
    const unsigned buffer = piece % BUFFERS, at = buffer * BUFFER_BYTES;
    psim_simd_sync(1u << buffer);
    psim_simd_call(stream_on_pe, s, (const double*)psim_simd_data(at),
                   (double*)psim_simd_data(at + 8 * PIECE));
    psim_simd_put(at + 8 * PIECE, out + piece * elements, 8 * PIECE, 8 * PIECE, PUT_TAG + buffer);
    if (piece + 2 < pieces) {
      psim_simd_sync(1u << (PUT_TAG + (piece + 2) % BUFFERS));
      get_piece(x, y, piece + 2);
    }
  }
  psim_simd_sync(15u << PUT_TAG);
}

/* Three arrays that begin in different sets of a cache. */
static inline void new_arrays(long n, double** x, double** y, double** z) {
  const long pitch = n + 1032;
  *x = new_array(3 * pitch), *y = *x + pitch, *z = *y + pitch;
}

#endif
