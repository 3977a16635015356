/* SPDX-License-Identifier: Apache-2.0
   Collectives as in first-principles molecular dynamics (Qbox): ranks form a grid of columns, each with the plane waves
   of some states. In each iteration every column transposes for its Fourier transforms (an all-to-all of BYTES in all),
   sums a matrix of the states over the row (an all-reduction), and sends a block of states along the row (a broadcast).

   Defaults: 64 KiB of plane waves a rank, 16 KiB of a matrix; 12 ms for the transforms and products of a step. */
#include "options.h"

int MGEN_Main(int argc, char **argv) {
  const struct options o = begin(argc, argv, 5, 65536, 12000);
  int sizes[2];
  shape(o.ranks, 2, sizes);
  /* Neighbouring ranks are of one column: it fills nodes. */
  const int height = sizes[0] < sizes[1] ? sizes[0] : sizes[1];
  MGEN_Comm column, row;
  MGEN_Comm_split(MGEN_COMM_WORLD, o.rank / height, o.rank, &column);
  MGEN_Comm_split(MGEN_COMM_WORLD, o.rank % height, o.rank, &row);
  const int each = o.bytes / height, matrix = o.bytes / 4 / 8;
  for (int i = 0; i < o.iterations; ++i) {
    MGEN_Alltoall(NULL, each, MGEN_BYTE, NULL, each, MGEN_BYTE, column);
    MGEN_Comp(o.gap / 2);
    MGEN_Allreduce(NULL, NULL, matrix, MGEN_DOUBLE, MGEN_SUM, row);
    MGEN_Bcast(NULL, matrix, MGEN_DOUBLE, 0, row);
    MGEN_Comp(o.gap / 2);
    MGEN_Allreduce(NULL, NULL, 1, MGEN_DOUBLE, MGEN_SUM, MGEN_COMM_WORLD);
  }
  return end(&o, "qbox");
}
