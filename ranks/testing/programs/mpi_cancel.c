/* SPDX-License-Identifier: Apache-2.0
   A send of any mode and length is cancelled if and only if no receive has matched it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int me, size, wrong;

/* Cancels and waits; returns true if the message was cancelled. */
static int cancel(MPI_Request* request) {
  MPI_Status status;
  int flag = -1;
  MPI_Cancel(request);
  MPI_Wait(request, &status);
  MPI_Test_cancelled(&status, &flag);
  return flag;
}

static void unmatched(char* buffer, int n, int to) {
  MPI_Request request;
  void* attached;
  const int room = n + MPI_BSEND_OVERHEAD;
  MPI_Buffer_attach(malloc(room), room);
  MPI_Isend(buffer, n, MPI_CHAR, to, 7, MPI_COMM_WORLD, &request);
  wrong += !cancel(&request);
  MPI_Issend(buffer, n, MPI_CHAR, to, 7, MPI_COMM_WORLD, &request);
  wrong += !cancel(&request);
  MPI_Ibsend(buffer, n, MPI_CHAR, to, 7, MPI_COMM_WORLD, &request);
  wrong += !cancel(&request);
  MPI_Send_init(buffer, n, MPI_CHAR, to, 7, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    wrong += !cancel(&request);
  }
  MPI_Request_free(&request);
  MPI_Bsend_init(buffer, n, MPI_CHAR, to, 7, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    wrong += !cancel(&request);
  }
  MPI_Request_free(&request);
  int bytes;
  MPI_Buffer_detach(&attached, &bytes);
  wrong += bytes != room;
  free(attached);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int lengths[] = {0, 1, 10000, 200000};
  char* buffer = calloc(200000, 1);
  int flag;
  for (int i = 0; i < 4; ++i) {
    if (me == 0) unmatched(buffer, lengths[i], size - 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    wrong += flag;
    /* A message that is matched arrives. */
    MPI_Request request[2];
    if (me == size - 1) MPI_Irecv(buffer, lengths[i], MPI_CHAR, 0, 8, MPI_COMM_WORLD, &request[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
      MPI_Isend(buffer, lengths[i], MPI_CHAR, size - 1, 8, MPI_COMM_WORLD, &request[1]);
      wrong += cancel(&request[1]);
    }
    if (me == size - 1) MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  }
  int all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me == 0) printf("wrong %d\n", all);
  free(buffer);
  MPI_Finalize();
  return 0;
}
