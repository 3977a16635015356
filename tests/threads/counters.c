// SPDX-License-Identifier: Apache-2.0
// Two threads write their own counters: in one line, then in lines of their own, then one counter by atomics. Prints the sums.
// The marked code is in functions, as gcc loses the registers of a marker in the function that it makes of a parallel region.
#include <stdio.h>

#include "psim.h"

enum { kTimes = 400 };
static volatile long near[8] __attribute__((aligned(64)));
static volatile long apart[16] __attribute__((aligned(64)));
static long common;

__attribute__((noinline)) static void count_near(int t) {
  PSIM_REGION_BEGIN("near", t);
  for (int i = 0; i < kTimes; i++) near[t]++;
  PSIM_REGION_END("near");
}
__attribute__((noinline)) static void count_apart(int t) {
  PSIM_REGION_BEGIN("apart", t);
  for (int i = 0; i < kTimes; i++) apart[8 * t]++;
  PSIM_REGION_END("apart");
}
__attribute__((noinline)) static void count_atomic(int t) {
  PSIM_REGION_BEGIN("atomic", t);
  for (int i = 0; i < kTimes; i++) __atomic_fetch_add(&common, 1, __ATOMIC_SEQ_CST);
  PSIM_REGION_END("atomic");
}

int main(void) {
#pragma omp parallel for num_threads(2)
  for (int t = 0; t < 2; t++) count_near(t);
#pragma omp parallel for num_threads(2)
  for (int t = 0; t < 2; t++) count_apart(t);
#pragma omp parallel for num_threads(2)
  for (int t = 0; t < 2; t++) count_atomic(t);
  printf("%ld %ld %ld\n", near[0] + near[1], apart[0] + apart[8], common);
  return 0;
}
