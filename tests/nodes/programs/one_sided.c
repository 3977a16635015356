// SPDX-License-Identifier: Apache-2.0
// Puts, gets, accumulates and atomic operations with fences and locks.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static double window[3000];
  static double sent[3000];
  for (int i = 0; i < 3000; ++i) sent[i] = 1000 * rank + i;
  MPI_Win win;
  MPI_Win_create(window, sizeof window, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(sent, 2900, MPI_DOUBLE, (rank + 1) % size, 50, 2900, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  double got = 0;
  MPI_Get(&got, 1, MPI_DOUBLE, (rank + 2) % size, 2949, 1, MPI_DOUBLE, win);
  MPI_Accumulate(sent, 10, MPI_DOUBLE, 0, 0, 10, MPI_DOUBLE, MPI_SUM, win);
  MPI_Win_fence(0, win);
  if (rank == 0) printf("put %g, got %g, sum %g\n", window[2949], got, window[9]);
  MPI_Win_free(&win);

  long* counter;
  MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
  *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  long one = 1, old, sum = 0, compare = size * 3L, swapped = -1, after = 42;
  for (int i = 0; i < 3; ++i) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, 0, MPI_SUM, win);
    MPI_Win_unlock(0, win);
    sum += old;
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == size - 1) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Compare_and_swap(&after, &compare, &swapped, MPI_LONG, 0, 0, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("counter %ld, sum of old values %ld\n", *counter, sum);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
