// SPDX-License-Identifier: Apache-2.0
// own_signal handler|raise: a rank's own use of SIGUSR1.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t handled;
static void handle(int number) { handled += number != 0; }

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    if (argc > 1 && strcmp(argv[1], "handler") == 0) signal(SIGUSR1, handle);
    raise(SIGUSR1);
    printf("handled %d\n", (int)handled);
  }
  MPI_Finalize();
  return 0;
}
