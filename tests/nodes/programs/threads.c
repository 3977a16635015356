// SPDX-License-Identifier: Apache-2.0
// Threads of a rank that call MPI one at a time (MPI_THREAD_SERIALIZED): each sends to the thread of its number on the next rank, in turns.
// With an argument all threads call at once, which is not allowed.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kRounds = 5 };
static int me, size, turn, sums[kThreads], mains;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t next = PTHREAD_COND_INITIALIZER;
static int at_once;

static void* ring(void* number) {
  const int mine = (int)(long)number;
  for (int round = 0; round < kRounds; ++round) {
    if (!at_once) {
      pthread_mutex_lock(&mutex);
      while (turn != mine) pthread_cond_wait(&next, &mutex);
    }
    int give = me * 100 + mine * 10 + round, got = -1, is_main = -1;
    MPI_Sendrecv(&give, 1, MPI_INT, (me + 1) % size, mine, &got, 1, MPI_INT, (me + size - 1) % size, mine, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    sums[mine] += got;
    MPI_Is_thread_main(&is_main);
    mains += is_main;
    if (!at_once) {
      turn = (turn + 1) % kThreads;
      pthread_cond_broadcast(&next);
      pthread_mutex_unlock(&mutex);
    }
  }
  return 0;
}

int main(int argc, char** argv) {
  int provided = 0, is_main = 0;
  at_once = argc > 1 && argv[1][0] == 'a';
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, ring, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  MPI_Is_thread_main(&is_main);
  printf("rank %d: %d %d %d %d, main %d %d, serialized %d\n", me, sums[0], sums[1], sums[2], sums[3], is_main, mains,
         provided == MPI_THREAD_SERIALIZED);
  MPI_Finalize();
}
