/* SPDX-License-Identifier: Apache-2.0
 * Rank 1 waits for what nobody will change, without a call. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  volatile int stop = 0;
  int me;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0) puts("begun");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  while (me == 1 && !stop) continue;
  MPI_Finalize();
  return 0;
}
