/* SPDX-License-Identifier: Apache-2.0
   Each rank gives itself as the root of a collective. Argument 1 names the collective, argument 2 is the length in bytes. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int me, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int bytes = atoi(argv[2]);
  char *given = calloc(1, (size_t)bytes), *taken = calloc((size_t)size, (size_t)bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(given, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (strcmp(argv[1], "bcast") == 0)
    MPI_Bcast(given, bytes, MPI_CHAR, me, MPI_COMM_WORLD);
  else
    MPI_Scatter(taken, bytes, MPI_CHAR, given, bytes, MPI_CHAR, me, MPI_COMM_WORLD);
  MPI_Finalize();
  free(given);
  free(taken);
  return 0;
}
