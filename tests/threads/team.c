// SPDX-License-Identifier: Apache-2.0
// OpenMP: loops of three schedules, reductions, critical sections, single, ordered, tasks, nested locks. The output does not depend on
// the number of threads.
#include <omp.h>
#include <stdio.h>

#include "psim.h"

enum { kItems = 1500 };
static double value[kItems];
static long tasks;

static long fibonacci(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a) if (n > 6)
  a = fibonacci(n - 1);
  b = fibonacci(n - 2);
#pragma omp taskwait
#pragma omp atomic
  tasks++;
  return a + b;
}

int main(void) {
  double sum = 0;
  long count = 0, order = 0, chain = 1;
  PSIM_REGION_BEGIN("team", kItems);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kItems; i++) value[i] = i * 0.25;
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : sum)
  for (int i = 0; i < kItems; i++) sum += value[i];
#pragma omp parallel for schedule(guided) ordered
  for (int i = 0; i < 40; i++) {
#pragma omp ordered
    order = order * 3 + i & 0xFFFFF;
  }
  PSIM_REGION_END("team");
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel
  {
    PSIM_REGION_BEGIN("thread", omp_get_num_threads());  // each thread begins and ends it
#pragma omp single
    count += 1000;
#pragma omp for
    for (int i = 0; i < 64; i++) {
      omp_set_lock(&lock);
      count++;
      omp_unset_lock(&lock);
    }
#pragma omp barrier
#pragma omp master
    chain = fibonacci(5);
#pragma omp critical
    value[0] += 1;
    PSIM_REGION_END("thread");
  }
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = fibonacci(10);
  printf("sum %.2f count %ld order %ld chain %ld fibonacci %ld tasks %ld all %d\n", sum, count, order, chain, result, tasks,
         value[0] == omp_get_max_threads());
  return 0;
}
