/* SPDX-License-Identifier: Apache-2.0
 * What the kernels of this folder share: matrices by rows, of integers, so that all results are exact. Factors such as alpha
 * are multiples of 1/2. tests/openmp/definitions.py has each kernel's definition and compares the checksums. */
#ifndef OPENMP_POLYBENCH_H
#define OPENMP_POLYBENCH_H

#include "../kernel.h"

/* Returns `count` integers from -(period / 2) on, which repeat after `period`, an odd number. */
static inline double* new_integers(long count, int period) {
  double* const x = new_array(count);
  for (long i = 0; i < count; ++i) x[i] = i % period - period / 2;
  return x;
}

/* Prints the result and returns the exit status. */
static inline int result(const char* name, long n, long long sum) {
  printf("%s n=%ld checksum=%lld\n", name, n, sum);
  return 0;
}

#endif
