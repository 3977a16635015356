/* SPDX-License-Identifier: Apache-2.0
   All-to-all as an MGEN program, by its own loop of pairwise exchanges or by MGEN_Alltoall.

       psim-cc -O2 -o alltoall alltoall.c
       psim net -n 1024 ./alltoall 4 pairwise
       psim net -n 1024 ./alltoall 4 collective        # by the algorithm that the library chooses
*/
#include <mgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int MGEN_Main(int argc, char** argv) {
  MGEN_Init(&argc, &argv);
  int rank, ranks;
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  const int bytes = argc > 1 ? atoi(argv[1]) : 4;
  const int collective = argc > 2 && strcmp(argv[2], "collective") == 0;
  MGEN_Barrier(MGEN_COMM_WORLD);
  const double begin = MGEN_Wtime();
  if (collective) {
    MGEN_Alltoall(NULL, bytes, MGEN_BYTE, NULL, bytes, MGEN_BYTE, MGEN_COMM_WORLD);
  } else {
    for (int step = 1; step < ranks; ++step)
      MGEN_Sendrecv(NULL, bytes, MGEN_BYTE, (rank + step) % ranks, 0, NULL, bytes, MGEN_BYTE, (rank + ranks - step) % ranks, 0,
                    MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
  }
  const double mine = MGEN_Wtime() - begin;
  MGEN_Barrier(MGEN_COMM_WORLD);
  const double all = MGEN_Wtime() - begin;
  if (rank == 0)
    printf("all-to-all of %d ranks, %d bytes each: %.3f us on rank 0, %.3f us until all were done\n", ranks, bytes, mine * 1e6,
           all * 1e6);
  MGEN_Finalize();
  return 0;
}
