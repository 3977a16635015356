/* SPDX-License-Identifier: Apache-2.0
 * mpi_benchmark BENCHMARK BYTES [barrier|barriers|loop] [REPEATS]: measures as the benchmarks of real machines do, for `psim reproduce real-machine`.
 * Messages have no contents.
 *
 *     bcast, reduce, allreduce, gather, gatherv, scatter, allgather, alltoall
 *                         a collective of BYTES bytes per block, after a barrier (or two), or in a loop without a barrier between
 *     pipelined-ring      each of n ranks posts n receives of BYTES / n from its left, sends a block to its right, and the next one after each
 *                         receive but the last
 *     dissemination       round i sends BYTES to rank + 2^i after the message of round i - 1 has come
 *     pairs-bandwidth     rank r < n / 2 sends windows of 64 messages to rank r + n / 2, each window with an answer
 *     two-way-bandwidth   ranks 0 and 1 exchange windows of 64 messages
 *     pairs-latency       rank r < n / 2 exchanges messages with rank r + n / 2
 *     far-latency         rank 0 exchanges messages with the last rank
 *     pair-latency, pair-bandwidth   each ordered pair in turn: half a round trip; messages one after the other, and an answer
 *
 * Prints microseconds, one line for each rank that measures: the mean over the repeats, for pairs-latency and far-latency the median of half a round
 * trip, for bandwidths the time of a window. For collectives one run precedes the repeats, if these are more than one. */
#include <mgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWindow = 64, kWindows = 20, kWarmWindows = 2, kRoundTrips = 21, kPairRoundTrips = 4, kAnswer = 4 };

static int rank, ranks, bytes, repeats = 1;
static const char *way = "barrier";

/* ---- collectives ---- */

static void bcast(void) { MGEN_Bcast(NULL, bytes, MGEN_BYTE, 0, MGEN_COMM_WORLD); }
static void reduce(void) { MGEN_Reduce(NULL, NULL, bytes, MGEN_BYTE, MGEN_BOR, 0, MGEN_COMM_WORLD); }
static void allreduce(void) { MGEN_Allreduce(NULL, NULL, bytes, MGEN_BYTE, MGEN_BOR, MGEN_COMM_WORLD); }
static void gather(void) { MGEN_Gather(NULL, bytes, MGEN_BYTE, NULL, bytes, MGEN_BYTE, 0, MGEN_COMM_WORLD); }
static void scatter(void) { MGEN_Scatter(NULL, bytes, MGEN_BYTE, NULL, bytes, MGEN_BYTE, 0, MGEN_COMM_WORLD); }
static void allgather(void) { MGEN_Allgather(NULL, bytes, MGEN_BYTE, NULL, bytes, MGEN_BYTE, MGEN_COMM_WORLD); }
static void alltoall(void) { MGEN_Alltoall(NULL, bytes, MGEN_BYTE, NULL, bytes, MGEN_BYTE, MGEN_COMM_WORLD); }

static void gatherv(void) {
  int *counts = malloc((size_t)ranks * sizeof *counts), *at = malloc((size_t)ranks * sizeof *at);
  for (int i = 0; i < ranks; ++i) counts[i] = bytes, at[i] = i * bytes;
  MGEN_Gatherv(NULL, bytes, MGEN_BYTE, NULL, counts, at, MGEN_BYTE, 0, MGEN_COMM_WORLD);
  free(counts), free(at);
}

static void pipelined_ring(void) {
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks, block = bytes / ranks;
  MGEN_Request *received = malloc((size_t)ranks * sizeof *received);
  for (int i = 0; i < ranks; ++i) MGEN_Irecv(NULL, block, MGEN_BYTE, left, 0, MGEN_COMM_WORLD, &received[i]);
  for (int i = 0; i < ranks; ++i) {
    MGEN_Send(NULL, block, MGEN_BYTE, right, 0, MGEN_COMM_WORLD);
    MGEN_Wait(&received[i], MGEN_STATUS_IGNORE);
  }
  free(received);
}

static void dissemination(void) {
  MGEN_Request received[32];
  int rounds = 0;
  for (int far = 1; far < ranks; far *= 2, ++rounds)
    MGEN_Irecv(NULL, bytes, MGEN_BYTE, (rank + ranks - far) % ranks, 0, MGEN_COMM_WORLD, &received[rounds]);
  for (int i = 0; i < rounds; ++i) {
    MGEN_Send(NULL, bytes, MGEN_BYTE, (rank + (1 << i)) % ranks, 0, MGEN_COMM_WORLD);
    MGEN_Wait(&received[i], MGEN_STATUS_IGNORE);
  }
}

static void collective(void (*call)(void)) {
  const int loop = strcmp(way, "loop") == 0, warm = repeats > 1;
  double sum = 0, begin = 0;
  for (int i = -warm; i < repeats; ++i) {
    if (!loop || i <= 0) MGEN_Barrier(MGEN_COMM_WORLD);
    if (strcmp(way, "barriers") == 0) MGEN_Barrier(MGEN_COMM_WORLD);
    if (!loop || i <= 0) begin = MGEN_Wtime();
    call();
    if (i >= 0 && (!loop || i + 1 == repeats)) sum += MGEN_Wtime() - begin;
  }
  printf("%.6f us\n", sum * 1e6 / repeats);
}

/* ---- pairs ---- */

static void pairs_bandwidth(void) {
  const int half = ranks / 2, sends = rank < half, other = sends ? rank + half : rank - half;
  MGEN_Request requests[kWindow];
  double begin = 0;
  for (int i = -kWarmWindows; i < kWindows; ++i) {
    if (i == 0) {
      MGEN_Barrier(MGEN_COMM_WORLD);
      begin = MGEN_Wtime();
    }
    for (int m = 0; m < kWindow; ++m)
      if (sends)
        MGEN_Isend(NULL, bytes, MGEN_BYTE, other, 0, MGEN_COMM_WORLD, &requests[m]);
      else
        MGEN_Irecv(NULL, bytes, MGEN_BYTE, other, 0, MGEN_COMM_WORLD, &requests[m]);
    MGEN_Waitall(kWindow, requests, MGEN_STATUSES_IGNORE);
    if (sends)
      MGEN_Recv(NULL, kAnswer, MGEN_BYTE, other, 1, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    else
      MGEN_Send(NULL, kAnswer, MGEN_BYTE, other, 1, MGEN_COMM_WORLD);
  }
  if (sends) printf("%.6f us\n", (MGEN_Wtime() - begin) * 1e6 / kWindows);
}

static void two_way_bandwidth(void) {
  MGEN_Request requests[2 * kWindow];
  double begin = 0;
  for (int i = -kWarmWindows; i < kWindows && rank < 2; ++i) {
    if (i == 0) begin = MGEN_Wtime();
    for (int m = 0; m < kWindow; ++m) MGEN_Irecv(NULL, bytes, MGEN_BYTE, 1 - rank, 0, MGEN_COMM_WORLD, &requests[kWindow + m]);
    for (int m = 0; m < kWindow; ++m) MGEN_Isend(NULL, bytes, MGEN_BYTE, 1 - rank, 0, MGEN_COMM_WORLD, &requests[m]);
    MGEN_Waitall(2 * kWindow, requests, MGEN_STATUSES_IGNORE);
  }
  if (rank == 0) printf("%.6f us\n", (MGEN_Wtime() - begin) * 1e6 / kWindows);
}

/* Exchanges one message with `other`; `first` sends first. */
static void round_trip(int first, int other) {
  if (first) MGEN_Send(NULL, bytes, MGEN_BYTE, other, 0, MGEN_COMM_WORLD);
  MGEN_Recv(NULL, bytes, MGEN_BYTE, other, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
  if (!first) MGEN_Send(NULL, bytes, MGEN_BYTE, other, 0, MGEN_COMM_WORLD);
}

static int order(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void latency(int first, int other) {
  double times[kRoundTrips];
  MGEN_Barrier(MGEN_COMM_WORLD);
  for (int i = 0; i < kRoundTrips; ++i) {
    const double begin = MGEN_Wtime();
    round_trip(first, other);
    times[i] = (MGEN_Wtime() - begin) * 1e6 / 2;
  }
  qsort(times, kRoundTrips, sizeof *times, order);
  if (rank == 0) printf("%.6f us\n", times[kRoundTrips / 2]);
}

static void pairs_latency(void) { latency(rank < ranks / 2, rank < ranks / 2 ? rank + ranks / 2 : rank - ranks / 2); }

static void far_latency(void) {
  if (rank == 0 || rank == ranks - 1)
    latency(rank == 0, rank == 0 ? ranks - 1 : 0);
  else
    MGEN_Barrier(MGEN_COMM_WORLD);
}

static void pair_of(int from, int to, int rates) {
  MGEN_Barrier(MGEN_COMM_WORLD);
  if (rank != from && rank != to) return;
  const int first = rank == from, other = first ? to : from;
  double begin = 0;
  for (int i = -1; i < kPairRoundTrips; ++i) {
    if (i == 0) begin = MGEN_Wtime();
    if (!rates)
      round_trip(first, other);
    else if (first)
      MGEN_Send(NULL, bytes, MGEN_BYTE, other, 0, MGEN_COMM_WORLD);
    else
      MGEN_Recv(NULL, bytes, MGEN_BYTE, other, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    if (!rates || (i != -1 && i + 1 != kPairRoundTrips)) continue;
    if (first)
      MGEN_Recv(NULL, 0, MGEN_BYTE, other, 1, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    else
      MGEN_Send(NULL, 0, MGEN_BYTE, other, 1, MGEN_COMM_WORLD);
  }
  if (first) printf("%.6f us\n", (MGEN_Wtime() - begin) * 1e6 / (kPairRoundTrips * (rates ? 1 : 2)));
}

static void pair_each(int rates) {
  for (int from = 0; from < ranks; ++from)
    for (int to = 0; to < ranks; ++to)
      if (to != from) pair_of(from, to, rates);
}
static void pair_latency(void) { pair_each(0); }
static void pair_bandwidth(void) { pair_each(1); }

static const struct {
  const char *name;
  void (*call)(void);
  int is_collective;
} kBenchmarks[] = {{"bcast", bcast, 1},
                   {"reduce", reduce, 1},
                   {"allreduce", allreduce, 1},
                   {"gather", gather, 1},
                   {"gatherv", gatherv, 1},
                   {"scatter", scatter, 1},
                   {"allgather", allgather, 1},
                   {"alltoall", alltoall, 1},
                   {"pipelined-ring", pipelined_ring, 1},
                   {"dissemination", dissemination, 1},
                   {"pairs-bandwidth", pairs_bandwidth, 0},
                   {"two-way-bandwidth", two_way_bandwidth, 0},
                   {"pairs-latency", pairs_latency, 0},
                   {"far-latency", far_latency, 0},
                   {"pair-latency", pair_latency, 0},
                   {"pair-bandwidth", pair_bandwidth, 0}};

int MGEN_Main(int argc, char **argv) {
  MGEN_Init(&argc, &argv);
  MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
  MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
  if (argc > 2) bytes = atoi(argv[2]);
  if (argc > 3) way = argv[3];
  if (argc > 4) repeats = atoi(argv[4]);
  const int good = argc > 2 && ranks >= 2 && bytes >= 0 && repeats >= 1 &&
                   (strcmp(way, "barrier") == 0 || strcmp(way, "barriers") == 0 || strcmp(way, "loop") == 0);
  int found = 0;
  for (unsigned i = 0; good && i < sizeof kBenchmarks / sizeof *kBenchmarks; ++i)
    if (strcmp(argv[1], kBenchmarks[i].name) == 0) {
      found = 1;
      if (kBenchmarks[i].is_collective)
        collective(kBenchmarks[i].call);
      else
        kBenchmarks[i].call();
    }
  if (!found) {
    if (rank == 0) fprintf(stderr, "usage: mpi_benchmark BENCHMARK BYTES [barrier|barriers|loop] [REPEATS], on at least 2 ranks\n");
    MGEN_Abort(MGEN_COMM_WORLD, 2);
  }
  MGEN_Finalize();
  return 0;
}
