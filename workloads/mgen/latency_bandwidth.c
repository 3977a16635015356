/* SPDX-License-Identifier: Apache-2.0
   Latency and bandwidth between rank 0 and the last rank, in the columns of the OSU micro-benchmarks, which `psim calibrate` reads. It runs
   under psim and under any MPI.

       psim-cc -O2 -o latency_bandwidth latency_bandwidth.c
       psim net -n 2 ./latency_bandwidth latency     # half a round trip of each size
       psim net -n 2 ./latency_bandwidth bandwidth   # windows of 64 messages, each window with an answer
*/
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kLargest = 4 << 20, kWindow = 64, kRepeats = 4, kAnswer = 4 };

static char sent[kLargest], received[kLargest];

static double latency(int rank, int other, int bytes) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < kRepeats; ++i) {
    if (rank == 0) MPI_Send(sent, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
    MPI_Recv(received, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 0) MPI_Send(sent, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - begin) / (2 * kRepeats) * 1e6;
}

static double bandwidth(int rank, int other, int bytes) {
  MPI_Request requests[kWindow];
  const double begin = MPI_Wtime();
  for (int i = 0; i < kRepeats; ++i) {
    for (int m = 0; m < kWindow; ++m)
      if (rank == 0)
        MPI_Isend(sent, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, &requests[m]);
      else
        MPI_Irecv(received, bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, &requests[m]);
    MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
    if (rank == 0)
      MPI_Recv(received, kAnswer, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Send(sent, kAnswer, MPI_BYTE, other, 2, MPI_COMM_WORLD);
  }
  return (double)bytes * kWindow * kRepeats / (MPI_Wtime() - begin) * 1e-6;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rates = argc > 1 && strcmp(argv[1], "bandwidth") == 0;
  if (ranks < 2 || argc != 2 || (!rates && strcmp(argv[1], "latency") != 0)) {
    if (rank == 0) fprintf(stderr, "usage: latency_bandwidth latency|bandwidth, on at least 2 ranks\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (rank == 0)
    printf(rates ? "# OSU MPI Bandwidth Test, its columns\n# Size      Bandwidth (MB/s)\n"
                 : "# OSU MPI Latency Test, its columns\n# Size          Latency (us)\n");
  const int other = rank == 0 ? ranks - 1 : 0;
  for (int bytes = 1; bytes <= kLargest; bytes *= 2) {
    double value = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 || rank == ranks - 1)
      value = rates ? bandwidth(rank, other, bytes) : latency(rank, other, bytes);
    if (rank == 0) printf("%-10d%18.2f\n", bytes, value);
  }
  MPI_Finalize();
  return 0;
}
