// SPDX-License-Identifier: Apache-2.0
// Programs that do not end well: a deadlock, a rank that leaves early, a crash, MPI_Abort, no MPI_Finalize.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void crash(volatile int* nowhere) {
  *nowhere = 1;  // here: crash
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, word = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* mode = argc > 1 ? argv[1] : "";
  if (rank == 1 && strcmp(mode, "leave") == 0) exit(0);  // here: leave
  if (rank == 1 && strcmp(mode, "fail") == 0) exit(3);
  if (strcmp(mode, "return") == 0) return 0;
  if (rank == 1 && strcmp(mode, "crash") == 0) crash(0);
  if (rank == 1 && strcmp(mode, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 5);
  MPI_Recv(&word, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // here: deadlock
  MPI_Finalize();
  return 0;
}
