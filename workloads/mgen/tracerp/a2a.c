/* SPDX-License-Identifier: Apache-2.0
   All-to-all in parts: ranks form groups, as planes of a Fourier transform in three dimensions do, whose members are far
   from each other; in each group every rank sends BYTES to every rank, and computes before the next.

   Defaults: groups of 64; 4 KiB to each; 4 ms for the transforms between, less than in the other programs. */
#include "options.h"

enum { kGroup = 64 };

int MGEN_Main(int argc, char **argv) {
  const struct options o = begin(argc, argv, 4, 4096, 4000);
  const int groups = (o.ranks + kGroup - 1) / kGroup;
  MGEN_Comm group;
  MGEN_Comm_split(MGEN_COMM_WORLD, o.rank % groups, o.rank, &group);
  for (int i = 0; i < o.iterations; ++i) {
    MGEN_Alltoall(NULL, o.bytes, MGEN_BYTE, NULL, o.bytes, MGEN_BYTE, group);
    MGEN_Comp(o.gap);
  }
  return end(&o, "a2a");
}
