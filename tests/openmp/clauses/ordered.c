// SPDX-License-Identifier: Apache-2.0
// Loops whose iterations need others: what an iteration reads is written by a later one, or by one that is `safelen` before.
#include <stdio.h>

#include "check.h"

enum { N = 1003, MOST = 16, FAR = 100 };
static const int kLengths[] = {0, 1, 2, 3, 5, 7, 13, 15, 16, 17, 31, 97, 128, 257, N};
static double x[N + 2 * FAR], y[N + 2 * FAR];
static float f[N + 2 * FAR];
static int a[N + 2 * FAR], count;
static short s[N + 2 * FAR];
static unsigned char b[N + 2 * FAR];
static struct pair {
  double first, second;
} p[N + 2 * FAR];
static double rows[N + 2 * FAR][3];

static void start(void) {
  for (int i = 0; i < N + 2 * FAR; ++i) {
    x[i] = i % 17, y[i] = 3 * i % 23, f[i] = i % 5, a[i] = i % 29, s[i] = (short)(i % 101), b[i] = (unsigned char)(i % 13);
    p[i].first = i % 7, p[i].second = i % 11;
    for (int j = 0; j < 3; ++j) rows[i][j] = (i + j) % 19;
  }
}

static void show(const char *name, int n) {
  double sum = 0;
  for (int i = 0; i < N + 2 * FAR; ++i) {
    sum += (i % 31 + 1) * (x[i] + 2 * y[i] + 3 * f[i] + 5 * a[i] + 7 * s[i] + 11 * b[i] + 13 * p[i].first + 17 * p[i].second);
    for (int j = 0; j < 3; ++j) sum += (i % 29 + j) * rows[i][j];
  }
  printf("%s %d: %.17g\n", name, n, sum);
  start();
}

/* A later iteration writes what is read: all PEs take part, whatever the distance. */
static void later(int n) {
#pragma omp target simd safelen(1) map(tofrom : a)
  for (int i = 1; i < n + 1; ++i) a[i - 1] += a[i];
  show("int, 1", n);
#pragma omp target simd safelen(5) map(tofrom : a)
  for (int i = 5; i < n + 5; ++i) a[i - 5] += a[i];
  show("int, 5", n);
#pragma omp target simd safelen(100) map(tofrom : a)
  for (int i = FAR; i < n + FAR; ++i) a[i - FAR] += a[i];
  show("int, 100", n);
#pragma omp target simd safelen(3) simdlen(2) map(tofrom : x)
  for (int i = 0; i < n; ++i) x[i] = x[i] + 2 * x[i + 1] - x[i + 3];
  show("double, 3", n);
#pragma omp target simd safelen(2) map(tofrom : f)
  for (int i = n + 1; i > 1; --i) f[i] = f[i] + f[i - 2];
  show("float, downwards", n);
#pragma omp target simd safelen(2) map(tofrom : s)
  for (int i = 0; i < n; ++i) s[i] = (short)(s[i + 2] - s[i]);
  show("short, 2", n);
#pragma omp target simd safelen(2) map(tofrom : b)
  for (int i = 0; i < n; ++i) b[i] = (unsigned char)(b[i + 7] + b[i + 2]);
  show("unsigned char, 2", n);
#pragma omp target teams distribute simd safelen(4) map(tofrom : p)
  for (int i = 0; i < n; ++i) p[i].first = p[i + 4].first + p[i].second;
  show("a member", n);
#pragma omp target simd safelen(4) map(tofrom : x)
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < 9; ++j) sum += x[i + j];
    x[i] = sum;
  }
  show("an inner loop", n);
#pragma omp target simd safelen(4) map(tofrom : x, y)
  for (int i = 0; i < n; ++i) {
    x[i] = y[i + 1] + x[i + 1];
    y[i] = 2 * x[i] - y[i + 2];
  }
  show("two arrays", n);
#pragma omp target simd safelen(4) map(tofrom : x) map(to : y)
  for (int i = 0; i < n; ++i)
    if (y[i] > 7) x[i] = x[i + 4];
  show("a condition", n);
#pragma omp target simd safelen(2) map(tofrom : rows)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 3; ++j) rows[i][j] += rows[i + 2][2 - j];
  show("rows", n);
  double sum = 0;
#pragma omp target simd safelen(8) map(tofrom : x) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    x[i] = x[i + 8] + 1;
    sum += x[i];
  }
  printf("sum %.17g\n", sum);
  show("a reduction", n);
}

/* An earlier iteration writes what is read, and a tile ends before that. */
static void earlier(int n) {
#pragma omp target simd safelen(16) map(tofrom : x)
  for (int i = 16; i < n + 16; ++i) x[i] = x[i - 16] + y[i];
  show("16 before", n);
#pragma omp target simd safelen(100) map(tofrom : x) map(to : y)
  for (int i = FAR; i < n + FAR; ++i) x[i] += x[i - FAR] * y[i];
  show("100 before", n);
#pragma omp target simd safelen(5) map(tofrom : x)
  for (int i = 5; i < n + 5; ++i) x[i] = x[i - 5] + 1;
  show("5 before", n);
#pragma omp target simd safelen(2) map(tofrom : x)
  for (int i = 2; i < n + 2; ++i) x[i] = x[i - 2] + x[i + 1];
  show("2 before, and 1 behind", n);
#pragma omp target simd safelen(5) map(tofrom : a)
  for (int i = 5; i < n + 5; ++i) a[i] = a[i - 5] + 2;
  show("int, 5 before", n);
#pragma omp target simd safelen(37) map(tofrom : f)
  for (int i = n + FAR - 37; i >= FAR - 37; --i) f[i] = f[i + 37] + 1;
  show("float, 37 before, downwards", n);
#pragma omp target simd safelen(24) map(tofrom : s)
  for (int i = 24; i < n + 24; ++i) s[i] = (short)(s[i - 24] + 1);
  show("short, 24 before", n);
#pragma omp target simd safelen(9) map(tofrom : p)
  for (int i = 9; i < n + 9; ++i) p[i].first = p[i - 9].first + p[i - 2].second;
  show("a member, 9 before", n);
#pragma omp target simd safelen(1) map(tofrom : p)
  for (int i = 1; i < n + 1; ++i) p[i].first = 2 * p[i - 1].second;
  show("another member", n);
#pragma omp target simd safelen(2) map(tofrom : rows)
  for (int i = 2; i < n + 2; ++i)
    for (int j = 0; j < 3; ++j) rows[i][j] += rows[i - 2][2 - j];
  show("rows before", n);
  double sum = 0;
#pragma omp target simd safelen(20) map(tofrom : x) reduction(+ : sum)
  for (int i = 20; i < n + 20; ++i) {
    x[i] = x[i - 20] + 1;
    sum += x[i];
  }
  printf("sum %.17g\n", sum);
  show("a reduction, 20 before", n);
}

/* The same by pointers, so that nothing is known when the loop is compiled. */
__attribute__((noinline)) static void by_pointers(int n, double *to, double *from, int up) {
#pragma omp target simd safelen(1) map(tofrom : to[0 : n]) map(to : from[0 : n])
  for (int i = 0; i < n; ++i) to[i] = from[i] + 1;
  show("pointers", n);
  if (!up) return;
#pragma omp target simd safelen(50) map(tofrom : to[0 : n + FAR])
  for (int i = 0; i < n; ++i) to[i] = to[i + FAR] - 1;
  show("far behind", n);
#pragma omp target simd safelen(50) map(tofrom : to[0 : n + FAR])
  for (int i = 0; i < n; ++i) to[i + FAR] = to[i] - 1;
  show("far before", n);
}

/* On the scalar core. */
static void alone(int n) {
#pragma omp target simd safelen(1) map(tofrom : x)
  for (int i = 1; i < n + 1; ++i) x[i] = x[i - 1] + 1;
  show("1 before", n);
#pragma omp target simd safelen(1) map(tofrom : a)
  for (int i = 1; i < n + 1; ++i) a[i] = a[i - 1] + 1;
  show("int, 1 before", n);
#pragma omp target simd safelen(1) map(tofrom : a, count)
  for (int i = 0; i < n; ++i) {
    int sum = 0;
    for (int j = 0; j < count; ++j) sum += j;
    a[i] = sum;
    if (i == 3) count = 2;
  }
  show("a length that an iteration changes", n);
  count = 4;
#pragma omp target simd safelen(1) map(tofrom : a)
  for (int i = 0; i < n; ++i) {
    int sum = 0;
    for (int j = 0; j < a[0] % 8; ++j) sum += j;
    a[i] = sum + 3;
  }
  show("a length that an iteration writes", n);
  double before = 1;
#pragma omp target simd safelen(1) map(tofrom : x, before)
  for (int i = 0; i < n; ++i) {
    x[i] += before;
    before = x[i] - before;
  }
  printf("carried %.17g\n", before);
  show("a variable", n);
#pragma omp target simd safelen(1) map(tofrom : x)
  for (int i = 0; i < n; ++i) {
    x[i] += 1;
    x[i + 1] *= 2;
  }
  show("two elements", n);
}

int main(void) {
  start();
  count = 4;
  for (unsigned i = 0; i < sizeof kLengths / sizeof *kLengths; ++i) {
    const int n = kLengths[i];
    later(n);
    earlier(n);
    by_pointers(n, x, x + 1, 1);
    by_pointers(n, x + 1, x, 0);
    by_pointers(n, x + 8, x, 0);
    by_pointers(n, x, y, 0);
    alone(n);
  }
}
