/* SPDX-License-Identifier: Apache-2.0
   An ordinary MPI program whose output depends on every byte that travels: eager, rendezvous, a reduction. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int calls; /* a private global of each rank */

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int n = 1; n <= 1 << 18; n <<= 6) {
    int* out = malloc(n * sizeof(int));
    int* in = malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i) out[i] = rank * 1000003 + i;
    MPI_Sendrecv(out, n, MPI_INT, (rank + 1) % ranks, n, in, n, MPI_INT, (rank + ranks - 1) % ranks, n, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i)
      if (in[i] != (rank + ranks - 1) % ranks * 1000003 + i) MPI_Abort(MPI_COMM_WORLD, 9);
    ++calls;
    free(out);
    free(in);
  }
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d of %d: sum %d, %d exchanges\n", rank, ranks, sum, calls);
  MPI_Finalize();
  return 0;
}
