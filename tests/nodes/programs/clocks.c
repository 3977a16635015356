// SPDX-License-Identifier: Apache-2.0
// Prints for each rank whether clocks are global, MPI_Wtime, and the length of a sleep of 20 ms by it.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, found, *global;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &found);
  const double begin = MPI_Wtime();
  usleep(20000);
  printf("%d %d %.9f %.9f\n", rank, found && *global, begin, MPI_Wtime() - begin);
  MPI_Finalize();
}
