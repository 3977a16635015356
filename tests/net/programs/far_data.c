/* SPDX-License-Identifier: Apache-2.0
   Messages with data of 1 byte to 4 MB around a ring: parcels between host processes of every size. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  unsigned long sum = 0;
  for (int size = 1; size <= 4000000; size = size * 7 + 1) {
    unsigned char *out = malloc((size_t)size), *in = malloc((size_t)size);
    for (int i = 0; i < size; ++i) out[i] = (unsigned char)(i * 31 + rank + size);
    MPI_Sendrecv(out, size, MPI_BYTE, right, 0, in, size, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; ++i) {
      if (in[i] != (unsigned char)(i * 31 + left + size)) printf("rank %d: byte %d of %d is wrong\n", rank, i, size);
      sum = sum * 31 + in[i];
    }
    free(out);
    free(in);
  }
  printf("rank %d: %lx\n", rank, sum);
  MPI_Finalize();
  return 0;
}
