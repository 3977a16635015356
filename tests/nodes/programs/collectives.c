// SPDX-License-Identifier: Apache-2.0
// Collectives, communicators, derived types and non-blocking operations; rank 0 prints results of all.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LONG 5000

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double mine = rank + 0.5, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  static double a[LONG], b[LONG];
  for (int i = 0; i < LONG; ++i) a[i] = rank * i;
  MPI_Allreduce(a, b, LONG, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  int word = rank == 2 ? 77 : 0, most = 0, scanned = 0;
  MPI_Bcast(&word, 1, MPI_INT, 2, MPI_COMM_WORLD);
  int *all = malloc(size * sizeof(int)), *out = malloc(size * sizeof(int)), *in = malloc(size * sizeof(int));
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) out[i] = 100 * rank + i;
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Scan(&rank, &scanned, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Reduce(&rank, &most, 1, MPI_INT, MPI_MAX, 0, half);
  MPI_Comm_free(&half);

  // Every second element goes round the ring, by a rendezvous; the receive is posted first.
  MPI_Datatype spread;
  MPI_Type_vector(LONG / 2, 1, 2, MPI_DOUBLE, &spread);
  MPI_Type_commit(&spread);
  MPI_Request requests[2];
  MPI_Irecv(b, 1, spread, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(a, 1, spread, (rank + 1) % size, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Type_free(&spread);

  int flag = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  if (rank == 0)
    printf("sum %g, longest %g, word %d, last %d, exchanged %d, most %d, spread %g\n", sum, b[LONG - 1], word,
           all[size - 1], in[size - 1], most, b[LONG - 2]);
  int last = rank == size - 1 ? scanned : 0;
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &last, &last, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("sum of ranks %d\n", last);
  MPI_Finalize();
  return 0;
}
