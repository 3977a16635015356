/* SPDX-License-Identifier: Apache-2.0
 * Functions on signs and bits of numbers. */
#include <math.h>

#include "check.h"

enum { N = 203 };
static double a[N], b[N], c[N];
static float f[N], g[N], h[N];

int main(void) {
  fill(a, N, 1), fill(b, N, 2), fill_floats(f, N, 3), fill_floats(g, N, 4);
  a[3] = 0, b[3] = -0.0, a[4] = -0.0, b[4] = 5, b[5] = -INFINITY, b[6] = copysign(NAN, -1), g[7] = -0.0f, f[8] = -0.0f;
#pragma omp target teams distribute parallel for map(to : a, b) map(from : c)
  for (int i = 0; i < N; i++) c[i] = copysign(a[i], b[i]) + fabs(a[i]) * copysign(1.5, b[i]);
  SHOW("copysign", c, N);
#pragma omp target teams distribute parallel for map(to : f, g) map(from : h)
  for (int i = 0; i < N; i++) h[i] = copysignf(f[i], g[i]) * 2 + copysignf(1, f[i]);
  SHOW_FLOATS("copysignf", h, N);
#pragma omp target teams distribute parallel for map(to : a, b) map(from : c)
  for (int i = 0; i < N; i++) c[i] = copysign(b[i] > 0 ? sqrt(fabs(a[i])) : 2, fmin(a[i], 7)) + (b[i] < 0 ? copysign(3, -a[i]) : 0);
  SHOW("copysign under a condition", c, N);
  return 0;
}
