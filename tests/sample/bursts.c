/* SPDX-License-Identifier: Apache-2.0
 * Long stretches of arithmetic, each followed by a short one of some hundred dependent misses: at most 1 in 150 instructions, but a sixth of
 * the time. bursts N: N phases. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const int phases = argc > 1 ? atoi(argv[1]) : 24;
  const uint64_t words = UINT64_C(1) << 22;
  uint64_t *const table = calloc(words, sizeof *table);
  if (!table) return 2;
  uint64_t sum = 1, at = 12345;
  for (int phase = 0; phase < phases; ++phase) {
    for (int i = 0; i < 60000; ++i) sum = (sum << 3 ^ sum >> 5) + (uint64_t)i;
    for (int i = 0; i < 250; ++i) at = (at * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407) + table[at >> 42]);
  }
  printf("%llu %llu\n", (unsigned long long)sum, (unsigned long long)at);
}
