/* SPDX-License-Identifier: Apache-2.0
   A stencil on a periodic lattice of four dimensions, as in quantum chromodynamics: each rank exchanges a face of BYTES
   with its eight neighbours, then computes; each iteration ends with a sum of one number.

   Defaults: 64 KiB, a face of 8^3 sites with 16 numbers of 8 bytes; 10 ms for the 8^4 sites behind it. */
#include "options.h"

int MGEN_Main(int argc, char **argv) {
  const struct options o = begin(argc, argv, 5, 65536, 10000);
  int sizes[4], periods[4] = {1, 1, 1, 1};
  shape(o.ranks, 4, sizes);
  MGEN_Comm grid;
  MGEN_Cart_create(MGEN_COMM_WORLD, 4, sizes, periods, 0, &grid);
  for (int i = 0; i < o.iterations; ++i) {
    MGEN_Request requests[16];
    for (int d = 0; d < 4; ++d) {
      int below, above;
      MGEN_Cart_shift(grid, d, 1, &below, &above);
      MGEN_Irecv(NULL, o.bytes, MGEN_BYTE, below, 2 * d, grid, &requests[4 * d]);
      MGEN_Irecv(NULL, o.bytes, MGEN_BYTE, above, 2 * d + 1, grid, &requests[4 * d + 1]);
      MGEN_Isend(NULL, o.bytes, MGEN_BYTE, above, 2 * d, grid, &requests[4 * d + 2]);
      MGEN_Isend(NULL, o.bytes, MGEN_BYTE, below, 2 * d + 1, grid, &requests[4 * d + 3]);
    }
    MGEN_Waitall(16, requests, MGEN_STATUSES_IGNORE);
    MGEN_Comp(o.gap);
    MGEN_Allreduce(NULL, NULL, 1, MGEN_DOUBLE, MGEN_SUM, MGEN_COMM_WORLD);
  }
  return end(&o, "stencil4d");
}
