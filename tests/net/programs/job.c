/* SPDX-License-Identifier: Apache-2.0
   job HOW STEPS BYTES: a ring of messages within this job, STEPS times; then ends in the way that HOW names. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls; /* private to each rank of each job */

int main(int argc, char** argv) {
  int rank, size, sum = 0, *universe, flag;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int steps = atoi(argv[2]), bytes = atoi(argv[3]);
  char* out = malloc((size_t)bytes + 1);
  char* in = malloc((size_t)bytes + 1);
  MPI_Comm even;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &even);
  if (strcmp(argv[1], "abort") == 0 && rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
  if (rank == 1) {
    if (strcmp(argv[1], "crash") == 0) *(volatile int*)8 = 1;
    if (strcmp(argv[1], "assert") == 0) assert(steps < 0);
    size_t (*volatile length)(const char*) = strlen;
    if (strcmp(argv[1], "crash-in-libc") == 0) return (int)length((const char*)8);
  }
  for (int i = 0; i < steps; ++i) {
    memset(out, rank + i, (size_t)bytes);
    MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + 1) % size, 1, in, bytes, MPI_CHAR, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (bytes > 0 && in[bytes - 1] != (char)((rank + size - 1) % size + i)) MPI_Abort(MPI_COMM_WORLD, 99);
    ++calls;
  }
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, even);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag);
  if (strcmp(argv[1], "deadlock") == 0 && rank == 1)
    MPI_Recv(in, 1, MPI_CHAR, 0, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) printf("%d ranks of %d, %d steps, sum %d\n", size, *universe, calls, sum);
  MPI_Finalize();
  return strcmp(argv[1], "status") == 0 && rank == size - 1 ? 4 : 0;
}
