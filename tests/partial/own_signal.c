// SPDX-License-Identifier: Apache-2.0
// own_signal handler|raise|kill|pthread_kill|ignore|timer|child [NUMBER]: a rank's own use of a signal, SIGUSR1 by default.
// timer: ranks exchange messages until the timer of rank 0 ends the run. child: a timer ends a child of rank 0.
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static void handle(int number) { handled += number != 0; }

int main(int argc, char **argv) {
  const int number = argc > 2 ? atoi(argv[2]) : SIGUSR1;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(argv[1], "timer") == 0) {
    const struct itimerval soon = {{0, 100000}, {0, 700000}};
    if (rank == 0) setitimer(ITIMER_REAL, &soon, NULL);
    for (;;) MPI_Barrier(MPI_COMM_WORLD);
  }
  if (strcmp(argv[1], "child") == 0 && rank == 0) {
    int how = 0;
    if (fork() == 0) {
      alarm(1);
      for (;;) pause();
    }
    wait(&how);
    printf("child %d\n", WTERMSIG(how));
  } else if (rank == 0) {
    if (strcmp(argv[1], "handler") == 0) signal(number, handle);
    if (strcmp(argv[1], "ignore") == 0) signal(number, SIG_IGN);
    if (strcmp(argv[1], "kill") == 0) kill(getpid(), number);
    if (strcmp(argv[1], "pthread_kill") == 0) pthread_kill(pthread_self(), number);
    raise(number);
    printf("handled %d\n", (int)handled);
  }
  MPI_Finalize();
  return 0;
}
