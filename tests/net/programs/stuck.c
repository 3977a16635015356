/* SPDX-License-Identifier: Apache-2.0
 * All ranks but the first, and a rank alone, compute forever, without a call. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  volatile unsigned long odd = 1;
  int me, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (me == 0) puts("begun");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  while ((me != 0 || ranks == 1) && odd != 0) odd += 2;
  MPI_Finalize();
  return 0;
}
