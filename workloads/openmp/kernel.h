/* SPDX-License-Identifier: Apache-2.0
 * What the C kernels share around their loops: the argument, arrays, numbers and the result.
 *
 * All numbers are multiples of 1/8 below 4, and factors are powers of two times small integers. Sums of
 * products are then exact, in any order and with or without fused multiply-adds, and every machine gets the
 * same checksum. */
#ifndef OPENMP_KERNEL_H
#define OPENMP_KERNEL_H

#include <stdio.h>
#include <stdlib.h>

/* Returns N from the command line: a multiple of `step`. */
static inline long size_argument(int argc, char** argv, long otherwise, long step) {
  char* end = "";
  const long n = argc > 1 ? strtol(argv[1], &end, 10) : otherwise;
  if (argc <= 2 && !*end && n > 0 && n % step == 0) return n;
  fprintf(stderr, "usage: %s [N = %ld]: N is a positive multiple of %ld\n", argv[0], otherwise, step);
  exit(2);
}

/* Returns `count` doubles, all 0. */
static inline double* new_array(long count) {
  double* const array = calloc(count, sizeof(double));
  if (array) return array;
  fprintf(stderr, "no memory for %ld doubles\n", count);
  exit(1);
}

/* Returns `count` doubles with numbers that repeat after 3 * period. */
static inline double* new_numbers(long count, int period) {
  double* const x = new_array(count);
  for (long i = 0; i < count; ++i) x[i] = (double)(i % period) - period / 2 + 0.125 * (i % 3);
  return x;
}

/* Returns a weighted sum in units of 1/64, the unit of products. */
static inline long long checksum(const double* x, long count) {
  long long sum = 0;
  for (long i = 0; i < count; ++i) sum += (long long)(64 * x[i]) * (i % 5 + 1);
  return sum;
}

/* Prints the result and returns the exit status. */
static inline int report(const char* name, long n, long wrong, long long sum) {
  printf("%s n=%ld wrong=%ld checksum=%lld\n", name, n, wrong, sum);
  return wrong != 0;
}

#endif
