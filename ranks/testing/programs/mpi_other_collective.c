/* SPDX-License-Identifier: Apache-2.0
   The first rank calls another collective than the other ranks; no call waits for a missing message. */
#include <mpi.h>

int main(int argc, char** argv) {
  int me, a = 0, b = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0)
    MPI_Bcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Reduce(&a, &b, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
