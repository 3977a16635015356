/* SPDX-License-Identifier: Apache-2.0
 * Loops that end by data of a PE: all PEs go on until the last one is done. */
#include "check.h"

enum { N = 203, M = 12 };
static double a[N], b[N], c[N], rows[N][M];
static int n[N], m[N];
#define LOOP _Pragma("omp target teams distribute parallel for map(tofrom : a, b, c, n, m, rows)") for (int i = 0; i < N; i++)
static double sum_of_ints(const int* x) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum = add(sum, x[i], i % 13 + 1);
  return sum;
}
#define SHOW_INTS(NAME, X) printf("%s %.17g\n", NAME, sum_of_ints(X))

int main(void) {
  fill(a, N, 1), fill(b, N, 2);
  for (int i = 0; i < N; i++) {
    n[i] = i * 37 % 101 + 1;
    for (int k = 0; k < M; k++) rows[i][k] = (i * 13 + k * 7) % 29 - 14;
  }
  LOOP {
    double t = a[i] > 0 ? a[i] : 1 - a[i];
    while (t > 1 && t < 1e6) t *= 0.5;
    c[i] = t;
  }
  SHOW("while", c, N);
  LOOP {
    double t = a[i];
    for (int k = 0; k < 9; k++) {
      if (t > 20) break;
      t += 2;
    }
    c[i] = t;
  }
  SHOW("break", c, N);
  LOOP { /* Mandelbrot's set */
    const double x = a[i] * 0x1p-5, y = b[i] * 0x1p-6;
    double re = 0, im = 0;
    int k = 0;
    while (re * re + im * im < 4 && k < 50) {
      const double next = re * re - im * im + x;
      im = 2 * re * im + y, re = next, k++;
    }
    m[i] = k;
  }
  SHOW_INTS("escape", m);
  LOOP { /* Collatz' sequence */
    int at = n[i], steps = 0;
    while (at != 1) {
      at = at % 2 ? 3 * at + 1 : at / 2;
      steps++;
    }
    m[i] = steps;
  }
  SHOW_INTS("steps", m);
  LOOP {
    int k = 0;
    for (; k < M; k++)
      if (rows[i][k] > 8) break;
    m[i] = k;
  }
  SHOW_INTS("search", m);
  LOOP {
    double rest = n[i];
    for (int k = 0; k < M && rest > 0; k++) {
      rows[i][k] += rest;
      rest -= 9;
    }
    c[i] = rest;
  }
  SHOW("stores", c, N);
  SHOW("stores", &rows[0][0], N * M);
  LOOP { /* two loops, one in the other */
    double t = n[i];
    int k = 0;
    do {
      double u = t;
      while (u > 3) u -= 4, k += u > 0;
      t = t / 2 + u * 0.25;
    } while (t > 2);
    c[i] = t, m[i] = k;
  }
  SHOW("loops in loops", c, N);
  SHOW_INTS("loops in loops", m);
  double all = 0;
#pragma omp target teams distribute parallel for map(to : a) reduction(+ : all)
  for (int i = 0; i < N; i++) {
    double x = a[i] < 0 ? -a[i] : a[i], guess = 1;
    for (int k = 0; k < 40; k++) {
      const double next = 0.5 * (guess + x);
      if (next - guess < 0.5) break;
      guess = next;
    }
    all += (int)guess;
  }
  printf("sum %.17g\n", all);
  return 0;
}
