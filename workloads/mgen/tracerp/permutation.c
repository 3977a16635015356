/* SPDX-License-Identifier: Apache-2.0
   A matrix product and a transposition: ranks form a grid of p x q. In each iteration blocks of BYTES move one place left
   and one place up (a step of Cannon's product) with a block's product after each step, kSteps times; then each rank
   sends its block to the place that transposing the grid gives it, a permutation without locality.

   Defaults: 128 KiB, blocks of 128 x 128 numbers of 8 bytes; 4 ms, some 4 million multiply-adds at 1 GFlop/s a core. */
#include "options.h"

enum { kSteps = 4 };

static void swap(const struct options *o, int to, int from) {
  MGEN_Sendrecv(NULL, o->bytes, MGEN_BYTE, to, 0, NULL, o->bytes, MGEN_BYTE, from, 0, MGEN_COMM_WORLD,
                MGEN_STATUS_IGNORE);
}

int MGEN_Main(int argc, char **argv) {
  const struct options o = begin(argc, argv, 2, 131072, 4000);
  int sizes[2];
  shape(o.ranks, 2, sizes);
  const int p = sizes[0], q = sizes[1], row = o.rank / q, column = o.rank % q;
  const int left = row * q + (column + q - 1) % q, right = row * q + (column + 1) % q;
  const int up = (row + p - 1) % p * q + column, down = (row + 1) % p * q + column;
  /* Row by row in the grid of q x p. */
  const int to = column * p + row, from = o.rank % p * q + o.rank / p;
  for (int i = 0; i < o.iterations; ++i) {
    for (int step = 0; step < kSteps; ++step) {
      swap(&o, left, right);
      swap(&o, up, down);
      MGEN_Comp(o.gap);
    }
    swap(&o, to, from);
    MGEN_Comp(o.gap);
  }
  return end(&o, "permutation");
}
