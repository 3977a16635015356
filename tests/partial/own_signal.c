// SPDX-License-Identifier: Apache-2.0
// own_signal handler|raise|kill|ignore [NUMBER]: a rank's own use of a signal, SIGUSR1 by default.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static void handle(int number) { handled += number != 0; }

int main(int argc, char **argv) {
  const int number = argc > 2 ? atoi(argv[2]) : SIGUSR1;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    if (strcmp(argv[1], "handler") == 0) signal(number, handle);
    if (strcmp(argv[1], "ignore") == 0) signal(number, SIG_IGN);
    if (strcmp(argv[1], "kill") == 0) kill(getpid(), number);
    raise(number);
    printf("handled %d\n", (int)handled);
  }
  MPI_Finalize();
  return 0;
}
