// SPDX-License-Identifier: Apache-2.0
// A program with two executions of a region, for tests of dumps and reports.
#include <stdio.h>

#include "psim.h"

int main(void) {
  volatile double sum = 0;
  for (int round = 1; round <= 2; ++round) {
    PSIM_REGION_BEGIN("sum", round);
    for (int i = 0; i < 100 * round; ++i) sum += 1.0 / (i + 1);
    PSIM_REGION_END("sum");
  }
  printf("%.6f\n", sum);
  return 5;
}
