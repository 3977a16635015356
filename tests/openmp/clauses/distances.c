// SPDX-License-Identifier: Apache-2.0
// References to one array whose distance is not known before the program runs, values that all iterations may set, and nests whose inner
// loops depend on outer ones.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

enum { N = 1003, PLANES = 5, M = 37 };
static const int kLengths[] = {0, 1, 2, 3, 7, 13, 16, 17, 31, 101, N};
static double x[PLANES * N], y[PLANES * N], m[M][M];
static float f[PLANES * N];
static int a[PLANES * N], count, last;
static char letter;

static void start(void) {
  fill(x, PLANES * N, 1), fill(y, PLANES * N, 2), fill_floats(f, PLANES * N, 3);
  for (int i = 0; i < PLANES * N; ++i) a[i] = i % 41;
  fill(&m[0][0], M * M, 4);
}

static void show(const char *name, int n) {
  double sum = sum_of(x, PLANES * N) + 3 * sum_of(y, PLANES * N) + 5 * sum_of_floats(f, PLANES * N) + 7 * sum_of(&m[0][0], M * M);
  for (int i = 0; i < PLANES * N; ++i) sum += (i % 29) * a[i];
  printf("%s %d: %.17g %d %d %d\n", name, n, sum, count, last, letter);
  start();
}

/* The planes are `plane` elements apart: n or more, fewer, or 0. */
__attribute__((noinline)) static void planes(int n, int plane) {
#pragma omp target teams distribute parallel for map(tofrom : x) map(to : y)
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k) x[i + k * plane] = x[i + k * plane] + y[i + k * plane];
  show("planes", n);
#pragma omp target teams distribute parallel for map(tofrom : x)
  for (int i = 0; i < n; ++i) x[i] += 2 * x[i + plane];
  show("behind", n);
#pragma omp target simd map(tofrom : x) safelen(1)
  for (int i = 0; i < n; ++i) x[i + plane] += 2 * x[i];
  show("before", n);
#pragma omp target teams distribute parallel for map(tofrom : x) map(to : y)
  for (int i = 0; i < n; ++i) {
    x[i + plane] = x[i] + y[i + plane];
    x[i] = 2 * x[i + plane] + y[i];
  }
  show("both written", n);
#pragma omp target teams distribute parallel for map(tofrom : f) map(to : y)
  for (int i = 0; i < n; ++i) f[i] = (float)(y[i] - y[i + plane] + 2 * y[i + 2 * plane] + y[i + 1]);
  show("only read", n);
}

/* Less than n. */
__attribute__((noinline)) static void near(int n, int distance) {
#pragma omp target simd map(tofrom : x) map(to : y) safelen(1)
  for (int i = 0; i < n; ++i) x[i] = y[i] - x[i + distance];
  show("near behind", n);
#pragma omp target simd map(tofrom : a) safelen(2)
  for (int i = 0; i < n; ++i) a[i + distance] = a[i] + 1;
  show("near before", n);
#pragma omp target simd map(tofrom : a) safelen(2)
  for (int i = n - 1; i >= 0; --i) a[i] = a[i + distance] - 2;
  show("downwards", n);
}

/* Values that iterations leave in variables. */
__attribute__((noinline)) static void values(int n) {
#pragma omp target teams distribute parallel for map(tofrom : x, count, last)
  for (int i = 0; i < n; ++i) {
#pragma omp atomic write
    count = n + 3;
#pragma omp atomic write
    last = i;
    x[i] += 1;
  }
  show("atomic writes", n);
  int threads[N];
#pragma omp target teams distribute parallel for map(tofrom : a, count) map(from : threads)
  for (int i = 0; i < n; ++i) {
#pragma omp atomic write
    count = omp_get_num_teams() > 0;
    threads[i] = omp_get_num_threads() > 0;
    a[i] += 2;
  }
  for (int i = 0; i < n; ++i) count += threads[i];
  show("queries", n);
  int set = 0;
  double number = 1;
#pragma omp target teams distribute parallel for map(tofrom : set, number, letter, x)
  for (int i = 0; i < n; ++i) {
    if (omp_get_team_num() == 0) set = n, number = 2.5, letter = 'x';
    x[i] *= 2;
  }
  printf("%d %g\n", set, number);
  show("set once", n);
#pragma omp target parallel for map(tofrom : x, last)
  for (int i = 0; i < n; ++i) {
    x[i] += 3;
    if (i == 5) last = 50;
  }
  show("set by one iteration", n);
  set = 7;
#pragma omp target simd map(tofrom : set, x) safelen(1)
  for (int i = 0; i < n; ++i) {  // the scalar core
    x[i] += set;
    if (i == 3) set = 2;
  }
  printf("%d\n", set);
  show("set and used", n);
}

static void nests(int n) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : m)
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) m[i][j] += y[j];
  show("upper", n);
#pragma omp target teams distribute collapse(2) map(tofrom : m)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) m[i][j] += 3 * y[i + j];
  show("lower", n);
#pragma omp target teams loop collapse(2) map(tofrom : x) map(to : y)
  for (int i = 0; i < n; ++i)
    for (int j = i * M; j < i * M + M; ++j) x[j] += y[j];
  show("rows", n);
#pragma omp target parallel for collapse(3) map(tofrom : x)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 2 * i + 1; k < 2 * i + 4; ++k) x[20 * i + 4 * j + k - 2 * i] += k - j;
  show("three loops", n);
#pragma omp target parallel for collapse(2) map(tofrom : m)
  for (int i = n - 1; i >= 0; --i)
    for (int j = n - 1; j >= i; --j) m[i][j] *= 2;
  show("downwards", n);
}

int main(void) {
  start();
  for (unsigned i = 0; i < sizeof kLengths / sizeof *kLengths; ++i) {
    const int n = kLengths[i];
    const int distances[] = {N, n, n + 1, 600};
    for (unsigned j = 0; j < sizeof distances / sizeof *distances; ++j)
      if (distances[j] >= n) planes(n, distances[j]);
    for (int distance = 2; distance < 60; distance = 2 * distance + 1) near(n, distance);
    near(n, 2);
    near(n, 0);
    values(n);
    nests(n < M ? n : M);
  }
}
