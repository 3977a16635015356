/* SPDX-License-Identifier: Apache-2.0
 * Prints sums by which the native and the simulated build are compared. All data are exact. */
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>

/* Rounds twice, whatever the compiler fuses elsewhere. */
static inline double add(double sum, double x, double weight) {
  volatile double product = x * weight;
  return sum + product;
}
static inline double sum_of(const double* x, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) sum = add(sum, x[i], (double)(i % 13 + 1));
  return sum;
}
static inline double sum_of_floats(const float* x, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) sum = add(sum, (double)x[i], (double)(i % 13 + 1));
  return sum;
}
static inline void fill(double* x, long n, long seed) {
  for (long i = 0; i < n; i++) x[i] = (double)((i * 37 + seed) % 101 - 50);
}
static inline void fill_floats(float* x, long n, long seed) {
  for (long i = 0; i < n; i++) x[i] = (float)((i * 29 + seed) % 67 - 30);
}
#define SHOW(NAME, X, N) printf("%s %.17g\n", NAME, sum_of(X, N))
#define SHOW_FLOATS(NAME, X, N) printf("%s %.17g\n", NAME, sum_of_floats(X, N))
#endif
