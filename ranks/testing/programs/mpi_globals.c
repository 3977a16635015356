/* SPDX-License-Identifier: Apache-2.0
   MPI on global buffers: eager, rendezvous, and collectives with a user-defined reduction that reads a global. */
#include <mpi.h>
#include <stdio.h>

#define COUNT 50000

static int small_out, small_in, weight;
static double large_out[COUNT], large_in[COUNT];
static long sums[3], parts[3];
static int everyone[4096];

static void weighted(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((long*)inout)[i] += ((long*)in)[i] * (weight == 1 ? 1 : 1000);
}

int main(int argc, char** argv) {
  int me, n, wrong = 0;
  MPI_Request requests[2];
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const int left = (me + n - 1) % n, right = (me + 1) % n;

  small_out = me;
  MPI_Sendrecv(&small_out, 1, MPI_INT, right, 1, &small_in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  wrong += small_in != left;

  for (int i = 0; i < COUNT; ++i) large_out[i] = me + i;
  MPI_Irecv(large_in, COUNT, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(large_out, COUNT, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < COUNT; ++i) wrong += large_in[i] != left + i;

  weight = 1;
  for (int i = 0; i < 3; ++i) parts[i] = me + i;
  MPI_Op_create(weighted, 1, &op);
  MPI_Allreduce(parts, sums, 3, MPI_LONG, op, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) wrong += sums[i] != (long)n * (n - 1) / 2 + (long)i * n;
  MPI_Op_free(&op);

  MPI_Allgather(&me, 1, MPI_INT, everyone, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) wrong += everyone[i] != i;

  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0) printf("wrong %d\n", wrong);
  MPI_Finalize();
  return wrong != 0;
}
