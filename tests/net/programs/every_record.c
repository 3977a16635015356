/* SPDX-License-Identifier: Apache-2.0
   All MPI functions that the recorder records and that move data, with sizes that differ by rank. */
#include <mpi.h>
#include <stdlib.h>

enum { kLoops = 3 };

static void messages(int rank, int ranks, char *out, char *in, MPI_Comm all, MPI_Comm half, int loop) {
  MPI_Request requests[3], persistent;
  const int right = (rank + 1) % ranks;
  MPI_Irecv(in, 100000, MPI_CHAR, MPI_ANY_SOURCE, loop, all, &requests[0]);
  MPI_Isend(out, 1000 * (loop + 1) * (loop + 1), MPI_CHAR, right, loop, all, &requests[1]);
  MPI_Iallreduce(out, in + 200000, 100, MPI_INT, MPI_SUM, half, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(out, 4, MPI_DOUBLE, rank ^ 1, 9, in, 4, MPI_DOUBLE, rank ^ 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send_init(out, 77, MPI_CHAR, right, 4, MPI_COMM_WORLD, &persistent);
  MPI_Start(&persistent);
  MPI_Recv(in, 77, MPI_CHAR, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&persistent, MPI_STATUS_IGNORE);
  MPI_Request_free(&persistent);
}

static void collectives(int rank, int ranks, char *out, char *in, MPI_Comm all, MPI_Comm half) {
  int counts[64], offsets[64], eights[64];
  for (int i = 0; i < ranks; ++i) {
    counts[i] = 100 * (i + 1);
    offsets[i] = 1000 * i * (i + 1);
    eights[i] = 8;
  }
  MPI_Bcast(out, 1000, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Reduce(out, in, 10, MPI_INT, MPI_SUM, 0, all);
  MPI_Gather(out, 10, MPI_INT, in, 10, MPI_INT, 0, half);
  MPI_Scatter(out, 10, MPI_INT, in, 10, MPI_INT, 0, half);
  MPI_Allgather(out, 10, MPI_INT, in, 10, MPI_INT, half);
  MPI_Alltoall(out, 10, MPI_INT, in, 10, MPI_INT, half);
  MPI_Allreduce(out, in, 10, MPI_INT, MPI_MAX, half);
  MPI_Allgatherv(out, counts[rank], MPI_CHAR, in, counts, offsets, MPI_CHAR, MPI_COMM_WORLD);
  MPI_Gatherv(out, counts[rank], MPI_CHAR, in, counts, offsets, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Scatterv(out, counts, offsets, MPI_CHAR, in, counts[rank], MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Alltoallv(out, eights, offsets, MPI_CHAR, in, eights, offsets, MPI_CHAR, MPI_COMM_WORLD);
  MPI_Scan(out, in, 5, MPI_INT, MPI_SUM, all);
  MPI_Exscan(out, in, 5, MPI_INT, MPI_SUM, all);
  MPI_Reduce_scatter_block(out, in, 5, MPI_INT, MPI_SUM, all);
  MPI_Reduce_scatter(out, in, eights, MPI_CHAR, MPI_BOR, MPI_COMM_WORLD);
  MPI_Barrier(half);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char *out = calloc(1, 1 << 20), *in = calloc(1, 1 << 20);
  MPI_Comm all, half;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  MPI_Comm_split(MPI_COMM_WORLD, rank & 1, 0, &half);
  for (int loop = 0; loop < kLoops; ++loop) {
    messages(rank, ranks, out, in, all, half, loop);
    collectives(rank, ranks, out, in, all, half);
  }
  MPI_Comm_free(&half);
  MPI_Comm_free(&all);
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
