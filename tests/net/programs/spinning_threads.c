/* SPDX-License-Identifier: Apache-2.0
 * A thread waits in a loop, without a call, for a variable that another thread of its rank changes. First argument: "posix"
 * (that thread is made by pthread_create and runs when this one yields) or "openmp" (it runs on another host processor). */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static volatile int changed;

static void *change(void *unused) {
  changed = 1;
  return unused;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!strcmp(argv[1], "posix")) {
    pthread_t other;
    pthread_create(&other, NULL, change, NULL);
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
