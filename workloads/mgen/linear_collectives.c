/* SPDX-License-Identifier: Apache-2.0
 * linear_collectives COLLECTIVE BYTES [LIMIT [RATE]]: collectives called linear, as Open MPI makes them. BYTES is the length of each message.
 *
 *     gather, scatter, reduce   rank 0 serves the other ranks in turn, and waits for each message
 *     alltoall                  each rank posts all messages at once
 *
 * Messages of more than LIMIT bytes (default: none) wait for a request and an answer, which are messages: each costs a processor its overheads. The
 * rendezvous of psim's library, above mpi.eager bytes, costs them only once. psim's own linear collectives post all receives at once.
 * After a message of a reduction rank 0 reduces RATE GB per second (no time without RATE). Messages have no contents: run it with --data none.
 * Prints microseconds, one line for each rank. The collective takes the longest of them.
 *
 *     psim-cc -O2 -o linear_collectives linear_collectives.c
 *     psim net -n 64 --data none --set mpi.recv_overhead='1 us' ./linear_collectives gather 2048 1024 */
#include <mgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kData, kRequest, kAnswer, kControl = 8 };

static int rank, ranks, bytes, limit = 1 << 30;

static void send(int to, int length, int tag) { MGEN_Send(NULL, length, MGEN_BYTE, to, tag, MGEN_COMM_WORLD); }
static void receive(int from, int length, int tag) { MGEN_Recv(NULL, length, MGEN_BYTE, from, tag, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE); }

static void send_block(int to) {
  if (bytes > limit) {
    send(to, kControl, kRequest);
    receive(to, kControl, kAnswer);
  }
  send(to, bytes, kData);
}

static void receive_block(int from) {
  if (bytes > limit) {
    receive(from, kControl, kRequest);
    send(from, kControl, kAnswer);
  }
  receive(from, bytes, kData);
}

static void in_turn(int scatter, double seconds) {
  for (int i = 1; i < ranks && rank == 0; ++i) {
    if (scatter)
      send_block(i);
    else
      receive_block(i);
    if (seconds > 0) MGEN_Comp(seconds);
  }
  if (rank != 0 && scatter) receive_block(0);
  if (rank != 0 && !scatter) send_block(0);
}

static void alltoall(void) {
  MGEN_Request *requests = malloc(3 * (size_t)ranks * sizeof *requests);
  int count = 0;
  for (int i = 1; i < ranks; ++i) {
    MGEN_Irecv(NULL, bytes, MGEN_BYTE, (rank + ranks - i) % ranks, kData, MGEN_COMM_WORLD, &requests[count++]);
    const int asks = bytes > limit;
    MGEN_Isend(NULL, asks ? kControl : bytes, MGEN_BYTE, (rank + i) % ranks, asks ? kRequest : kData, MGEN_COMM_WORLD, &requests[count++]);
  }
  for (int i = 1; i < ranks && bytes > limit; ++i) {
    const int from = (rank + ranks - i) % ranks, to = (rank + i) % ranks;
    receive(from, kControl, kRequest);
    send(from, kControl, kAnswer);
    receive(to, kControl, kAnswer);
    MGEN_Isend(NULL, bytes, MGEN_BYTE, to, kData, MGEN_COMM_WORLD, &requests[count++]);
  }
  MGEN_Waitall(count, requests, MGEN_STATUSES_IGNORE);
  free(requests);
}

int main(int argc, char **argv) {
  MGEN_Init(&argc, &argv);
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  const char *collective = argc > 1 ? argv[1] : "";
  const int scatter = strcmp(collective, "scatter") == 0, reduce = strcmp(collective, "reduce") == 0, all = strcmp(collective, "alltoall") == 0;
  const double rate = argc > 4 ? atof(argv[4]) * 1e9 : 0;
  if (argc > 2) bytes = atoi(argv[2]);
  if (argc > 3) limit = atoi(argv[3]);
  if (argc < 3 || argc > 5 || bytes < 1 || limit < 0 || rate < 0 || (!scatter && !reduce && !all && strcmp(collective, "gather") != 0)) {
    if (rank == 0) fprintf(stderr, "linear_collectives: expected gather|scatter|reduce|alltoall BYTES [LIMIT [RATE]]\n");
    MGEN_Abort(MGEN_COMM_WORLD, 2);
  }
  MGEN_Barrier(MGEN_COMM_WORLD);
  MGEN_Barrier(MGEN_COMM_WORLD);
  const double begin = MGEN_Wtime();
  if (all)
    alltoall();
  else
    in_turn(scatter, reduce && rate > 0 ? bytes / rate : 0);
  printf("%.2f us\n", (MGEN_Wtime() - begin) * 1e6);
  MGEN_Finalize();
  return 0;
}
