/* SPDX-License-Identifier: Apache-2.0
 * Stores that miss L2, and then short bursts of misses, each followed by arithmetic: streams ROUNDS BURSTS STEPS. */
#include <stdio.h>
#include <stdlib.h>

enum { kWords = 1 << 20, kLine = 8, kMisses = 12 };
static long a[kWords];
int main(int argc, char **argv) {
  const int stores = atoi(argv[1]), bursts = atoi(argv[2]), steps = atoi(argv[3]);
  unsigned long sum = argc;
  for (int round = 0; round < stores; ++round)
    for (int i = 0; i < kWords; ++i) a[i] = round;
  for (int burst = 0; burst < bursts; ++burst) {
    for (int i = 0; i < kMisses; ++i) sum += a[(burst * kMisses + i) * kLine % kWords];
    for (int i = 0; i < steps; ++i) sum = sum * 5 ^ sum >> 3;
  }
  printf("%lu\n", sum);
}
