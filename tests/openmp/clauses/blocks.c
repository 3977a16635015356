/* SPDX-License-Identifier: Apache-2.0
 * Structured blocks with several loops, and with code between them. */
#include <omp.h>

#include "check.h"

enum { N = 1003, M = 40 };
static double a[N], b[N], c[N], m[M][M];

static void rows(int n, double x[restrict n][n], double* restrict sums) {
#pragma omp target teams map(tofrom : x[0 : n], sums[0 : n])
#pragma omp parallel
  {
    int i, j;
    double t;
#pragma omp for private(j)
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++) x[i][j] += i - j;
#pragma omp for
    for (i = 0; i < n; i++) {
      t = 0;
      for (j = 0; j < n; j++) t += x[i][j];
      sums[i] = t;
    }
  }
}

int main(void) {
  fill(a, N, 1), fill(b, N, 2);
  double s = 0, most = -1e300;
#pragma omp target teams map(to : a, b) map(tofrom : c, s, most)
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < N; i++) c[i] = a[i] + 2 * b[i];
#pragma omp for reduction(+ : s)
    for (int i = 0; i < N; i++) s += c[i];
#pragma omp for reduction(max : most) schedule(static)
    for (int i = 0; i < N; i++) most = c[i] > most ? c[i] : most;
  }
  SHOW("three loops", c, N);
  printf("sum %.17g, most %.17g\n", s, most);

#pragma omp target parallel map(to : a, b) map(tofrom : c)
  {
#pragma omp for nowait
    for (int i = 0; i < N; i++) c[i] += a[i];
#pragma omp for simd nowait
    for (int i = 0; i < N; i++) c[i] *= 2;
#pragma omp barrier
    double factor = c[7] * 0.25; /* read between the loops, before the next one changes it */
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; i++) c[i] += factor;
    factor = factor > 0 ? 1 : 2;
#pragma omp for
    for (int i = 0; i < N; i++) c[i] = c[i] * factor - b[i];
  }
  SHOW("nowait, barriers, a value between loops", c, N);

  int steps = 0;
#pragma omp target teams map(tofrom : a, b, steps)
#pragma omp parallel
  for (int step = 0; step < 4; step++) {
#pragma omp for
    for (int i = 1; i < N - 1; i++) b[i] = (a[i - 1] + a[i + 1]) * 0.5;
#pragma omp single
    {
      b[0] = a[0] + step;
      steps++;
    }
#pragma omp for
    for (int i = 0; i < N; i++) a[i] = b[i];
#pragma omp master
    b[N - 1] += 1;
#pragma omp barrier
  }
  SHOW("steps", a, N);
  printf("steps %d\n", steps);

#pragma omp target teams map(to : a) map(tofrom : m)
#pragma omp parallel
  {
#pragma omp for collapse(2)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < M; j++) m[i][j] = a[i] + j;
#pragma omp for
    for (int i = 0; i < M; i++) {
      double part[4] = {0};
      for (int j = 0; j < M; j++) part[j & 3] += m[i][j];
      m[i][0] = part[0] + part[1] * 2 + part[2] * 3 + part[3] * 4;
    }
    if (m[0][0] > 0) {
#pragma omp for
      for (int i = 0; i < M; i++) m[i][1] -= 1;
    } else {
#pragma omp for
      for (int i = 0; i < M; i++) m[i][1] += 1;
    }
  }
  SHOW("nests", &m[0][0], M * M);
  rows(M, m, c);
  SHOW("sums of rows", c, M);

  /* The thread's own variable passes from loop to loop, and is a sum of its own: the scalar core does that loop. */
  double outside = 0;
#pragma omp target parallel map(to : a) map(tofrom : c, outside) num_threads(1)
  {
    double own = 1;
#pragma omp for nowait
    for (int i = 0; i < N; i++) own += a[i];
#pragma omp for
    for (int i = 0; i < N; i++) c[i] = a[i] * own;
#pragma omp critical
    outside += own;
  }
  SHOW("a sum of the thread's own", c, N);
  printf("outside %.17g\n", outside);

  int last = 0;
#pragma omp target parallel map(to : a) map(tofrom : c, last) map(to : s)
  {
#pragma omp for lastprivate(last)
    for (int i = 0; i < N; i++) {
      last = i;
      c[i] = a[i] + s;
    }
#pragma omp for firstprivate(s)
    for (int i = 0; i < N; i++) {
      double t = s;
      t += c[i];
      c[i] = t;
    }
  }
  SHOW("firstprivate", c, N);
  printf("last %d\n", last);

  /* On the host one thread executes the region. */
#pragma omp target parallel if (target : N < 0) map(to : a) map(tofrom : c)
  {
#pragma omp for
    for (int i = 0; i < N; i++) c[i] = a[i];
#pragma omp for
    for (int i = 0; i < N; i++) c[i] += 2 * a[i];
  }
  SHOW("if(0)", c, N);

  for (int n = 0; n < 40; n += 13) {
#pragma omp target parallel map(tofrom : c)
    {
#pragma omp for
      for (int i = 0; i < n; i++) c[i] = i;
#pragma omp for
      for (int i = n; i > 0; i--) c[i] += n;
    }
    SHOW("short loops", c, N);
  }
  return 0;
}
