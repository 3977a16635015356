// SPDX-License-Identifier: Apache-2.0
// C += A B of order N, by rows, in blocks of 4×4 of C: 16 multiply-adds for 8 loads.
//
// Schedule: the operands of step k + 1 are loaded during step k, a load between two multiply-adds, into the
// other of two sets of registers, so that none waits in a station for a load. A sum is used again 16
// multiply-adds later: 8 cycles on two pipes, 6 being needed.
//
// Usage: dgemm scalar|simd [N = 256]. N is a multiple of 64, and of 4 times the number of PEs.
#include "matrix.h"

enum { TILE = 4 };

#define F(X, Y) FMA(t[X][Y], A[X], B[Y])
// clang-format off
#define STEP(A_, B_, NEXT_A, NEXT_B, K)                     \
  do {                                                      \
    double *const A = A_, *const B = B_;                    \
    q += ldb;                                               \
    F(0, 0); LOAD(NEXT_B[0], q[0]);  F(0, 1);               \
    F(0, 2); LOAD(NEXT_A[0], p0[K]); F(0, 3);               \
    F(1, 0); LOAD(NEXT_B[1], q[1]);  F(1, 1);               \
    F(1, 2); LOAD(NEXT_B[2], q[2]);  F(1, 3);               \
    F(2, 0); LOAD(NEXT_B[3], q[3]);  F(2, 1);               \
    F(2, 2); LOAD(NEXT_A[1], p1[K]); F(2, 3);               \
    F(3, 0); LOAD(NEXT_A[2], p2[K]); F(3, 1);               \
    F(3, 2); LOAD(NEXT_A[3], p3[K]); F(3, 3);               \
  } while (0)
// clang-format on

static __attribute__((noinline)) void multiply(const double* a, long lda, const double* b, long ldb,
                                               double* c, long ldc, long rows, long columns, long depth) {
  for (long j = 0; j < columns; j += TILE)
    for (long i = 0; i < rows; i += TILE) {
      const double *p0 = a + i * lda, *p1 = p0 + lda, *p2 = p1 + lda, *p3 = p2 + lda, *q = b + j;
      double a0[TILE], b0[TILE], a1[TILE], b1[TILE], t[TILE][TILE];
      double* to = c + i * ldc + j;
      for (int x = 0; x < TILE; ++x, to += ldc) {
        OPAQUE(to);
        for (int y = 0; y < TILE; ++y) LOAD(t[x][y], to[y]);
      }
      LOAD(a0[0], p0[0]);
      for (int y = 0; y < TILE; ++y) LOAD(b0[y], q[y]);
      LOAD(a0[1], p1[0]);
      LOAD(a0[2], p2[0]);
      LOAD(a0[3], p3[0]);
#pragma GCC unroll 1
      for (long k = depth; k > 4; k -= 4) {
        STEP(a0, b0, a1, b1, 1);
        STEP(a1, b1, a0, b0, 2);
        STEP(a0, b0, a1, b1, 3);
        STEP(a1, b1, a0, b0, 4);
        p0 += 4, p1 += 4, p2 += 4, p3 += 4;
      }
      STEP(a0, b0, a1, b1, 1);
      STEP(a1, b1, a0, b0, 2);
      STEP(a0, b0, a1, b1, 3);
      to = c + i * ldc + j;
      for (int x = 0; x < TILE; ++x)
        for (int y = 0; y < TILE; ++y) FMA(t[x][y], a1[x], b1[y]);
      for (int x = 0; x < TILE; ++x, to += ldc) {
        OPAQUE(to);
        for (int y = 0; y < TILE; ++y) STORE(t[x][y], to[y]);
      }
    }
}

static void move_panel(int put, double* memory, long n, long columns, unsigned offset, long rows,
                       unsigned tag) {
  const unsigned bytes = 8 * columns;
  const struct psim_transfer transfer = {(unsigned long)memory, bytes, 8 * n, offset, bytes, bytes, rows,
                                         psim_simd_all(),       tag};
  if (put)
    psim_simd_put_tile(&transfer);
  else
    psim_simd_get_tile(&transfer);
}

int main(int argc, char** argv) {
  const int simd = want_simd(argc, argv);
  const long n = size_argument(argc, argv, 256, 64, 8192);
  struct product p = {n, 1, 0, 0, multiply, move_panel, new_array(n * n), new_array(n * n), new_array(n * n)};
  if (simd) p.columns = panel_columns(n, psim_simd_pes(), WIDTH), p.panel = p.columns * psim_simd_pes();
  fill(p.a, n * n, 7), fill(p.b, n * n, 5);
  memset(p.c, 0, 8 * n * n);

  PSIM_REGION_BEGIN("dgemm", n);
  if (simd)
    on_pes(&p);
  else
    multiply(p.a, n, p.b, n, p.c, n, n, n, n);
  PSIM_REGION_END("dgemm");

  // The same products, added in the same order.
  long wrong = 0;
  for (long e = 0; e<n * n; e += n> 128 ? 61 : 1) {
    double sum = 0;
    for (long k = 0; k < n; ++k) sum += p.a[e / n * n + k] * p.b[k * n + e % n];
    wrong += sum != p.c[e];
  }
  printf("dgemm %s n=%ld wrong=%ld\n", simd ? "simd" : "scalar", n, wrong);
  return wrong != 0;
}
