// SPDX-License-Identifier: Apache-2.0
/* Reads the clock many times together, with text and messages in between. Each rank prints the time that its reads
   took; a read takes 10 ns. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, i;
  double begin, now = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  begin = MPI_Wtime();
  for (i = 0; i < 37 + 40 * rank; i++) now = MPI_Wtime();
  printf("rank %d: %d looks, %.0f ns\n", rank, i, (now - begin) * 1e9);
  if (rank == 0) {
    MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank 1 has it %.3f ns after it began\n", (MPI_Wtime() - begin) * 1e9);
  }
  for (i = 0; (MPI_Wtime() - now) * 1e4 < 1; i++)
    if (i % 3333 == 0) printf("rank %d: %.3f ns\n", rank, (MPI_Wtime() - begin) * 1e9);
  printf("rank %d: %d looks are 100 us\n", rank, i);
  MPI_Finalize();
  printf("rank %d ends at %.3f ns\n", rank, MPI_Wtime() * 1e9);
  for (i = 0; i < 10; i++) MPI_Wtime();
  return 0;
}
