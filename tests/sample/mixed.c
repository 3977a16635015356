/* SPDX-License-Identifier: Apache-2.0
 * Pieces of some hundred to some thousand instructions, either of divisions or of additions: mixed PIECES. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  unsigned random = argc, sum = 1;
  for (int piece = atoi(argv[1]); piece > 0; --piece) {
    random = random * 1664525u + 1013904223u;
    const int steps = 100 + (random >> 8) % 1000;
    if (random >> 31)
      for (int i = 0; i < steps; ++i) sum = 4000000000u / (sum | 1) + i;
    else
      for (int i = 0; i < steps; ++i) sum = (sum + i) ^ sum >> 1;
  }
  printf("%u\n", sum);
}
