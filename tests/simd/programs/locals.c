/* SPDX-License-Identifier: Apache-2.0
 * What a SIMD function may do beside arithmetic: local arrays by variable index, more values than registers, constants,
 * integers to and from floating point, selections without branches, arguments on the stack, calls, recursion over
 * register windows, results. */
#include <stdio.h>

#include "psim_simd.h"

enum { kPes = 16 };

__attribute__((noinline)) static double sum_to(double x, int depth) {
  return depth == 0 ? x : x + sum_to(x * 0.5, depth - 1);
}
__attribute__((noinline)) static double largest(const double *x, int n) {
  double best = x[0];
  for (int i = 1; i < n; i++) best = x[i] > best ? x[i] : best;
  return best;
}
__attribute__((noinline)) static double work(double a, int n, double b, double *out, double c, int step, float f, int seven,
                                             double eight, long nine) {
  double local[24];
  const double me = psim_pe();
  for (int i = 0; i < 24; i++) local[i] = 0;
  for (int i = 0; i < n; i++) local[(i * step) % 24] += a * i + me;
  double p0 = me, p1 = a, p2 = b, p3 = c, p4 = f, p5 = me + 1, p6 = a + 1, p7 = b + 1, p8 = c + 1, p9 = f + 1;
  for (int i = 0; i < n; i++) {
    const double t = p0 * 0.5 + p9;
    p0 = p1 + t, p1 = p2 - t, p2 = p3 * 0.5 + t, p3 = p4 - p5, p4 = p5 * 0.25, p5 = p6 + t;
    p6 = p7 - t, p7 = p8 * 0.5, p8 = p9 + 1, p9 = t * 0.125;
  }
  out[0] = p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9;
  out[1] = largest(local, 24);
  out[2] = sum_to(me + 1, 20);
  out[3] = (double)(int)(me * 3.7 + b) + (double)seven + eight + (double)nine;
  out[4] = psim_fsumd(me);
  out[5] = (double)((float)(me * 1e-3) * f);
  return me + a;
}

/* The same in scalar state, of one PE. */
static double reference(double me, double a, int n, double b, double *out, double c, int step, float f, int seven,
                        double eight, long nine) {
  double local[24] = {0};
  for (int i = 0; i < n; i++) local[(i * step) % 24] += __builtin_fma(a, i, me);
  double p0 = me, p1 = a, p2 = b, p3 = c, p4 = f, p5 = me + 1, p6 = a + 1, p7 = b + 1, p8 = c + 1, p9 = f + 1;
  for (int i = 0; i < n; i++) {
    const double t = p0 * 0.5 + p9;
    p0 = p1 + t, p1 = p2 - t, p2 = p3 * 0.5 + t, p3 = p4 - p5, p4 = p5 * 0.25, p5 = p6 + t;
    p6 = p7 - t, p7 = p8 * 0.5, p8 = p9 + 1, p9 = t * 0.125;
  }
  out[0] = p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9;
  out[1] = largest(local, 24);
  out[2] = sum_to(me + 1, 20);
  out[3] = (double)(int)(me * 3.7 + b) + (double)seven + eight + (double)nine;
  out[4] = 120;
  out[5] = (double)((float)(me * 1e-3) * f);
  return me + a;
}

int main(void) {
  unsigned wrong = 0;
  const double result = psim_simd_call(work, 1.5, 30, 2.25, (double *)psim_simd_data(0), -3.0, 5, 0.75f, 7, 8.5, 9L);
  for (unsigned pe = 0; pe < kPes; pe++) {
    double expected[6];
    const double value = reference(pe, 1.5, 30, 2.25, expected, -3.0, 5, 0.75f, 7, 8.5, 9);
    if (pe == 0) wrong += result != value;
    for (unsigned i = 0; i < 6; i++)
      if (psim_sbm_read(pe, 8 * i) != expected[i]) {
        wrong++;
        printf("PE %u, %u: %.17g, expected %.17g\n", pe, i, psim_sbm_read(pe, 8 * i), expected[i]);
      }
  }
  printf("locals: %u wrong\n", wrong);
  return wrong != 0;
}
