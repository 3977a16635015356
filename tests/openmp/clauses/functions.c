/* SPDX-License-Identifier: Apache-2.0
 * Functions that loops call: those with their body in the file become part of the loop. */
#include <math.h>

#include "check.h"

enum { N = 403 };
static double a[N], b[N], c[N];

#pragma omp declare target
/* gcc does not inline these by itself. */
__attribute__((noinline)) double cubic(double x, double k) {
  const double y = x * x + k;
  return y * x - k;
}
__attribute__((noinline)) double least(double x, double y) {
  if (x < y) return x;
  return y;
}
double series(double x, int terms) { /* large, and called several times */
  double sum = 0, power = 1;
  for (int k = 1; k <= terms; k++) {
    power *= x;
    sum += power * (k & 1 ? 1 : -1);
    if (power > 1e6) sum = cubic(sum, 1);
    sum = least(sum, 1e6);
  }
  return sum;
}
static double with_own_array(double x) {
  double part[8];
  for (int k = 0; k < 8; k++) part[k] = x + k;
  double sum = 0;
  for (int k = 0; k < 8; k += 2) sum += part[k];
  return sum;
}
__attribute__((noinline)) void both(double x, double *twice, double *half) { *twice = 2 * x, *half = 0.5 * x; }
double depth(double x, int n) { return n == 0 ? x : 1 + depth(x, n - 1) + depth(-x, n - 1); }
double odd(double x, int n);
double even(double x, int n) { return n == 0 ? x : odd(2 * x, n - 1) + even(x + 1, n / 2); }
double odd(double x, int n) { return n == 0 ? -x : even(x - 1, n - 1) - odd(x, n / 2); }
#pragma omp end declare target

int main(void) {
  fill(a, N, 1), fill(b, N, 2);
#pragma omp target teams distribute parallel for map(to : a, b) map(from : c)
  for (int i = 0; i < N; i++) c[i] = cubic(a[i], 3) + cubic(b[i], a[i]);
  SHOW("noinline", c, N);
#pragma omp target teams distribute parallel for map(to : a, b) map(from : c)
  for (int i = 0; i < N; i++) c[i] = least(a[i], b[i]);
  SHOW("early return", c, N);
#pragma omp target teams distribute parallel for map(to : a, b) map(from : c)
  for (int i = 0; i < N; i++) c[i] = series(a[i] * 0.125, 3) + series(b[i] * 0.25, 4) + series(0.5, 2);
  SHOW("calls in calls", c, N);
#pragma omp target teams distribute parallel for map(to : a) map(from : c)
  for (int i = 0; i < N; i++) c[i] = with_own_array(a[i]);
  SHOW("own array", c, N);
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : b) map(from : c)
  for (int i = 0; i < N; i++) both(a[i], &b[i], &c[i]);
  SHOW("pointers to elements", b, N);
  SHOW("pointers to elements", c, N);
#pragma omp target teams distribute parallel for map(to : a) map(from : c)
  for (int i = 0; i < N; i++) {
    double x, y;
    both(a[i], &x, &y);
    c[i] = x - y;
  }
  SHOW("pointers to variables", c, N);
#pragma omp target teams distribute parallel for map(to : a) map(from : c)
  for (int i = 0; i < N; i++) c[i] = depth(a[i], 9);
  SHOW("recursion", c, N);
#pragma omp target teams distribute parallel for map(to : a) map(from : c)
  for (int i = 0; i < N; i++) c[i] = even(a[i], 5);
  SHOW("recursion of two", c, N);
#pragma omp target teams distribute parallel for map(to : a) map(from : c)
  for (int i = 0; i < N; i++) c[i] = nextafter(a[i], 1e9);
  SHOW("a function of the library", c, N);
#pragma omp target teams distribute parallel for map(to : a, b) map(from : c)
  for (int i = 0; i < N; i++) c[i] = pow(a[i], 2) + pow(b[i], -1.0);
  SHOW("powers", c, N);
  return 0;
}
