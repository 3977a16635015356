/* SPDX-License-Identifier: Apache-2.0
 * How the PEs multiply matrices of order N, by rows, in dgemm.c and zgemm.c.
 *
 * Panels of columns of B and C lie in the SBMs: a tile of 64 rows of C stays while pieces of B, DEPTH rows
 * deep, pass; A is broadcast through the scalar part's cache. While one piece is worked on, the next is on
 * its way into the other of two buffers. C has three: one is worked on, one arrives, one leaves. A transfer
 * is waited for when its data, or its place, is needed. A byte of B brought is used in 64 rows: 16
 * multiply-adds of each PE for every cycle of memory at 8 bytes per cycle and 16 PEs. */
#ifndef PSIM_EXPERT_MATRIX_H
#define PSIM_EXPERT_MATRIX_H

#include "expert.h"

enum { ROWS = 64, DEPTH = 128, WIDTH = 16 };
enum { B_BYTES = DEPTH * WIDTH * 8, C_BYTES = ROWS * WIDTH * 8, C_AT = 2 * B_BYTES };
enum { B_TAG = 0, C_TAG = 2, PUT_TAG = 5 };
_Static_assert(C_AT + 3 * C_BYTES + PSIM_SIMD_STACK_BYTES <= 64 << 10, "an SBM has 64 KB");

/* c += a b: rows × columns of C, `depth` the inner dimension, a multiple of 4; rows of A, B, C are lda, ldb,
 * ldc elements apart. */
typedef void multiply_function(const double* a, long lda, const double* b, long ldb, double* c, long ldc,
                               long rows, long columns, long depth);
/* Moves `rows` rows of a panel, `columns` columns for every PE, between memory and SBM; waits for nothing. */
typedef void move_function(int put, double* memory, long n, long columns, unsigned offset, long rows,
                           unsigned tag);

struct product {
  long n;
  int parts;    /* doubles of an element in memory */
  long columns; /* of a panel, in each PE (or pair of PEs) */
  long panel;   /* columns of a panel */
  multiply_function* multiply;
  move_function* move;
  double *a, *b, *c;
};
struct piece {
  long j, i, k;      /* first column, row, inner index */
  unsigned tile, at; /* how many tiles and pieces have been before */
};

static inline long piece_depth(const struct product* p, struct piece x) {
  return p->n - x.k < DEPTH ? p->n - x.k : DEPTH;
}
static inline struct piece next_piece(const struct product* p, struct piece x) {
  ++x.at;
  if ((x.k += DEPTH) < p->n) return x;
  x.k = 0, ++x.tile;
  if ((x.i += ROWS) < p->n) return x;
  x.i = 0, x.j += p->panel;
  return x;
}
static inline unsigned c_offset(struct piece x) { return C_AT + x.tile % 3 * C_BYTES; }
static inline void move_c(const struct product* p, int put, struct piece x) {
  p->move(put, p->c + p->parts * (x.i * p->n + x.j), p->n, p->columns, c_offset(x), ROWS,
          (put ? PUT_TAG : C_TAG) + x.tile % 3);
}
static inline void get_b(const struct product* p, struct piece x) {
  p->move(0, p->b + p->parts * (x.k * p->n + x.j), p->n, p->columns, x.at % 2 * B_BYTES, piece_depth(p, x),
          B_TAG + x.at % 2);
}

static inline void on_pes(const struct product* p) {
  struct piece x = {0, 0, 0, 0, 0};
  get_b(p, x);
  move_c(p, 0, x);
  while (x.j < p->n) {
    const struct piece next = next_piece(p, x);
    if (x.k == 0) psim_simd_sync(1u << (C_TAG + x.tile % 3));
    psim_simd_sync(1u << (B_TAG + x.at % 2));
    if (next.j < p->n) get_b(p, next);
    if (next.tile != x.tile && next.j < p->n) { /* not earlier: 16 transfers may be outstanding */
      psim_simd_sync(1u << (PUT_TAG + next.tile % 3));
      move_c(p, 0, next);
    }
    psim_simd_call(*p->multiply, p->a + p->parts * (x.i * p->n + x.k), p->n,
                   (const double*)psim_simd_data(x.at % 2 * B_BYTES), p->columns,
                   (double*)psim_simd_data(c_offset(x)), p->columns, (long)ROWS, p->columns,
                   piece_depth(p, x));
    if (next.tile != x.tile) move_c(p, 1, x);
    x = next;
  }
  psim_simd_sync(7u << PUT_TAG);
}

/* The most columns of each of `units` PEs or pairs, `most` at most and a multiple of 4, that divide N. */
static inline long panel_columns(long n, long units, long most) {
  for (long columns = most; columns >= 4; columns -= 4)
    if (n % (columns * units) == 0) return columns;
  fprintf(stderr, "N = %ld: expected a multiple of %ld\n", n, 4 * units);
  exit(2);
}

#endif
