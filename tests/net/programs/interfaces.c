/* SPDX-License-Identifier: Apache-2.0
   What depends on the interface, in ns. overlap BYTES: rank 1 has posted a receive and computes for 1 ms; prints the rest of the wait, and
   how long rank 0's send took. messages N: rank 1 waits for N messages that have arrived. early BYTES: rank 0's send, 100 us before the
   receive. incast BYTES TIMES: all ranks send to rank 0. pairs BYTES TIMES: rank 2 i sends to rank 2 i + 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void MGEN_Comp(double seconds);

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* what = argv[1];
  const int count = atoi(argv[2]), times = argc > 3 ? atoi(argv[3]) : 1;
  char* data = calloc((size_t)count + 1, 1);
  MPI_Request* requests = malloc(sizeof(MPI_Request) * (size_t)(count + 1));
  double begin = 0;
  if (strcmp(what, "overlap") == 0) {
    if (rank == 1) MPI_Irecv(data, count, MPI_CHAR, 0, 7, MPI_COMM_WORLD, requests);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    if (rank == 0) MPI_Send(data, count, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
    if (rank == 1) {
      MGEN_Comp(1e-3);
      begin = MPI_Wtime();
      MPI_Wait(requests, MPI_STATUS_IGNORE);
    }
  }
  if (strcmp(what, "messages") == 0) {
    if (rank == 1)
      for (int i = 0; i < count; ++i) MPI_Irecv(data + i, 1, MPI_CHAR, 0, i, MPI_COMM_WORLD, requests + i);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
      for (int i = 0; i < count; ++i) MPI_Send(data, 1, MPI_CHAR, 1, i, MPI_COMM_WORLD);
    if (rank == 1) {
      MGEN_Comp(1e-3);
      begin = MPI_Wtime();
      MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    } else {
      begin = MPI_Wtime();
    }
  }
  if (strcmp(what, "early") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    if (rank == 0) MPI_Send(data, count, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
    if (rank == 1) {
      MGEN_Comp(100e-6);
      MPI_Recv(data, count, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  if (strcmp(what, "incast") == 0)
    for (int i = 0; i < times * (rank == 0 ? size - 1 : 1); ++i) {
      if (rank == 0) MPI_Recv(data, count, MPI_CHAR, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else MPI_Send(data, count, MPI_CHAR, 0, 7, MPI_COMM_WORLD);
    }
  if (strcmp(what, "pairs") == 0)
    for (int i = 0; i < times; ++i) {
      if (rank % 2 == 0) MPI_Send(data, count, MPI_CHAR, rank + 1, 7, MPI_COMM_WORLD);
      else MPI_Recv(data, count, MPI_CHAR, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  const double time = MPI_Wtime() - begin;
  if (begin > 0) printf("%d %.0f\n", rank, time * 1e9);
  MPI_Finalize();
  return 0;
}
