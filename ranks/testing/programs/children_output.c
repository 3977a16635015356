/* SPDX-License-Identifier: Apache-2.0
   The output of children is their rank's, in order. Argument "mpi": a copy calls MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void in_the_end(void) { printf("the copy ends\n"); }

int main(int argc, char** argv) {
  int me, status = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 1) {
    printf("before\n");
    const pid_t child = fork();
    if (child == 0) {
      atexit(in_the_end);
      printf("in the copy\n");
      if (argc > 1 && strcmp(argv[1], "mpi") == 0) MPI_Send(&me, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
      if (argc > 1 && strcmp(argv[1], "wtime") == 0) MPI_Wtime();
      exit(0);
    }
    waitpid(child, &status, 0);
    printf("status %d\n", WEXITSTATUS(status));
    if (system("echo spoken; echo loudly >&2") != 0) printf("no shell\n");
    printf("after\n");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
