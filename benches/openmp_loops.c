/* SPDX-License-Identifier: Apache-2.0
 * Target loops for openmp_choice.py: short ones, arrays of structures, nests with short inner loops, much and little work for
 * each element, data in each cache and in memory. */
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static void

enum { LARGE = 1 << 20, SOME = 4000, FEW = 48 };
static double a[LARGE], b[LARGE], c[LARGE];
static float f[SOME], g[SOME];
static double m[256][256], v[256], w[256];
struct particle {
  double x, y, z, vx, vy, vz, mass, charge;
};
static struct particle p[3000];
struct pair {
  double re, im;
};
static struct pair q[3000];
static double narrow[2000][6], sums[2000];

/* The loops for N elements, each with a name of its own. */
#define TARGET(CLAUSES) _Pragma(TEXT(omp target teams distribute parallel for CLAUSES))
#define TEXT(...) #__VA_ARGS__
#define OVER(N) for (long i = 0; i < (N); i++)
#define LOOPS(N)                                                                                                    \
  KERNEL fill_##N(double *restrict x) { TARGET(map(from : x[0:N])) OVER(N) x[i] = 1; }                              \
  KERNEL scale_##N(double *restrict x) { TARGET(map(tofrom : x[0:N])) OVER(N) x[i] *= 1.0009765625; }               \
  KERNEL triad_##N(double *restrict x, const double *restrict y, const double *restrict z) {                        \
    TARGET(map(from : x[0:N]) map(to : y[0:N], z[0:N])) OVER(N) x[i] = y[i] + 3 * z[i];                             \
  }                                                                                                                 \
  KERNEL polynomial_##N(double *restrict x, const double *restrict y) {                                             \
    TARGET(map(from : x[0:N]) map(to : y[0:N])) OVER(N) {                                                           \
      const double t = y[i] * 0x1p-21;                                                                              \
      x[i] = ((((((((t * .5 + 1) * t + .25) * t + 2) * t + .125) * t + 1) * t + 3) * t + .75) * t + 1) * t;          \
    }                                                                                                               \
  }                                                                                                                 \
  KERNEL quotients_##N(double *restrict x, const double *restrict y) {                                              \
    TARGET(map(from : x[0:N]) map(to : y[0:N])) OVER(N) x[i] = (y[i] + 1) / (y[i] + 3);                             \
  }                                                                                                                 \
  KERNEL clamp_##N(double *restrict x, const double *restrict y) {                                                  \
    TARGET(map(from : x[0:N]) map(to : y[0:N])) OVER(N) x[i] = y[i] > 500 ? 500 : y[i] < 20 ? 20 - y[i] : y[i];     \
  }                                                                                                                 \
  KERNEL neighbours_##N(double *restrict x, const double *restrict y) {                                             \
    TARGET(map(tofrom : x[0:N]) map(to : y[0:N + 1]))                                                               \
    for (long i = 1; i < N; i++) x[i] = 0.25 * y[i - 1] + 0.5 * y[i] + 0.25 * y[i + 1];                             \
  }                                                                                                                 \
  KERNEL iterate_##N(double *restrict x) {                                                                          \
    TARGET(map(tofrom : x[0:N])) OVER(N) {                                                                          \
      double t = x[i] * 0x1p-22;                                                                                    \
      for (int k = 0; k < 40; k++) t = t * (1 - t) + 0.25 * t;                                                      \
      x[i] = t;                                                                                                     \
    }                                                                                                               \
  }                                                                                                                 \
  __attribute__((noinline)) static double dot_##N(const double *x, const double *y) {                               \
    double s = 0;                                                                                                   \
    TARGET(map(to : x[0:N], y[0:N]) reduction(+ : s)) OVER(N) s += x[i] * y[i];                                     \
    return s;                                                                                                       \
  }                                                                                                                 \
  __attribute__((noinline)) static double largest_##N(const double *x) {                                            \
    double s = -1;                                                                                                  \
    TARGET(map(to : x[0:N]) reduction(max : s)) OVER(N) s = x[i] > s ? x[i] : s;                                    \
    return s;                                                                                                       \
  }                                                                                                                 \
  static double all_##N(void) {                                                                                     \
    fill_##N(a), scale_##N(a), triad_##N(a, b, c), polynomial_##N(a, b), quotients_##N(a, b), clamp_##N(a, b);      \
    neighbours_##N(a, b), iterate_##N(a);                                                                           \
    return dot_##N(b, c) + largest_##N(b);                                                                          \
  }
LOOPS(12)
LOOPS(50)
LOOPS(300)
LOOPS(2000)
LOOPS(16000)
LOOPS(100000)

KERNEL triad_long(void) {
#pragma omp target teams distribute parallel for map(from : a) map(to : b, c)
  for (long i = 0; i < LARGE; i++) a[i] = b[i] + 3 * c[i];
}
KERNEL copy_long(void) {
#pragma omp target teams distribute parallel for map(from : a) map(to : b)
  for (long i = 0; i < LARGE; i++) a[i] = b[i];
}
KERNEL floats(void) {
#pragma omp target teams distribute parallel for map(to : f) map(tofrom : g)
  for (int i = 0; i < SOME; i++) g[i] = g[i] * 0.5f + f[i];
}
KERNEL push(void) {
#pragma omp target teams distribute parallel for map(tofrom : p)
  for (int i = 0; i < 3000; i++) p[i].x += 0.5 * p[i].vx, p[i].y += 0.5 * p[i].vy, p[i].z += 0.5 * p[i].vz;
}
KERNEL energies(double *restrict e) {
#pragma omp target teams distribute parallel for map(to : p) map(from : e[0 : 3000])
  for (int i = 0; i < 3000; i++) e[i] = p[i].mass * (p[i].vx * p[i].vx + p[i].vy * p[i].vy + p[i].vz * p[i].vz);
}
KERNEL charges(void) {
#pragma omp target teams distribute parallel for map(tofrom : p)
  for (int i = 0; i < 3000; i++) p[i].charge = 2;
}
KERNEL squares(void) {
#pragma omp target teams distribute parallel for map(tofrom : q)
  for (int i = 0; i < 3000; i++) {
    const double re = q[i].re * q[i].re - q[i].im * q[i].im;
    q[i].im = 2 * q[i].re * q[i].im, q[i].re = re;
  }
}
KERNEL rows_of_six(void) {
#pragma omp target teams distribute parallel for map(to : narrow) map(from : sums)
  for (int i = 0; i < 2000; i++) {
    double t = 0;
    for (int j = 0; j < 6; j++) t += narrow[i][j];
    sums[i] = t;
  }
}
KERNEL some_of_six(int n) {
#pragma omp target teams distribute parallel for map(to : narrow) map(from : sums)
  for (int i = 0; i < 2000; i++) {
    double t = 1;
    for (int j = 0; j < n; j++) t *= narrow[i][j];
    sums[i] = t;
  }
}
KERNEL matrix_vector(int n) {
#pragma omp target teams distribute parallel for map(to : m, v) map(tofrom : w)
  for (int i = 0; i < n; i++) {
    double t = 0;
    for (int j = 0; j < n; j++) t += m[i][j] * v[j];
    w[i] = t;
  }
}
KERNEL vector_matrix(int n) {
#pragma omp target teams distribute parallel for map(to : m, v) map(tofrom : w)
  for (int j = 0; j < n; j++) {
    double t = 0;
    for (int i = 0; i < n; i++) t += v[i] * m[i][j];
    w[j] = t;
  }
}
KERNEL product(int n, double (*restrict x)[64], double (*restrict y)[64], double (*restrict z)[64]) {
#pragma omp target teams distribute parallel for map(from : x[0 : n]) map(to : y[0 : n], z[0 : n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double t = 0;
      for (int k = 0; k < n; k++) t += y[i][k] * z[k][j];
      x[i][j] = t;
    }
}
static double series(int n) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += 0.5 * i + 1;
  return s;
}

int main(void) {
  double s = 0;
  for (int i = 0; i < LARGE; i++) b[i] = i % 1009, c[i] = i % 13;
  for (int i = 0; i < SOME; i++) f[i] = (float)(i % 9), g[i] = 1;
  for (int i = 0; i < 3000; i++) {
    p[i] = (struct particle){i, 1, 2, i % 3, i % 4, 1, 2, 3};
    q[i] = (struct pair){(i % 7) * 0.125, (i % 5) * 0.125};
  }
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 6; j++) narrow[i][j] = 1 + (i + j) % 2;
  for (int i = 0; i < 256; i++)
    for (int j = 0; j < 256; j++) m[i][j] = (i + j) % 5, v[i] = i % 3;
  s += all_12() + all_50() + all_300() + all_2000() + all_16000() + all_100000();
  floats(), push(), energies(a), charges(), squares(), rows_of_six(), some_of_six(3), some_of_six(6);
  matrix_vector(FEW), vector_matrix(FEW), matrix_vector(256), vector_matrix(256), s += series(20) + series(20000);
  product(64, (double(*)[64])a, (double(*)[64])b, (double(*)[64])c);
  triad_long(), copy_long();
  for (int i = 0; i < 4000; i++) s += a[i] * (i % 7) + g[i] + (i < 3000 ? p[i].x + q[i].im : 0) + (i < 2000 ? sums[i] : 0);
  printf("%.12g %.12g\n", s, w[5]);
}
