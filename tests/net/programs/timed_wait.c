/* SPDX-License-Identifier: Apache-2.0
   A thread of each rank waits for at most five seconds; the other one receives a message and wakes it. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int got, rank, ranks;

static void* exchange(void* none) {
  int number = 0;
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, &number, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pthread_mutex_lock(&mutex);
  got = number + 1;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&mutex);
  return none;
}

int main(int argc, char** argv) {
  int level, error = 0;
  pthread_t thread;
  struct timespec end;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pthread_create(&thread, NULL, exchange, NULL);
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 5;
  pthread_mutex_lock(&mutex);
  while (got == 0 && error == 0) error = pthread_cond_timedwait(&arrived, &mutex, &end);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  printf("rank %d: %d, error %d\n", rank, got - 1, error);
  MPI_Finalize();
  return 0;
}
