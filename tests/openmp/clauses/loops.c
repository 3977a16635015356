/* SPDX-License-Identifier: Apache-2.0
 * Forms of loops and of subscripts. */
#include <complex.h>
#include <stdlib.h>

#include "check.h"

enum { N = 130, M = 37, K = 11 };
static double a[N][M], b[N][M], c[N][M], x[N * M + 8], y[N * M + 8], z[N * M + 8];
static double u[N][K][M], v[N][K][M];
static float f[N * M + 8], g[N * M + 8];
static int list[N * M];
struct point {
  double x, y;
  float w, h;
};
static struct point p[N], q[N];

#pragma omp declare target
static inline double twice(double t) { return 2 * t; }
static double polynomial(double t) {
  double sum = 0;
  for (int k = 0; k < 4; k++) sum = sum * t + k;
  return sum;
}
extern double elsewhere(double t);
double elsewhere(double t) { return t * 3 + 1; }
__attribute__((noinline)) double called(double t) { return t - 1; }
double factor = 2.5;
double table[4] = {1, 2, 3, 4};
#pragma omp end declare target

__attribute__((noinline)) static void add_to(double *to, const double *from, long n) {
#pragma omp target teams distribute parallel for map(tofrom : to[0 : n]) map(to : from[0 : n])
  for (long i = 0; i < n; i++) to[i] += from[i];
}
__attribute__((noinline)) static void shifted(double *to, const double *from, long n, long by) {
#pragma omp target teams distribute parallel for map(tofrom : to[0 : n]) map(to : from[0 : n])
  for (long i = 0; i < n - by; i++) to[i + by] = from[i] * 2;
}

#define TARGET _Pragma("omp target teams distribute parallel for")
#define TARGET2 _Pragma("omp target teams distribute parallel for collapse(2)")
#define TARGET3 _Pragma("omp target teams distribute parallel for collapse(3)")

static void reset(void) {
  fill(&a[0][0], N * M, 1), fill(&b[0][0], N * M, 2), fill(&c[0][0], N * M, 3);
  fill(x, N * M, 4), fill(y, N * M, 5), fill(z, N * M, 6);
  fill(&u[0][0][0], N * K * M, 7), fill(&v[0][0][0], N * K * M, 8);
  fill_floats(f, N * M, 9), fill_floats(g, N * M, 10);
  for (int i = 0; i < N * M; i++) list[i] = i * 7 % (N * M);
}

static void counters(int n, long m, unsigned w) {
  TARGET for (int i = n - 1; i >= 0; i--) x[i] = y[i] + i;
  SHOW("down", x, N);
  TARGET for (int i = 0; i < n; i += 2) x[i] = y[i] * 3;
  SHOW("step 2", x, N);
  TARGET for (int i = n - 1; i >= 0; i -= 3) x[i] = y[i] - 3;
  SHOW("step -3", x, N);
  TARGET for (int i = 1; i <= n - 2; i++) x[i] = y[i - 1] + y[i + 1];
  SHOW("le", x, N);
  TARGET for (int i = 0; i != n; i++) x[i] = -y[i];
  SHOW("ne", x, N);
  TARGET for (long i = 0; i < m; i++) x[i] = y[i] + 1;
  SHOW("long", x, N);
  TARGET for (short i = 0; i < (short)n; i++) x[i] = y[i] + 2;
  SHOW("short", x, N);
  TARGET for (signed char i = 0; i < 100; i++) x[i] = y[i] + 3;
  SHOW("char", x, N);
  TARGET for (unsigned char i = 0; i < 130; i++) x[i] = y[i] + 4;
  SHOW("unsigned char", x, N);
  TARGET for (unsigned i = 0; i < w; i++) x[i] = y[i] + i;
  SHOW("unsigned", x, N);
  TARGET for (unsigned i = w - 1; i > 0; i--) x[i] = y[i] - 1;
  SHOW("unsigned, down", x, N);
  TARGET for (unsigned i = 5; i < w; i++) x[i] = y[i - 5];
  SHOW("unsigned, offset", x, N);
  TARGET for (size_t i = 0; i < (size_t)m; i++) x[i] = y[i] + (double)i * 0.5;
  SHOW("size_t", x, N);
  TARGET for (size_t i = 0; i < (size_t)m; i++) x[i] = (double)(i - 7);
  SHOW("size_t, wrapping", x, N);
  TARGET for (unsigned i = 0; i < w; i++) x[i] = (double)(i * 1103515245u + 12345u);
  SHOW("unsigned, random", x, N);
  TARGET for (unsigned i = 0; i < w; i++) x[i] = (double)(int)(i * 2654435761u);
  SHOW("unsigned, random, signed", x, N);
  TARGET for (unsigned i = 0; i < w; i++) x[(i * 77u) % 130u] = y[i];
  SHOW("unsigned, scattered", x, N);
#pragma omp target parallel for map(tofrom : x)
  for (double *at = x; at < x + n; at++) *at += 1;
  SHOW("pointer", x, N);
}

static void indices(int n) {
  TARGET for (int i = 0; i < n; i++) x[i] = i * 0.5;
  SHOW("i * 0.5", x, N);
  TARGET for (int i = 0; i < n; i++) f[i] = (float)i;
  SHOW_FLOATS("(float) i", f, N);
  TARGET for (int i = 0; i < n; i++) x[i] = i % 3;
  SHOW("i % 3", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = i * i;
  SHOW("i * i", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = (double)i * i;
  SHOW("(double) i * i", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = (n - i) * 2 + 1;
  SHOW("(n - i) * 2 + 1", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = i / 2;
  SHOW("i / 2", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = i << 2;
  SHOW("i << 2", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = (signed char)(i * 5);
  SHOW("(signed char) (i * 5)", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = i & 6;
  SHOW("i & 6", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = abs(i - 50);
  SHOW("abs(i - 50)", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = i > 50 ? i : 50;
  SHOW("larger of i and 50", x, N);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++) a[i][j] = i * M + j;
  SHOW("two indices", &a[0][0], N * M);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++) a[i][j] = (double)i * j;
  SHOW("product of indices", &a[0][0], N * M);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < M; j++) a[i][j] = i * j;
  SHOW("integer product of indices", &a[0][0], N * M);
  TARGET for (int i = 0; i < n; i++) list[i] = i + 1;
  TARGET for (int i = 0; i < n; i++) x[i] = list[i];
  SHOW("integers", x, N);
  TARGET for (int i = 0; i < n; i++) list[i] = i * 7 % n;
  TARGET for (int i = 0; i < n; i++) x[i] = y[list[i]];
  SHOW("gather", x, N);
  TARGET for (int i = 0; i < n; i++) x[list[i]] = y[i];
  SHOW("scatter", x, N);
  TARGET for (int i = 0; i < n; i++)
    for (int k = 0; k < K; k++) x[i] += y[list[k]] * a[i][list[k] % M];
  SHOW("uniform gather", x, N);
  TARGET for (int i = 0; i < n; i++)
    for (int k = 0; k < 5; k++) c[i][list[k] % M] += k;
  SHOW("uniform scatter in a row", &c[0][0], N * M);
}

static void nests(int n, int m, int k) {
  TARGET2 for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] += b[i][j];
  SHOW("collapse(2)", &a[0][0], N * M);
  TARGET2 for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) a[i][j] += b[i][j];
  SHOW("collapse(2), columns", &a[0][0], N * M);
  TARGET3 for (int i = 0; i < n; i++)
    for (int l = 0; l < k; l++)
      for (int j = 0; j < m; j++) u[i][l][j] += v[i][l][j] * 2 + i - l + j;
  SHOW("collapse(3)", &u[0][0][0], N * K * M);
  TARGET2 for (int i = 0; i < n; i++)
    for (int l = 0; l < k; l++)
      for (int j = 0; j < m; j++) u[i][l][j] -= v[i][l][j];
  SHOW("collapse(2) of 3", &u[0][0][0], N * K * M);
  TARGET2 for (int i = n - 1; i >= 0; i -= 2)
    for (int j = 1; j < m; j += 3) a[i][j] += 5;
  SHOW("collapse(2), steps", &a[0][0], N * M);
#pragma omp target teams distribute parallel for collapse(2) schedule(static)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] += b[i][j];
  SHOW("collapse(2), static", &a[0][0], N * M);
  int li = -1, lj = -1;
#pragma omp target parallel for collapse(2) lastprivate(li, lj) map(tofrom : li, lj)
  for (li = 0; li < n; li++)
    for (lj = 0; lj < m; lj++) a[li][lj] += 1;
  printf("last %d %d\n", li, lj);
  double s = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : s)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s += a[i][j] * b[i][j];
  printf("collapse(2), sum %.17g\n", s);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double t = 0;
      for (int l = 0; l < m; l++) t += a[i][l] * b[l][j];
      c[i][j] = t;
    }
  SHOW("matrix product", &c[0][0], N * M);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j <= i && j < m; j++) c[i][j] += 1;
  SHOW("triangle", &c[0][0], N * M);
  TARGET for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) c[i][j] += 2;
  SHOW("upper triangle", &c[0][0], N * M);
  TARGET2 for (int i = 0; i < m; i++)
    for (int j = 0; j < i; j++) c[i][j] += 2;
  SHOW("collapsed triangle", &c[0][0], N * M);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int l = j; l < m; l++) c[i][j] += b[i][l];
  SHOW("inner triangle", &c[0][0], N * M);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < i % 5; j++) c[i][j] += 3;
  SHOW("variable length", &c[0][0], N * M);
  TARGET for (int i = 0; i < n; i++)
    for (int j = m - 1; j >= 0; j -= 2) c[i][j] += b[i][m - 1 - j];
  SHOW("inner loop down", &c[0][0], N * M);
  TARGET for (int i = 0; i < n; i++) {
    int j = 0;
    while (j < m) {
      c[i][j] += a[i][j];
      j += 4;
    }
    do c[i][--j % M] += 1;
    while (j > 0);
  }
  SHOW("while", &c[0][0], N * M);
  TARGET for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) c[i][j] = a[i][j];
    for (int j = 1; j < m; j++) c[i][j] += c[i][j - 1];
    for (int j = 0; j < m; j++) c[i][j] -= b[i][j];
  }
  SHOW("several inner loops, a recurrence along a row", &c[0][0], N * M);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (j > 3) c[i][j] = j * 2;
      else if (j % 2) c[i][j] = 1;
  SHOW("inner index decides", &c[0][0], N * M);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (j == 9) break;
      c[i][j] = j;
    }
  SHOW("uniform break", &c[0][0], N * M);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < 0 * m; j++) c[i][j] = 77;
  SHOW("empty inner loop", &c[0][0], N * M);
}

static void arrays(int n, int m, int k) {
  TARGET for (int i = 1; i < n - 1; i++) x[i] = y[i - 1] - 2 * y[i] + y[i + 1];
  SHOW("stencil 1", x, N);
  TARGET for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) a[i][j] = b[i][j] + b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1];
  SHOW("stencil 2", &a[0][0], N * M);
  TARGET3 for (int i = 1; i < n - 1; i++)
    for (int l = 1; l < k - 1; l++)
      for (int j = 1; j < m - 1; j++)
        u[i][l][j] = v[i - 1][l][j] + v[i + 1][l][j] + v[i][l - 1][j] + v[i][l + 1][j] + v[i][l][j - 1] + v[i][l][j + 1];
  SHOW("stencil 3", &u[0][0][0], N * K * M);
  TARGET for (int i = 2; i < n - 2; i++) f[i] = g[i - 2] + g[i + 1];
  SHOW_FLOATS("stencil of floats", f, N);
  TARGET for (int i = 0; i < n; i++) f[i + 1] = g[i + 3] * 2;
  SHOW_FLOATS("floats at odd places", f, N + 8);
  TARGET for (int i = 0; i < n; i++) f[3 * i + 1] = g[5 * i];
  SHOW_FLOATS("floats far apart", f, N * M);
  TARGET for (int i = 0; i < n; i++) f[2 * i] = g[2 * i + 1], f[2 * i + 1] = g[2 * i];
  SHOW_FLOATS("floats in pairs", f, N * M);
  TARGET for (int i = 0; i < n; i++) x[i] = f[i] + y[i];
  SHOW("floats and doubles", x, N);
  TARGET for (int i = 0; i < n; i++) f[i] = (float)(x[2 * i] * 0.5);
  SHOW_FLOATS("doubles to floats", f, N);
  TARGET for (int i = n - 1; i >= 0; i--) f[i] = g[n - 1 - i];
  SHOW_FLOATS("floats backwards", f, N);
  TARGET for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) f[i * M + j] = g[j * N + i];
  SHOW_FLOATS("floats transposed", f, N * M);
  TARGET for (int i = 0; i < n; i++) p[i].x = i, p[i].y = 2 * i, p[i].w = (float)i, p[i].h = 1;
  TARGET for (int i = 0; i < n; i++) q[i].y = p[i].x + p[i].y, q[i].h = p[i].w;
  TARGET for (int i = 0; i < n; i++) x[i] = q[i].y * q[i].h + q[i].x;
  SHOW("members", x, N);
  TARGET for (int i = 0; i < n; i++) p[i] = q[i];
  for (int i = 0; i < n; i++) x[i] = p[i].y;
  SHOW("structures", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = y[n - 1 - i] + z[2 * i] + a[i][i % 1 + 3];
  SHOW("strides", x, N);
  TARGET for (int i = 0; i < m; i++) a[i][i] = b[i][m - 1 - i];
  SHOW("diagonals", &a[0][0], N * M);
  TARGET for (int i = 0; i < n - 1; i++) x[i] = x[i + 1];
  SHOW("shift in place", x, N);
  TARGET for (int i = 0; i < n / 2; i++) x[i] = x[i + n / 2];
  SHOW("halves", x, N);
  TARGET for (int i = 0; i < n / 2; i++) x[2 * i] = x[2 * i + 1];
  SHOW("even and odd", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = x[0] + y[i] * 0;
  SHOW("one element", x + 1, N - 1);
  add_to(x, x, n), add_to(x, y, n), add_to(x + 1, x + 200, 55);
  SHOW("arguments", x, N);
  shifted(x, x, 2 * n, n), shifted(x, y, n, 3), shifted(y, y, n, 0);
  SHOW("shifted arguments", x, 2 * N);
  add_to(x, y, 0), add_to(x, y, 1), add_to(x, y, 15);
  add_to(x, y, 16), add_to(x, y, 17), add_to(x, y, 31), add_to(x, y, 33);
  SHOW("lengths", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = twice(y[i]) + polynomial(y[i]) + elsewhere(y[i]);
  SHOW("functions", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = called(y[i]);
  SHOW("function not inlined", x, N);
  TARGET for (int i = 0; i < n; i++) x[i] = factor * y[i] + table[2];
  SHOW("global variables", x, N);
  TARGET for (int i = 0; i < n; i++)
    for (int l = 0; l < 4; l++) x[i] += table[l] * y[i];
  SHOW("global array", x, N);
  double _Complex w[64], t[64];
  for (int i = 0; i < 64; i++) w[i] = i + (64 - i) * I, t[i] = 2 - i * I;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 64; i++) w[i] = w[i] * t[i] + conj(w[i]) - creal(t[i]) + cimag(w[i]) * I;
  SHOW("complex", (double *)w, 128);
  float _Complex cf[65], cg[65];
  for (int i = 0; i < 65; i++) cf[i] = (float)i + (float)(64 - i) * I, cg[i] = 2 - (float)i * I;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 65; i++) cf[i] = cf[i] * cg[i] + 1;
  SHOW_FLOATS("float complex", (float *)cf, 130);
  double _Complex cs = 0;
#pragma omp target teams distribute parallel for reduction(+ : cs)
  for (int i = 0; i < 64; i++) cs += w[i];
  printf("complex sum %.17g %.17g\n", creal(cs), cimag(cs));
  long double wide[20];
  for (int i = 0; i < 20; i++) wide[i] = i;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 20; i++) wide[i] = wide[i] * 3 + 1;
  printf("long double %.17g\n", (double)(wide[3] + wide[19]));
  char bytes[100];
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++) bytes[i] = (char)(i + 1);
  printf("bytes %d %d\n", bytes[0], bytes[99]);
  double(*row)[M] = a;
  double *heap = malloc(sizeof(double) * N * 4);
#pragma omp target teams distribute parallel for map(to : row[3 : 20]) map(from : heap[10 : 20])
  for (int i = 0; i < 20; i++) heap[i + 10] = row[i + 3][5];
  SHOW("offsets", heap + 10, 20);
#pragma omp target data map(tofrom : heap[0 : 0], x[0 : 10])
  {
#pragma omp target teams distribute parallel for map(tofrom : heap[0 : 0])
    for (int i = 0; i < 0 * n; i++) heap[i] = 1;
#pragma omp target teams distribute parallel for map(tofrom : x[2 : 5])
    for (int i = 2; i < 7; i++) x[i] += 1;
  }
  SHOW("empty section, section of a section", x, N);
  free(heap);
}

int main(void) {
  reset();
  counters(N, N, N);
  reset();
  indices(N);
  reset();
  nests(N, M, K);
  reset();
  arrays(N, M, K);
  return 0;
}
