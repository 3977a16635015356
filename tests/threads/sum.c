// SPDX-License-Identifier: Apache-2.0
// A marked region with a team of threads: sum N.
#include <stdio.h>
#include <stdlib.h>

#include "psim.h"

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000;
  double sum = 0;
#pragma omp parallel
  sum += 0;  // the team exists before the region
  PSIM_REGION_BEGIN("sum", n);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += i / 3.0;
  PSIM_REGION_END("sum");
  printf("%g\n", sum);
}
