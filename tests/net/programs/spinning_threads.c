/* SPDX-License-Identifier: Apache-2.0
 * A thread waits in a loop, without a call, for a variable that another thread of its rank changes. First argument: "posix"
 * (that thread is made by pthread_create and runs when this one yields), "sleep" (it first sleeps for 20 ms), "message" (it first
 * receives a message that rank 0 sends after 20 ms), "never" (it waits without end) or "openmp" (it runs on another host processor). */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile int changed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *change(void *how) {
  if (!strcmp(how, "sleep")) usleep(20000);
  if (!strcmp(how, "never")) {
    pthread_mutex_lock(&mutex);
    while (!changed) pthread_cond_wait(&condition, &mutex);
  }
  if (!strcmp(how, "message")) MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  changed = 1;
  return NULL;
}

int main(int argc, char **argv) {
  int rank, ranks, level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (strcmp(argv[1], "openmp") != 0) {
    pthread_t other;
    pthread_create(&other, NULL, change, argv[1]);
    if (!strcmp(argv[1], "message") && rank == 0) {
      usleep(20000);
      for (int to = 0; to < ranks; ++to) MPI_Send(NULL, 0, MPI_INT, to, 0, MPI_COMM_WORLD);
    }
    while (!changed) continue;
    pthread_join(other, NULL);
  } else {
#pragma omp parallel num_threads(2)
    {
      int me = 0;
#ifdef _OPENMP
      extern int omp_get_thread_num(void);
      me = omp_get_thread_num();
#endif
      if (me == 0)
        while (!changed) continue;
      else {
        for (volatile long i = 0; i < 100000000; ++i) continue;
        changed = 1;
      }
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("changed");
  MPI_Finalize();
  return 0;
}
