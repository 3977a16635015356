// SPDX-License-Identifier: Apache-2.0
// Regions of different cost per instruction: sums of an array in L1, a walk through memory, branches that
// depend on data, and calls that spill register windows. Usage: phases [REPETITIONS = 20]
#include <psim.h>
#include <stdio.h>
#include <stdlib.h>

enum { kWords = 1 << 20, kSmall = 4096 };
static unsigned next[kWords];
static double small[kSmall];

static unsigned deep(unsigned n) { return n < 2 ? n : deep(n - 1) + (n & 1); }

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? atoi(argv[1]) : 20;
  unsigned at = 0, state = 1, odd = 0, sum = 0;
  double total = 0;
  for (unsigned i = 0; i < kWords; ++i) next[i] = (i + 40503u * 64) & (kWords - 1);
  for (int r = 0; r < repetitions; ++r) {
    PSIM_REGION_BEGIN("sum", r % 2);
    for (int pass = 0; pass < 10; ++pass)
      for (int i = 0; i < kSmall; ++i) total += small[i] + i;
    PSIM_REGION_END("sum");
    PSIM_REGION_BEGIN("walk");
    for (int i = 0; i < 3000; ++i) at = next[at];
    PSIM_REGION_END("walk");
    PSIM_REGION_BEGIN("branches");
    for (int i = 0; i < 20000; ++i) {
      state = state * 1664525u + 1013904223u;
      if (state >> 30 == 1) odd += i & 3;
    }
    PSIM_REGION_END("branches");
    PSIM_REGION_BEGIN("calls");
    for (int i = 0; i < 200; ++i) sum += deep(40);
    PSIM_REGION_END("calls");
  }
  printf("%.0f %u %u %u\n", total, at, odd, sum);
  return 3;
}
