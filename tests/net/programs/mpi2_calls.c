/* SPDX-License-Identifier: Apache-2.0
   Functions of MPI-2 that move data or make communicators, on 4 ranks. Recorded by SST's libdumpi as
   workloads/traces/calls.meta. */
#include <mpi.h>

static double a[4096], b[65536];

static void messages(int rank, int ranks, MPI_Comm all, MPI_Comm grid) {
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  MPI_Datatype pair, row;
  MPI_Request requests[2];
  MPI_Status status, both[2];
  int index, some[2], count, done = 0;
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Sendrecv(a, 100, pair, right, 3, b, 200, MPI_DOUBLE, left, 3, all, MPI_STATUS_IGNORE);
  MPI_Type_free(&pair);
  MPI_Type_vector(10, 3, 100, MPI_INT, &row); /* may take the handle of the first one */
  MPI_Type_commit(&row);
  MPI_Sendrecv_replace(a, 1, row, right, 4, left, 4, grid, MPI_STATUS_IGNORE);
  MPI_Type_free(&row);

  MPI_Irecv(b, 65536, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, all, &requests[0]);
  MPI_Isend(a, 1000 * (rank + 1), MPI_CHAR, right, 5, all, &requests[1]);
  MPI_Waitall(2, requests, both);
  MPI_Send_init(a, 10, MPI_DOUBLE, right, 6, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(b, 10, MPI_DOUBLE, left, 6, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Irecv(b, 10, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(a, 10, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitany(2, requests, &index, &status);
  MPI_Waitany(2, requests, &index, &status);
  MPI_Irecv(b, 10, MPI_DOUBLE, left, 8, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(a, 10, MPI_DOUBLE, right, 8, MPI_COMM_WORLD, &requests[1]);
  for (int left_over = 2; left_over > 0; left_over -= count) MPI_Waitsome(2, requests, &count, some, both);
  MPI_Irecv(b, 10, MPI_DOUBLE, left, 9, MPI_COMM_WORLD, &requests[0]);
  MPI_Ssend(a, 10, MPI_DOUBLE, right, 9, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  while (!done) MPI_Test(&requests[0], &done, &status);
  MPI_Send(a, 10, MPI_DOUBLE, MPI_PROC_NULL, 9, MPI_COMM_WORLD);
  MPI_Recv(b, 10, MPI_DOUBLE, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &status);
  MPI_Irecv(b, 10, MPI_DOUBLE, left, 99, MPI_COMM_WORLD, &requests[0]); /* never sent */
  MPI_Cancel(&requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Send(a, 4, MPI_BYTE, 1, 1, all);
  if (rank == 1) {
    MPI_Probe(0, 1, all, &status);
    MPI_Recv(b, 4, MPI_BYTE, MPI_ANY_SOURCE, 1, all, &status);
  }
  MPI_Isend(a, 3, MPI_INT, 0, 2, MPI_COMM_SELF, &requests[0]);
  MPI_Recv(b, 3, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void collectives(int rank, int ranks, MPI_Comm all, MPI_Comm half, MPI_Comm column, MPI_Comm some) {
  int counts[64], each[64], offsets[64];
  for (int i = 0; i < ranks; ++i) {
    counts[i] = 10 * (i + 1);
    each[i] = 8;
    offsets[i] = 100 * i;
  }
  MPI_Bcast(a, 50, MPI_DOUBLE, 1, half);
  MPI_Reduce(a, b, 50, MPI_DOUBLE, MPI_SUM, 0, column);
  MPI_Allreduce(a, b, 50, MPI_DOUBLE, MPI_SUM, half);
  MPI_Allreduce(MPI_IN_PLACE, b, 60, MPI_DOUBLE, MPI_SUM, all);
  MPI_Scan(a, b, 50, MPI_DOUBLE, MPI_SUM, all);
  MPI_Exscan(a, b, 50, MPI_DOUBLE, MPI_SUM, all);
  MPI_Gather(a, 50, MPI_DOUBLE, b, 50, MPI_DOUBLE, 0, all);
  MPI_Scatter(b, 50, MPI_DOUBLE, a, 50, MPI_DOUBLE, 0, all);
  MPI_Allgather(a, 50, MPI_DOUBLE, b, 50, MPI_DOUBLE, all);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 40, MPI_DOUBLE, all);
  MPI_Alltoall(a, 50, MPI_DOUBLE, b, 50, MPI_DOUBLE, all);
  MPI_Gatherv(a, counts[rank], MPI_DOUBLE, b, counts, offsets, MPI_DOUBLE, 1, all);
  MPI_Scatterv(b, counts, offsets, MPI_DOUBLE, a, counts[rank], MPI_DOUBLE, 1, all);
  MPI_Allgatherv(a, counts[rank], MPI_DOUBLE, b, counts, offsets, MPI_DOUBLE, all);
  MPI_Alltoallv(a, each, offsets, MPI_DOUBLE, b, each, offsets, MPI_DOUBLE, all);
  MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, all);
  if (some != MPI_COMM_NULL) MPI_Bcast(a, 300, MPI_INT, 0, some);
  MPI_Barrier(all);
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int shape[2] = {2, ranks / 2}, periods[2] = {1, 1}, keep[2] = {1, 0}, list[2] = {2, 0};
  MPI_Comm all, half, grid, column, some;
  MPI_Group world, pair;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  MPI_Comm_split(all, rank % 2, -rank, &half);
  MPI_Cart_create(MPI_COMM_WORLD, 2, shape, periods, 0, &grid);
  MPI_Cart_sub(grid, keep, &column);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, list, &pair);
  MPI_Comm_create(MPI_COMM_WORLD, pair, &some);
  messages(rank, ranks, all, grid);
  collectives(rank, ranks, all, half, column, some);
  MPI_Comm_free(&half);
  MPI_Comm_split(all, rank < 3 ? 0 : MPI_UNDEFINED, rank, &half); /* may take the handle of the first one */
  if (half != MPI_COMM_NULL) {
    MPI_Allreduce(a, b, 20, MPI_DOUBLE, MPI_SUM, half);
    MPI_Comm_free(&half);
  }
  MPI_Finalize();
  return 0;
}
