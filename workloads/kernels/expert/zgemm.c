// SPDX-License-Identifier: Apache-2.0
// Complex C += A B of order N, by rows; a number is its real and its imaginary part, side by side.
//
// Scalar: blocks of 4×2 of C, 32 multiply-adds for 12 loads. On PEs the even PE of a pair has the real parts
// of its columns of B and C, the odd PE the imaginary parts; A is broadcast. An ordinary multiply-add and a
// cross one make a product, in blocks of 4×4: again 32 for 12 loads.
//
// Schedule: the 16 multiply-adds with the real parts of A come first, then the 16 with the imaginary parts,
// so that a sum is used again 16 later: 8 cycles on two pipes, 6 being needed. A part of A is loaded 12
// multiply-adds before its use, into a register that it shares with the row's other part; B of the next step
// is loaded into the other of two sets.
//
// Usage: zgemm scalar|simd [N = 256]. N is a multiple of 64.
#include "matrix.h"

enum { TILE = 4 };  // rows; PEs: and columns

// clang-format off
// One step: B, four doubles of row q; the real parts of four rows of A by them, then the imaginary parts. After its last
// use a part of A makes place for the next, and NEXT gets the next row of B, if LOAD_ loads.
#define STEP(RE, IM, B, NEXT, K, LOAD_)                             \
  do {                                                              \
    q += row;                                                       \
    RE(0, B, LOAD_(NEXT[0], q[0])); LOAD(a[0], p0[2 * (K) + 1]);    \
    RE(1, B, LOAD_(NEXT[1], q[1])); LOAD(a[1], p1[2 * (K) + 1]);    \
    RE(2, B, LOAD_(NEXT[2], q[2])); LOAD(a[2], p2[2 * (K) + 1]);    \
    RE(3, B, LOAD_(NEXT[3], q[3])); LOAD(a[3], p3[2 * (K) + 1]);    \
    IM(0, B); LOAD_(a[0], p0[2 * (K) + 2]);                         \
    IM(1, B); LOAD_(a[1], p1[2 * (K) + 2]);                         \
    IM(2, B); LOAD_(a[2], p2[2 * (K) + 2]);                         \
    IM(3, B); LOAD_(a[3], p3[2 * (K) + 2]);                         \
  } while (0)
#define NOTHING(R, AT)
// Row X of A by two numbers, real and imaginary parts in turn; by four numbers of which the PE has one part.
#define SCALAR_RE(X, B, MIDDLE)                                     \
  FMA(t[X][0], a[X], B[0]); FMA(t[X][1], a[X], B[1]); MIDDLE;       \
  FMA(t[X][2], a[X], B[2]); FMA(t[X][3], a[X], B[3])
#define SCALAR_IM(X, B)                                             \
  FNMA(t[X][0], a[X], B[1]); FMA(t[X][1], a[X], B[0]);              \
  FNMA(t[X][2], a[X], B[3]); FMA(t[X][3], a[X], B[2])
#define PE_IM(X, B)                                                 \
  CROSS_FMA(t[X][0], a[X], B[0]); CROSS_FMA(t[X][1], a[X], B[1]);   \
  CROSS_FMA(t[X][2], a[X], B[2]); CROSS_FMA(t[X][3], a[X], B[3])
// clang-format on

// The block at row i, `row` doubles of B or C from one of its rows to the next.
#define BLOCK(RE, IM, COLUMN, B_ROW, C_ROW)                                                         \
  do {                                                                                              \
    const long row = B_ROW;                                                                         \
    const double *p0 = A + 2 * i * lda, *p1 = p0 + 2 * lda, *p2 = p1 + 2 * lda, *p3 = p2 + 2 * lda; \
    const double* q = b + (COLUMN);                                                                 \
    double* to = c + i * (C_ROW) + (COLUMN);                                                        \
    double a[TILE], b0[TILE], b1[TILE], t[TILE][TILE];                                              \
    for (int x = 0; x < TILE; ++x, to += (C_ROW)) {                                                 \
      OPAQUE(to);                                                                                   \
      for (int y = 0; y < TILE; ++y) LOAD(t[x][y], to[y]);                                          \
    }                                                                                               \
    LOAD(a[0], p0[0]);                                                                              \
    for (int y = 0; y < TILE; ++y) LOAD(b0[y], q[y]);                                               \
    LOAD(a[1], p1[0]);                                                                              \
    LOAD(a[2], p2[0]);                                                                              \
    LOAD(a[3], p3[0]);                                                                              \
    _Pragma("GCC unroll 1") for (long k = depth; k > 4; k -= 4) {                                   \
      STEP(RE, IM, b0, b1, 0, LOAD);                                                                \
      STEP(RE, IM, b1, b0, 1, LOAD);                                                                \
      STEP(RE, IM, b0, b1, 2, LOAD);                                                                \
      STEP(RE, IM, b1, b0, 3, LOAD);                                                                \
      p0 += 8, p1 += 8, p2 += 8, p3 += 8;                                                           \
    }                                                                                               \
    STEP(RE, IM, b0, b1, 0, LOAD);                                                                  \
    STEP(RE, IM, b1, b0, 1, LOAD);                                                                  \
    STEP(RE, IM, b0, b1, 2, LOAD);                                                                  \
    STEP(RE, IM, b1, b0, 3, NOTHING);                                                               \
    to = c + i * (C_ROW) + (COLUMN);                                                                \
    for (int x = 0; x < TILE; ++x, to += (C_ROW)) {                                                 \
      OPAQUE(to);                                                                                   \
      for (int y = 0; y < TILE; ++y) STORE(t[x][y], to[y]);                                         \
    }                                                                                               \
  } while (0)

static __attribute__((noinline)) void multiply(const double* A, long lda, const double* b, long ldb,
                                               double* c, long ldc, long rows, long columns, long depth) {
  for (long j = 0; j < columns; j += 2)
    for (long i = 0; i < rows; i += TILE) BLOCK(SCALAR_RE, SCALAR_IM, 2 * j, 2 * ldb, 2 * ldc);
}

static __attribute__((noinline)) void multiply_on_pe(const double* A, long lda, const double* b, long ldb,
                                                     double* c, long ldc, long rows, long columns,
                                                     long depth) {
  for (long j = 0; j < columns; j += TILE)
    for (long i = 0; i < rows; i += TILE) BLOCK(SCALAR_RE, PE_IM, j, ldb, ldc);
}

// Pair p has columns p, p + pairs, p + 2 pairs, … of the panel: consecutive doubles go to consecutive PEs.
static void move_panel(int put, double* memory, long n, long columns, unsigned offset, long rows,
                       unsigned tag) {
  const unsigned pes = psim_simd_pes();
  for (long column = 0; column < columns; ++column) {
    const struct psim_transfer transfer = {(unsigned long)(memory + column * pes),
                                           8,
                                           16 * n,
                                           offset + 8 * column,
                                           8 * columns,
                                           8,
                                           rows,
                                           psim_simd_all(),
                                           tag};
    if (put)
      psim_simd_put_tile(&transfer);
    else
      psim_simd_get_tile(&transfer);
  }
}

int main(int argc, char** argv) {
  const int simd = want_simd(argc, argv);
  const long n = size_argument(argc, argv, 256, 64, 8192);
  struct product p = {n,
                      2,
                      0,
                      0,
                      multiply_on_pe,
                      move_panel,
                      new_array(2 * n * n),
                      new_array(2 * n * n),
                      new_array(2 * n * n)};
  // 8 columns: 8 transfers a piece, of the 16 that may be outstanding.
  if (simd) p.columns = panel_columns(n, psim_simd_pes() / 2, 8), p.panel = p.columns * psim_simd_pes() / 2;
  fill(p.a, 2 * n * n, 7), fill(p.b, 2 * n * n, 5);
  memset(p.c, 0, 16 * n * n);

  PSIM_REGION_BEGIN("zgemm", n);
  if (simd)
    on_pes(&p);
  else
    multiply(p.a, n, p.b, n, p.c, n, n, n, n);
  PSIM_REGION_END("zgemm");

  // The same products, added in the same order.
  long wrong = 0;
  for (long e = 0; e<n * n; e += n> 128 ? 61 : 1) {
    double re = 0, im = 0;
    for (long k = 0; k < n; ++k) {
      const double *const x = &p.a[2 * (e / n * n + k)], *const y = &p.b[2 * (k * n + e % n)];
      re += x[0] * y[0];
      re -= x[1] * y[1];
      im += x[0] * y[1];
      im += x[1] * y[0];
    }
    wrong += re != p.c[2 * e] || im != p.c[2 * e + 1];
  }
  printf("zgemm %s n=%ld wrong=%ld\n", simd ? "simd" : "scalar", n, wrong);
  return wrong != 0;
}
