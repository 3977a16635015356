// SPDX-License-Identifier: Apache-2.0
// Rank 0 sends messages of the given sizes to the last rank. Both print when their calls begin and end, in ns of
// MPI_Wtime, whose origin is the same on all nodes.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

// Its name is that of a type for a C++ demangler.
__attribute__((noinline)) static void f(int rank, int ranks, int tag, int bytes) {
  char* data = calloc(bytes + 1, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, ranks - 1, tag, MPI_COMM_WORLD);
  if (rank == ranks - 1) MPI_Recv(data, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const double end = MPI_Wtime();
  if (rank == 0 || rank == ranks - 1) printf("%d %d %.1f %.1f\n", rank, tag, begin * 1e9, end * 1e9);
  free(data);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int tag = 1; tag < argc; ++tag) f(rank, ranks, tag, atoi(argv[tag]));
  MPI_Finalize();
  return 0;
}
