/* SPDX-License-Identifier: Apache-2.0
 * Lengths, places and sizes at which tiles, doublewords and SBMs end. */
#include <stdlib.h>

#include "check.h"

__attribute__((noinline)) static void add_to(double *x, const double *y, long n) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n]) map(to : y[0 : n])
  for (long i = 0; i < n; i++) x[i] = x[i] * 0.5 + y[i];
}
__attribute__((noinline)) static void add_floats(float *x, const float *y, long n) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n]) map(to : y[0 : n])
  for (long i = 0; i < n; i++) x[i] = x[i] * 0.5f + y[i];
}
__attribute__((noinline)) static void neighbours(float *x, const float *y, long n) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n]) map(to : y[0 : n + 2])
  for (long i = 0; i < n; i++) x[i] = y[i] + y[i + 1] - y[i + 2];
}
__attribute__((noinline)) static double sum(const float *x, const double *y, long n) {
  double s = 0;
#pragma omp target teams distribute parallel for map(to : x[0 : n], y[0 : n]) reduction(+ : s)
  for (long i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}
__attribute__((noinline)) static void rows(double *x, const double *y, long n, long m) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n * m]) map(to : y[0 : n * m])
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) x[i * m + j] += y[i * m + j] + i;
}
__attribute__((noinline)) static void backwards(double *x, const double *y, long n) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n]) map(to : y[0 : n])
  for (long i = 0; i < n; i++) x[n - 1 - i] = y[i] * 2 - x[n - 1 - i];
}
__attribute__((noinline)) static void apart(double *x, const double *y, long n, long step) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n * step]) map(to : y[0 : n * step])
  for (long i = 0; i < n; i++) x[i * step] += y[i * step];
}
__attribute__((noinline)) static void pairs(float *x, long n) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : 2 * n])
  for (long i = 0; i < n; i++) x[2 * i + 1] = x[2 * i] * 2;
}
__attribute__((noinline)) static void triples(float *x, const float *y, long n) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : 3 * n])
  for (long i = 0; i < n; i++) {
    x[3 * i] = y[i];
    x[3 * i + 2] = -y[i];
  }
}
/* The neighbour behind the last is not there. */
__attribute__((noinline)) static void guarded(double *x, const double *y, const double *last, long n) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n]) map(to : y[0 : n], last[0 : n])
  for (long i = 0; i < n; i++) {
    double t = 0;
    if (last[i] < 1) t = y[i + 1];
    x[i] += t;
  }
}
__attribute__((noinline)) static void convolve(double *x, const double *y, const double *w, long n, long k) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n]) map(to : y[0 : n + k], w[0 : k])
  for (long i = 0; i < n; i++)
    for (long j = 0; j < k; j++) x[i] += y[i + j] * w[j];
}

__attribute__((noinline)) static void private_array(double *x, long n, long m) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n])
  for (long i = 0; i < n; i++) {
    double w[4000], s = 0;
    for (long k = 0; k < m; k++) w[k] = x[i] + k;
    for (long k = 0; k < m; k++) s += w[k * 7 % m];
    x[i] = s;
  }
}

int main(void) {
  static const long lengths[] = {0, 1, 2, 7, 15, 16, 17, 31, 32, 33, 47, 255, 1000, 8191, 100003};
  enum { MOST = 100003 + 64 };
  double *const x = malloc(sizeof(double) * MOST), *const y = malloc(sizeof(double) * MOST);
  float *const f = malloc(sizeof(float) * (3 * MOST)), *const g = malloc(sizeof(float) * MOST);
  for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++) {
    const long n = lengths[l];
    printf("%ld iterations\n", n);
    fill(x, MOST, 1), fill(y, MOST, 2), fill_floats(f, 3 * MOST, 3), fill_floats(g, MOST, 4);
    add_to(x, y, n);
    SHOW("doubles", x, MOST);
    backwards(x, y, n);
    SHOW("backwards", x, MOST);
    for (int odd = 0; odd < 4; odd++) {
      add_floats(f + odd, g + odd / 2, n);
      SHOW_FLOATS("floats", f, 3 * MOST);
      neighbours(f + odd, g + odd / 2, n);
      SHOW_FLOATS("neighbours", f, 3 * MOST);
      printf("sum %.17g\n", sum(f + odd, y, n));
    }
    pairs(f, n), pairs(f + 1, n);
    SHOW_FLOATS("pairs", f, 3 * MOST);
    triples(f, g, n), triples(f + 1, g, n);
    SHOW_FLOATS("triples", f, 3 * MOST);
    convolve(x, y, g ? y + 5 : y, n, 5);
    SHOW("convolve", x, MOST);
  }
  for (long m = 1; m <= 16384; m *= 4) {
    const long n = MOST / m < 70 ? MOST / m : 70;
    fill(x, MOST, 5);
    rows(x, y, n, m);
    printf("%ld rows of %ld: ", n, m);
    SHOW("rows", x, MOST);
    apart(x, y, n, m);
    SHOW("far apart", x, MOST);
  }
  fill(x, MOST, 6);
  convolve(x, y, y + 3, 100, 9000);
  SHOW("more than a PE has", x, MOST);
  fill(x, MOST, 8);
  private_array(x, 64, 4000);
  SHOW("a private array larger than the stack", x, 64);
  /* Places that are no multiple of a double's size. */
  char *const bytes = (char *)x;
  float *const odd = (float *)(bytes + 4);
  fill_floats(odd, 77, 8);
  add_floats(odd, g, 77);
  SHOW_FLOATS("odd place", odd, 77);
  enum { PAGE = 8192 };
  double *const page = aligned_alloc(PAGE, PAGE), *const ones = malloc(PAGE);
  const long n = PAGE / sizeof(double);
  fill(page, n, 7), fill(x, n, 9);
  for (long i = 0; i < n; i++) ones[i] = i == n - 1;
  guarded(x, page, ones, n);
  SHOW("guarded", x, n);
  return 0;
}
