// SPDX-License-Identifier: Apache-2.0
// Latency of 8 bytes and bandwidth of a window of long messages, as osu_latency and osu_bw measure them; then the bandwidth of
// one message of 1 MiB.
#include <mpi.h>
#include <stdio.h>

#define BYTES 131072
#define WINDOW 3
#define LONG 1048576
static char data[WINDOW][BYTES] __attribute__((aligned(64))), whole[LONG] __attribute__((aligned(64)));

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int peer = 1 - rank, rounds = 5;
  double start = 0;
  for (int i = -1; i < rounds; ++i) {
    if (i == 0) start = MPI_Wtime();
    if (rank == 0) MPI_Send(data, 8, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
    MPI_Recv(data, 8, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(data, 8, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("latency_us %.3f\n", (MPI_Wtime() - start) * 1e6 / (2 * rounds));
  MPI_Request requests[WINDOW];
  for (int i = -1; i < 1; ++i) {
    if (i == 0) start = MPI_Wtime();
    for (int w = 0; w < WINDOW; ++w)
      if (rank == 0)
        MPI_Isend(data[w], BYTES, MPI_CHAR, peer, 2, MPI_COMM_WORLD, &requests[w]);
      else
        MPI_Irecv(data[w], BYTES, MPI_CHAR, peer, 2, MPI_COMM_WORLD, &requests[w]);
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(&start, 0, MPI_CHAR, peer, 3, &start, 0, MPI_CHAR, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("bandwidth_MB/s %.1f\n", 1.0 * WINDOW * BYTES / (MPI_Wtime() - start) / 1e6);
  for (int i = -1; i < 1; ++i) {
    if (i == 0) start = MPI_Wtime();
    if (rank == 0) MPI_Send(whole, LONG, MPI_CHAR, peer, 4, MPI_COMM_WORLD);
    MPI_Recv(whole, LONG, MPI_CHAR, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(whole, LONG, MPI_CHAR, peer, 4, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("single_MB/s %.1f\n", 2.0 * LONG / (MPI_Wtime() - start) / 1e6);
  MPI_Finalize();
  return 0;
}
