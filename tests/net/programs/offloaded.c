/* SPDX-License-Identifier: Apache-2.0
   Rank r enters a collective r us after the others, which entered together. Prints the time in ns from the last entry (for
   a broadcast: the root's) until each rank left, and whether the result is right. Needs mpi.wtime = 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void MGEN_Comp(double seconds);

int main(int argc, char** argv) {
  int rank, size, right = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* what = argv[1];
  const int count = atoi(argv[2]), root = size - 1;
  int* data = malloc((size_t)count * sizeof(int) + 1);
  int* sum = calloc((size_t)count + 1, sizeof(int));
  for (int i = 0; i < count; ++i) data[i] = rank + i;
  double begin = MPI_Wtime(), end;
  MPI_Allreduce(MPI_IN_PLACE, &begin, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  begin += 100e-6;
  MGEN_Comp(begin - MPI_Wtime() + rank * 1e-6);
  if (strcmp(what, "barrier") == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(what, "ibarrier") == 0) { /* it advances while no rank is in a call */
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MGEN_Comp(1e-3);
    end = MPI_Wtime();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    right = MPI_Wtime() == end;
  }
  if (strcmp(what, "bcast") == 0) MPI_Bcast(data, count, MPI_INT, root, MPI_COMM_WORLD);
  if (strcmp(what, "reduce") == 0) MPI_Reduce(data, sum, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  if (strcmp(what, "allreduce") == 0) MPI_Allreduce(data, sum, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  end = MPI_Wtime();
  for (int i = 0; i < count; ++i) {
    if (strcmp(what, "bcast") == 0) right &= data[i] == root + i;
    if (strcmp(what, "allreduce") == 0 || (strcmp(what, "reduce") == 0 && rank == root))
      right &= sum[i] == size * (size - 1) / 2 + i * size;
  }
  printf("%d %.0f %s\n", rank, (end - begin) * 1e9 - (size - 1) * 1e3, right ? "right" : "WRONG");
  MPI_Finalize();
  return 0;
}
