// SPDX-License-Identifier: Apache-2.0
// Two regions whose work is known. Usage: work N M
//   rows(n, m)   m sums of n elements, twice
//   triangle(n)  n (n + 1) / 2 multiply-adds
#include <stdlib.h>

#include "psim.h"

static double data[4096];

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int n = atoi(argv[1]), m = atoi(argv[2]);
  volatile double sink = 0;
  for (int repeat = 0; repeat < 2; ++repeat) {
    PSIM_REGION_BEGIN("rows", n, m);
    for (int j = 0; j < m; ++j) {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += data[i];
      sink = sum;
    }
    PSIM_REGION_END("rows");
  }
  PSIM_REGION_BEGIN("triangle", n);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) sum += data[j] * data[i];
  sink = sum;
  PSIM_REGION_END("triangle");
  (void)sink;
  return n == 13;  // to test a point that fails
}
