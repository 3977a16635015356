// SPDX-License-Identifier: Apache-2.0
// One MPI_Allgather of an int from each rank.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, ranks, all[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  if (rank == 0) printf("%d\n", all[ranks - 1]);
  MPI_Finalize();
}
