/* SPDX-License-Identifier: Apache-2.0
   A barrier, a ring of 1 KiB and an allreduce of 8 bytes: see benches/million_ranks.py. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  static const char sent[1024] = {1, 2, 3};
  char received[1024];
  MPI_Sendrecv(sent, 1024, MPI_BYTE, (rank + 1) % ranks, 0, received, 1024, MPI_BYTE, (rank + ranks - 1) % ranks, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (received[2] != 3 || received[1023] != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  double mine = rank, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks: sum %.0f, %.3f us\n", ranks, sum, MPI_Wtime() * 1e6);
  MPI_Finalize();
  return 0;
}
