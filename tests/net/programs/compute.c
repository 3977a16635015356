/* SPDX-License-Identifier: Apache-2.0
   Rank 0 computes for 10 ms and sends a word to rank 1. Prints the time of the computation and of the word's arrival. */
#include <mgen.h>
#include <stdio.h>

int MGEN_Main(int argc, char** argv) {
  MGEN_Init(&argc, &argv);
  int rank;
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  const double begin = MGEN_Wtime();
  if (rank == 0) {
    MGEN_Comp(0.01);
    printf("computed for %.9f s\n", MGEN_Wtime() - begin);
    MGEN_Send(NULL, 4, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD);
  } else if (rank == 1) {
    MGEN_Recv(NULL, 4, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    printf("came at %.9f s\n", MGEN_Wtime());
  }
  MGEN_Finalize();
  return 0;
}
