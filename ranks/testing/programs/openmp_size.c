/* SPDX-License-Identifier: Apache-2.0
   Returns the number of threads of a parallel region as its status. */
#include <omp.h>

#include "rank_library.h"

int main(void) {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads += 1;
  rank_sleep(1000000);
  return threads;
}
