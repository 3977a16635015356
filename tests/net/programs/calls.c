/* SPDX-License-Identifier: Apache-2.0 */
/* One call of each kind that a timeline distinguishes; 4 ranks. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, flag, value = 7, got = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;

  /* Blocking, eager and by rendezvous. */
  char *big = calloc(1, 1 << 20);
  if (rank == 0) {
    MPI_Send(&value, 1, MPI_INT, 1, 11, MPI_COMM_WORLD);
    MPI_Send(big, 1 << 20, MPI_BYTE, 1, 12, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(big, 1 << 20, MPI_BYTE, 0, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  /* Non-blocking, on a communicator with reversed ranks; freed before the end. */
  MPI_Comm turned;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
  char *other = calloc(1, 1 << 18);
  MPI_Request requests[2];
  MPI_Irecv(other, 1 << 18, MPI_BYTE, size - 1 - left, 21, turned, &requests[0]);
  MPI_Isend(big, 1 << 18, MPI_BYTE, size - 1 - right, 21, turned, &requests[1]);
  MPI_Comm_free(&turned);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

  /* Blocking and non-blocking collectives. */
  int sum;
  MPI_Request reduction;
  MPI_Bcast(big, 1000, MPI_BYTE, 2, MPI_COMM_WORLD);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &reduction);
  MPI_Wait(&reduction, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);

  /* A cancelled receive. */
  MPI_Irecv(&got, 1, MPI_INT, left, 31, MPI_COMM_WORLD, &requests[0]);
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Iprobe(left, 32, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  if (sum != size * (size - 1) / 2) abort();
  free(big);
  free(other);
  MPI_Finalize();
  return 0;
}
