// SPDX-License-Identifier: Apache-2.0
// 7-point stencil on N × N × N points with a border: out = far × (sum of the six neighbours) + near × itself.
//
// Schedule: blocks of 4 rows and 2 columns, eight sums in turn, so that a sum is used again 4 cycles later on
// two pipes, 3 being needed. A column takes 14 loads, 3.5 a point instead of 7: its 4 points are neighbours
// of each other and of the columns on either side. Loads, stores of the columns before and what moves
// pointers lie between the sums.
//
// On PEs: each has N / PEs rows of every plane and the row on either side. Four planes are in an SBM: three
// are worked on, the fourth arrives; results leave from two buffers. 16 bytes to and from memory for 8 flops:
// memory is the limit.
//
// Usage: stencil scalar|simd [N = 64]. N is a multiple of 16, and of 4 times the number of PEs; at most 128.
#define PSIM_SIMD_STACK_BYTES 4096
#include "expert.h"

enum { PLANES = 4, RESULTS = 2, GET_TAG = 0, PUT_TAG = PLANES, SCALAR_ROWS = 16, AHEAD = 16 };

// clang-format off
#define NOTHING(...)
// To the next four columns.
#define ADVANCE(P) __asm__ volatile("add %0, 32, %0" : "+r"(P))
// Columns K and K + 1, in C and E; W and F are their neighbours. Puts columns K + 3 and K + 4 into W and C. STORE_ stores
// the results of the two columns before, ADVANCE_ moves a pointer after its last use.
#define STEP(W, C, E, F, K, STORE_, ADVANCE_)                                                \
  do {                                                                                       \
    double n0, n1, s0, s1, x[4], y[4];                                                       \
    STORE_(s[0], o0[K - 2]); ADD(s[0], W[0], E[0]); LOAD(n0, above[K]);                      \
    STORE_(s[1], o1[K - 2]); ADD(s[1], W[1], E[1]); LOAD(n1, above[K + 1]);                  \
    STORE_(s[2], o2[K - 2]); ADD(s[2], W[2], E[2]); LOAD(s0, below[K]);                      \
    STORE_(s[3], o3[K - 2]); ADD(s[3], W[3], E[3]); LOAD(s1, below[K + 1]);                  \
    STORE_(t[0], o0[K - 1]); ADD(t[0], C[0], F[0]); LOAD(x[0], u0[K]);                       \
    STORE_(t[1], o1[K - 1]); ADD(t[1], C[1], F[1]); LOAD(x[1], u1[K]);                       \
    STORE_(t[2], o2[K - 1]); ADD(t[2], C[2], F[2]);                                          \
    STORE_(t[3], o3[K - 1]); ADD(t[3], C[3], F[3]);                                          \
    ADD(s[0], s[0], n0);   LOAD(x[2], u2[K]);     ADD(s[1], s[1], C[0]); ADVANCE_(above);    \
    ADD(s[2], s[2], C[1]); LOAD(x[3], u3[K]);     ADD(s[3], s[3], C[2]); ADVANCE_(below);    \
    ADD(t[0], t[0], n1);   LOAD(y[0], u0[K + 1]); ADD(t[1], t[1], E[0]); ADVANCE_(o0);       \
    ADD(t[2], t[2], E[1]); LOAD(y[1], u1[K + 1]); ADD(t[3], t[3], E[2]); ADVANCE_(o1);       \
    ADD(s[0], s[0], C[1]); LOAD(y[2], u2[K + 1]); ADD(s[1], s[1], C[2]); ADVANCE_(o2);       \
    ADD(s[2], s[2], C[3]); LOAD(y[3], u3[K + 1]); ADD(s[3], s[3], s0);   ADVANCE_(o3);       \
    ADD(t[0], t[0], E[1]); ADVANCE_(u0); ADD(t[1], t[1], E[2]); ADVANCE_(u1);                \
    ADD(t[2], t[2], E[3]); ADVANCE_(u2); ADD(t[3], t[3], s1);   ADVANCE_(u3);                \
    ADD(s[0], s[0], x[0]); LOAD(x[0], d0[K]);     ADD(s[1], s[1], x[1]); LOAD(x[1], d1[K]);  \
    ADD(s[2], s[2], x[2]); LOAD(x[2], d2[K]);     ADD(s[3], s[3], x[3]); LOAD(x[3], d3[K]);  \
    ADD(t[0], t[0], y[0]); LOAD(y[0], d0[K + 1]); ADD(t[1], t[1], y[1]); LOAD(y[1], d1[K + 1]);  \
    ADD(t[2], t[2], y[2]); LOAD(y[2], d2[K + 1]); ADD(t[3], t[3], y[3]); LOAD(y[3], d3[K + 1]);  \
    ADD(s[0], s[0], x[0]); ADVANCE_(d0);          ADD(s[1], s[1], x[1]); ADVANCE_(d1);       \
    ADD(s[2], s[2], x[2]); ADVANCE_(d2);          ADD(s[3], s[3], x[3]); ADVANCE_(d3);       \
    ADD(t[0], t[0], y[0]); LOAD(W[0], c0[K + 3]); ADD(t[1], t[1], y[1]); LOAD(W[1], c1[K + 3]);  \
    ADD(t[2], t[2], y[2]); LOAD(W[2], c2[K + 3]); ADD(t[3], t[3], y[3]); LOAD(W[3], c3[K + 3]);  \
    MUL(s[0], far, s[0]); MUL(s[1], far, s[1]); MUL(s[2], far, s[2]); MUL(s[3], far, s[3]);  \
    MUL(t[0], far, t[0]); MUL(t[1], far, t[1]); MUL(t[2], far, t[2]); MUL(t[3], far, t[3]);  \
    FMA(s[0], near, C[0]); LOAD(C[0], c0[K + 4]); FMA(s[1], near, C[1]); LOAD(C[1], c1[K + 4]);  \
    FMA(s[2], near, C[2]); LOAD(C[2], c2[K + 4]); FMA(s[3], near, C[3]); LOAD(C[3], c3[K + 4]);  \
    FMA(t[0], near, E[0]); ADVANCE_(c0);          FMA(t[1], near, E[1]); ADVANCE_(c1);       \
    FMA(t[2], near, E[2]); ADVANCE_(c2);          FMA(t[3], near, E[3]); ADVANCE_(c3);       \
  } while (0)
#define FIRST(R, P) LOAD(w[R], P[-1]); LOAD(c[R], P[0]); LOAD(e[R], P[1]); LOAD(f[R], P[2])
// clang-format on

// `rows` rows of a plane, a multiple of 4, with the planes up and down of it; n columns, a multiple of 4.
// Rows of the result are out_pitch apart.
static inline __attribute__((always_inline)) void relax(double near, double far, const double* plane,
                                                        const double* up, const double* down, double* out,
                                                        long rows, long n, long out_pitch, int prefetch) {
  const long pitch = n + 2;
  for (long row = 0; row < rows; row += 4) {
    const double *c0 = plane + row * pitch, *c1 = c0 + pitch, *c2 = c1 + pitch, *c3 = c2 + pitch;
    const double *above = c0 - pitch, *below = c3 + pitch;
    const double *u0 = up + row * pitch, *u1 = u0 + pitch, *u2 = u1 + pitch, *u3 = u2 + pitch;
    const double *d0 = down + row * pitch, *d1 = d0 + pitch, *d2 = d1 + pitch, *d3 = d2 + pitch;
    double *o0 = out + row * out_pitch, *o1 = o0 + out_pitch, *o2 = o1 + out_pitch, *o3 = o2 + out_pitch;
    double w[4], c[4], e[4], f[4], s[4], t[4];
    FIRST(0, c0);
    FIRST(1, c1);
    FIRST(2, c2);
    FIRST(3, c3);
    STEP(w, c, e, f, 0, NOTHING, NOTHING);
#pragma GCC unroll 1
    for (long column = n; column > 4; column -= 4) {
      if (prefetch) {
        PREFETCH(d0[AHEAD]);
        PREFETCH(d1[AHEAD]);
        PREFETCH(d2[AHEAD]);
        PREFETCH(d3[AHEAD]);
        PREFETCH_WRITE(o0[AHEAD]);
        PREFETCH_WRITE(o1[AHEAD]);
        PREFETCH_WRITE(o2[AHEAD]);
        PREFETCH_WRITE(o3[AHEAD]);
      }
      STEP(e, f, w, c, 2, STORE, NOTHING);
      STEP(w, c, e, f, 4, STORE, ADVANCE);
    }
    STEP(e, f, w, c, 2, STORE, NOTHING);
    STORE(s[0], o0[2]);
    STORE(s[1], o1[2]);
    STORE(s[2], o2[2]);
    STORE(s[3], o3[2]);
    STORE(t[0], o0[3]);
    STORE(t[1], o1[3]);
    STORE(t[2], o2[3]);
    STORE(t[3], o3[3]);
  }
}

static __attribute__((noinline)) void relax_scalar(double near, double far, const double* plane,
                                                   const double* up, const double* down, double* out,
                                                   long n) {
  relax(near, far, plane, up, down, out, SCALAR_ROWS, n, n + 2, 1);
}
static __attribute__((noinline)) void relax_on_pe(double near, double far, const double* plane,
                                                  const double* up, const double* down, double* out,
                                                  long rows, long n) {
  relax(near, far, plane, up, down, out, rows, n, n, 0);
}

// Doubles from plane to plane: a third of a way (64 KB) of the first-level cache apart, so that the rows of
// three planes that are worked on together lie side by side in one of its two ways.
static long plane_pitch(long n) {
  const long least = (n + 2) * (n + 2), third = 21504 / 8, way = 65536 / 8;
  return least + (third + 8 * way - least % way) % way;
}

// in and out: the first inner point of the first inner plane.
static void on_pes(double near, double far, const double* in, double* out, long n) {
  const long rows = n / psim_simd_pes(), pitch = n + 2, plane = plane_pitch(n);
  const unsigned tile = 8 * (rows + 2) * pitch + 64, result = 8 * rows * n, results_at = PLANES * tile;
  if (rows % 4 || results_at + RESULTS * result > (64 << 10) - PSIM_SIMD_STACK_BYTES) {
    fprintf(stderr,
            "N = %ld: expected a multiple of 4 rows for each of %u PEs, four planes of which fit an SBM\n", n,
            psim_simd_pes());
    exit(2);
  }
  // The rows of a plane for every PE, with one more on both sides; the rows of results.
  struct psim_transfer get = {0, 8 * rows * pitch, 0, 0, 0, 8 * (rows + 2) * pitch, 1, psim_simd_all(), 0};
  struct psim_transfer put = {0, 8 * rows * pitch, 8 * pitch, 0, 8 * n, 8 * n, rows, psim_simd_all(), 0};
  get.sbm_pitch = get.row_bytes;
#define GET(Z)                                                                                           \
  (get.memory = (unsigned long)(in + (Z)*plane - pitch - 1), get.sbm_offset = ((Z) + 1) % PLANES * tile, \
   get.tag = GET_TAG + ((Z) + 1) % PLANES, psim_simd_get_tile(&get))
#define PLANE(Z) ((const double*)psim_simd_data(((Z) + 1) % PLANES * tile) + pitch + 1)
  GET(-1);
  GET(0);
  GET(1);
  psim_simd_sync(1u << GET_TAG | 1u << (GET_TAG + 1));
  for (long z = 0; z < n; ++z) {
    const unsigned at = results_at + z % RESULTS * result;
    psim_simd_sync(1u << (GET_TAG + (z + 2) % PLANES));
    if (z + 2 <= n) GET(z + 2);
    psim_simd_sync(1u << (PUT_TAG + z % RESULTS));
    psim_simd_call(relax_on_pe, near, far, PLANE(z), PLANE(z - 1), PLANE(z + 1), (double*)psim_simd_data(at),
                   rows, n);
    put.memory = (unsigned long)(out + z * plane), put.sbm_offset = at, put.tag = PUT_TAG + z % RESULTS;
    psim_simd_put_tile(&put);
  }
  psim_simd_sync(3u << PUT_TAG);
}

int main(int argc, char** argv) {
  const int simd = want_simd(argc, argv);
  const long n = size_argument(argc, argv, 64, SCALAR_ROWS, 128), pitch = n + 2, plane = plane_pitch(n);
  const long points = plane * pitch + 8;  // the last row is read a little beyond its end
  const double near = -5.0 / 3, far = 4.0 / 9;
  double *const from = new_array(points), *const to = new_array(points);
  double *const in = from + plane + pitch + 1, *const out = to + plane + pitch + 1;
  fill(from, points, 7), memset(to, 0, 8 * points);

  PSIM_REGION_BEGIN("stencil", n);
  if (simd)
    on_pes(near, far, in, out, n);
  else
    for (long y = 0; y < n; y += SCALAR_ROWS)  // three planes of SCALAR_ROWS rows fit the first-level cache
      for (long z = 0; z < n; ++z) {
        const long at = z * plane + y * pitch;
        relax_scalar(near, far, in + at, in + at - plane, in + at + plane, out + at, n);
      }
  PSIM_REGION_END("stencil");

  // The same sums in the same order, of every third plane: each buffer has had many of them.
  long wrong = 0;
  for (long z = n - 1; z >= 0; z -= 3)
    for (long y = 0; y < n; ++y)
      for (long i = 0; i < n; ++i) {
        const double* const p = in + z * plane + y * pitch + i;
        double sum = p[-1] + p[1] + p[-pitch] + p[pitch] + p[-plane] + p[plane];
        MUL(sum, far, sum);
        FMA(sum, near, *p);
        wrong += sum != out[z * plane + y * pitch + i];
      }
  printf("stencil %s n=%ld wrong=%ld\n", simd ? "simd" : "scalar", n, wrong);
  return wrong != 0;
}
