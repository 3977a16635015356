/* SPDX-License-Identifier: Apache-2.0
 * private, firstprivate, lastprivate and reductions. */
#include <float.h>

#include "check.h"

enum { N = 1003 };
static double a[N], b[N], c[N];
static float f[N];

int main(void) {
  fill(a, N, 1), fill(b, N, 2), fill_floats(f, N, 3);
  double t = 5, u = 7;
#pragma omp target teams distribute parallel for private(t) map(to : a) map(from : c)
  for (int i = 0; i < N; i++) {
    t = a[i] * 2;
    c[i] = t + t * t;
  }
  SHOW("private", c, N);
#pragma omp target teams distribute parallel for firstprivate(t, u) map(to : a) map(from : c)
  for (int i = 0; i < N; i++) c[i] = t * a[i] + u;
  SHOW("firstprivate", c, N);
  int last = 0;
#pragma omp target parallel for lastprivate(t, last) map(to : a) map(from : c) map(tofrom : t, last)
  for (int i = 0; i < N; i++) {
    t = a[i] * 3 + i;
    last = i * 2;
    c[i] = t;
  }
  SHOW("lastprivate", c, N);
  printf("last %.17g %d\n", t, last);
  int i;
#pragma omp target parallel for lastprivate(i) map(to : a) map(from : c) map(tofrom : i)
  for (i = 0; i < N; i++) c[i] = a[i];
  printf("last index %d\n", i);
#pragma omp target parallel for lastprivate(t) map(to : a) map(tofrom : t)
  for (int i = 0; i < N; i++) {
    t = 0;
    if (a[i] > 3) t = a[i];
  }
  printf("last conditional %.17g\n", t);
#pragma omp target parallel for lastprivate(t) map(tofrom : t)
  for (int i = 0; i < N; i++) t = i * 0.5;
  printf("last of the index %.17g\n", t);
  double work[3] = {1, 2, 3};
#pragma omp target teams distribute parallel for firstprivate(work) map(to : a) map(from : c)
  for (int i = 0; i < N; i++) c[i] = work[0] * a[i] + work[i % 1 + 1] + work[2];
  SHOW("firstprivate array", c, N);
#pragma omp target teams distribute parallel for private(work) map(to : a) map(from : c)
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; k++) work[k] = a[i] * (k + 1);
    c[i] = work[0] + work[1] * work[2];
  }
  SHOW("private array", c, N);
#pragma omp target parallel for lastprivate(work) map(to : a) map(tofrom : work)
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++) work[k] = a[i] * (k + 1);
  SHOW("lastprivate array", work, 3);
  double big[600];
#pragma omp target teams distribute parallel for private(big) map(to : a) map(from : c)
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 600; k++) big[k] = a[i] * k;
    double sum = 0;
    for (int k = 0; k < 600; k++) sum += big[599 - k];
    c[i] = sum;
  }
  SHOW("large private array", c, N);

  double s = 10, p = 1, low = 1e9, high = -1e9;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a, b)
  for (int i = 0; i < N; i++) s += a[i] * b[i];
  printf("sum %.17g\n", s);
#pragma omp target teams distribute parallel for reduction(- : s) map(to : a, b)
  for (int i = 0; i < N; i++) s -= a[i];
  printf("difference %.17g\n", s);
#pragma omp target teams distribute parallel for reduction(* : p) map(to : a)
  for (int i = 0; i < N; i++) p *= a[i] > 0 ? 1.0 : i % 100 == 0 ? -1.0 : 1.0;
  printf("product with the index %.17g\n", p);
  p = 3;
#pragma omp target teams distribute parallel for reduction(* : p) map(to : a)
  for (int i = 0; i < N; i++) p *= a[i] > 40 ? 2.0 : a[i] < -41 ? 0.5 : -1.0;
  printf("product %.17g\n", p);
#pragma omp target teams distribute parallel for reduction(min : low) reduction(max : high) map(to : a)
  for (int i = 0; i < N; i++) {
    low = a[i] < low ? a[i] : low;
    if (a[i] * b[i] > high) high = a[i] * b[i];
  }
  printf("min %.17g max %.17g\n", low, high);
  low = -1e3;
#pragma omp target teams distribute parallel for reduction(min : low) map(to : a)
  for (int i = 0; i < N; i++)
    if (low > a[i]) low = a[i];
  printf("min with a smaller start %.17g\n", low);
  double s1 = 0, s2 = 1;
#pragma omp target teams distribute parallel for reduction(+ : s1, s2) map(to : a, b)
  for (int i = 0; i < N; i++) s1 += a[i], s2 += b[i] * 2;
  printf("two sums %.17g %.17g\n", s1, s2);
  float fs = 0, fp = 1, fl = 1e9f, fh = -1e9f;
#pragma omp target teams distribute parallel for reduction(+ : fs) reduction(* : fp) reduction(min : fl) reduction(max : fh) map(to : f)
  for (int i = 0; i < N; i++) {
    fs += f[i];
    fp *= f[i] > 30 ? -1.0f : 1.0f;
    fl = f[i] < fl ? f[i] : fl;
    fh = f[i] > fh ? f[i] : fh;
  }
  printf("floats %.9g %.9g %.9g %.9g\n", (double)fs, (double)fp, (double)fl, (double)fh);
  s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : f)
  for (int i = 0; i < N; i++) s += f[i];
  printf("double of floats %.17g\n", s);
  s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a) map(from : c)
  for (int i = 0; i < N; i++) {
    c[i] = a[i] + 1;
    s += c[i];
  }
  printf("sum and array %.17g\n", s);
  SHOW("array", c, N);
  s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += 1.0;
  printf("count %.17g\n", s);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < N; i++) s += i;
  printf("sum of indices %.17g\n", s);
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a)
  for (int i = 0; i < N; i++)
    if (a[i] > 0) s += 1;
  printf("conditional count %.17g\n", s);
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a)
  for (int i = 1; i < N - 1; i++) s += a[i - 1] * a[i] + a[i + 1];
  printf("neighbours %.17g\n", s);
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a, b)
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 5; k++) s += a[i] * b[k];
  printf("inner loop %.17g\n", s);
#pragma omp target teams distribute parallel for reduction(max : high) map(to : a)
  for (int i = 0; i < N; i++) high = high > i * 2.0 ? high : i * 2.0;
  printf("max of indices %.17g\n", high);
  int count = 0, bits = 0;
#pragma omp target teams distribute parallel for reduction(+ : count) map(to : a)
  for (int i = 0; i < N; i++) count += i;
  printf("integers %d\n", count);
#pragma omp target teams distribute parallel for reduction(+ : count) map(to : a)
  for (int i = 0; i < N; i++) count += a[i] > 0;
  printf("count in an integer %d\n", count);
#pragma omp target teams distribute parallel for reduction(| : bits) reduction(+ : count)
  for (int i = 0; i < N; i++) bits |= i, count++;
  printf("bits %d %d\n", bits, count);
  int all = 1;
#pragma omp target teams distribute parallel for reduction(&& : all) map(to : a)
  for (int i = 0; i < N; i++) all = all && a[i] < 50;
  printf("all %d\n", all);
  double hist[4] = {0, 0, 0, 0};
#pragma omp target teams distribute parallel for reduction(+ : hist) map(to : a)
  for (int i = 0; i < N; i++) hist[0] += a[i], hist[1] += 1, hist[2] -= a[i] * 2, hist[3] += b[0];
  SHOW("array of sums", hist, 4);
  double *h = hist;
#pragma omp target teams distribute parallel for reduction(+ : h[0 : 4]) map(to : a)
  for (int i = 0; i < N; i++) h[0] += a[i], h[1] += 1, h[2] -= a[i] * 2;
  SHOW("section of sums", hist, 4);
  long double ls = 0;
#pragma omp target teams distribute parallel for reduction(+ : ls) map(to : a)
  for (int i = 0; i < N; i++) ls += a[i];
  printf("long double %.17g\n", (double)ls);
  return 0;
}
